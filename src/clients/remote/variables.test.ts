import { afterEach, expect, test, vi } from 'vitest'
import { openSimulator } from '../../tools/vitest/open.js'
import { leaseWorld } from './leaseWorld.js'
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

test('error: leaseWorld and the fixtures name the variable of a malformed URL, and its value', async () => {
  const message = 'SVC_BASE_URL is "localhost:4477", but must be a URL such as'
  vi.stubEnv('SVC_BASE_URL', 'localhost:4477')
  await expect(leaseWorld()).rejects.toThrow(message)
  await expect(openSimulator({}, 'a test')).rejects.toThrow(message)
  vi.stubEnv('SVC_CONTROL_URL', '127.0.0.1')
  await expect(leaseWorld()).rejects.toThrow('SVC_CONTROL_URL is "127.0.0.1"')
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
