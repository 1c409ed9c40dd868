import { describe, expect, test } from 'vitest'
import { foreignCaller } from './guard.js'

describe('default', () => {
  test.each(['127.0.0.1:4477', 'localhost:4477', 'LOCALHOST', '[::1]:4477', '127.9.9.9'])(
    'Host %s is local',
    (host) => {
      expect(foreignCaller({ host }, '127.0.0.1')).toBeUndefined()
    },
  )
})

test('behavior: the bound host is local too', () => {
  expect(foreignCaller({ host: 'sim.lan:4477' }, 'sim.lan')).toBeUndefined()
  expect(foreignCaller({ host: 'sim.lan:4477' }, '0.0.0.0')).toBeUndefined()
})

test('behavior: local pages and wallet extensions may call', () => {
  const host = '127.0.0.1:4477'
  expect(foreignCaller({ host, origin: 'http://localhost:3000' }, '127.0.0.1')).toBeUndefined()
  expect(foreignCaller({ host, origin: 'chrome-extension://abc' }, '127.0.0.1')).toBeUndefined()
})

describe('error', () => {
  test.each([
    [{ host: 'evil.example' }],
    [{ host: '127.0.0.1.evil.example' }],
    [{ host: 'localhost.evil.example:4477' }],
    [{ host: 'evil.example@127.0.0.1:x' }],
    [{ host: '' }],
    [{}],
    [{ host: '127.0.0.1', origin: 'https://evil.example' }],
    [{ host: '127.0.0.1', origin: 'null' }],
    [{ host: '127.0.0.1', origin: 'https://127.0.0.1.evil.example' }],
    [{ host: '127.0.0.1', origin: '' }],
  ])('%j is foreign', (headers) => {
    expect(foreignCaller(headers, '127.0.0.1')).toMatch(/^(Host|Origin) is /)
  })
})
