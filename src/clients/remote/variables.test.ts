import { afterEach, expect, test, vi } from 'vitest'
import { urlVariable, variable } from './variables.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('default: what it says', () => {
  vi.stubEnv('SVC_BASE_URL', 'http://localhost:4477/')
  expect(variable('SVC_BASE_URL')).toBe('http://localhost:4477/')
  expect(urlVariable('SVC_BASE_URL')).toBe('http://localhost:4477/')
})

test.each(['', ' ', '\t'])('behavior: %j counts as not set', (text) => {
  vi.stubEnv('SVC_BASE_URL', text)
  expect(variable('SVC_BASE_URL')).toBeUndefined()
  expect(urlVariable('SVC_BASE_URL')).toBeUndefined()
})

test.each(['localhost:4477', '127.0.0.1', 'http://', 'ftp://x', 'http://a b'])(
  'error: %s is no URL: the variable and its value are named',
  (text) => {
    vi.stubEnv('SVC_BASE_URL', text)
    expect(() => urlVariable('SVC_BASE_URL')).toThrow(
      `SVC_BASE_URL is ${JSON.stringify(text)}, but must be a URL`,
    )
  },
)
