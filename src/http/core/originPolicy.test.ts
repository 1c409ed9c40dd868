import { describe, expect, test } from 'vitest'
import { allowedHost, corsOrigin, isAllowedOrigin, isOwnHost, isOwnPage } from './originPolicy.js'

const none = { allowedHosts: [] }
const local = (host: string | undefined) => isOwnHost(host, '127.0.0.1', none)

test.each([
  ...['127.0.0.1:4477', 'localhost:4477', 'LOCALHOST', '[::1]:4477', '127.9.9.9'],
  ...['app.localhost:4477', 'a.b.localhost', 'Tenant.LocalHost:1'],
])('default: %s is a name of a server on loopback', (host) => {
  expect(local(host)).toBe(true)
})

test('behavior: so is the bound host, and anything where every address is bound', () => {
  expect(isOwnHost('sim.lan:4477', 'sim.lan', none)).toBe(true)
  expect(isOwnHost('sim.lan:4477', '0.0.0.0', none)).toBe(true)
  expect(isOwnHost('sim.lan:4477', '192.168.1.2', none)).toBe(false)
})

test('behavior: allowed names, for every port or for one', () => {
  const own = (host: string, ...allowedHosts: string[]) =>
    isOwnHost(host, '127.0.0.1', { allowedHosts })
  expect(own('sim.lan:1', 'sim.lan')).toBe(true)
  expect(own('SIM.lan', 'sim.lan')).toBe(true)
  expect(own('sim.lan:8080', 'sim.lan:8080')).toBe(true)
  expect(own('sim.lan:8081', 'sim.lan:8080')).toBe(false)
  expect(own('sim.lan', 'sim.lan:8080')).toBe(false)
  expect(own('x.sim.lan', 'sim.lan')).toBe(false)
  expect(own('[fd00::1]:5', '[fd00::1]')).toBe(true)
  expect(own('[fd00::1]:5', '[fd00::1]:6', 'other')).toBe(false)
})

test.each([
  'evil.example',
  '127.0.0.1.evil.example',
  'localhost.evil.example:4477',
  'evillocalhost',
  '.localhost',
  'evil.example@127.0.0.1:x',
  '',
  undefined,
])('error: %j is no name of it', (host) => {
  expect(local(host)).toBe(false)
})

test('behavior: the own page is that of the same name and port', () => {
  expect(isOwnPage('http://localhost:4477', 'localhost:4477')).toBe(true)
  expect(isOwnPage('http://localhost', 'localhost')).toBe(true)
  for (const origin of ['http://localhost:3000', 'http://127.0.0.1:4477', 'null', '', 'file://'])
    expect(isOwnPage(origin, 'localhost:4477'), origin).toBe(false)
})

describe('browser apps', () => {
  test('behavior: loopback is every port of it, and nothing that only looks so', () => {
    const allowed = (origin: string) => isAllowedOrigin(origin, { corsOrigins: ['loopback'] })
    expect(
      ['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:5173', 'http://127.8.8.8:1'].map(
        allowed,
      ),
    ).toEqual([true, true, true, true])
    expect(['http://app.localhost:3000', 'http://tauri.localhost'].map(allowed)).toEqual([
      true,
      true,
    ])
    expect(
      [
        'https://evil.example',
        'null',
        '',
        'https://127.0.0.1.evil.example',
        'http://localhost@evil.example',
      ].map(allowed),
    ).toEqual([false, false, false, false, false])
  })

  test('behavior: a list is what it says, and none is none', () => {
    const given = ['https://app.example', 'https://two.example:8443']
    const allowed = (origin: string) => isAllowedOrigin(origin, { corsOrigins: given })
    expect(given.map(allowed)).toEqual([true, true])
    expect(allowed('http://localhost:3000')).toBe(false)
    expect(allowed('https://two.example')).toBe(false)
    for (const origin of given)
      for (const longer of [`${origin}.evil.example`, `${origin}0`, `evil.${origin}`])
        expect(allowed(longer), longer).toBe(false)
    expect(isAllowedOrigin('http://localhost:3000', { corsOrigins: ['none'] })).toBe(false)
  })

  test.each([
    '*',
    'app.example',
    'https://app.example/',
    'https://App.example',
    'https://app.example:443',
    'tauri://localhost/',
    'Tauri://localhost',
    'tauri:localhost',
    'file://x',
    'null',
    '',
  ])('error: %j is no origin', (text) => {
    expect(() => corsOrigin(text)).toThrow('it must be an origin as browsers send it')
  })

  test.each(['tauri://localhost', 'capacitor://localhost', 'ionic://localhost:8100'])(
    'behavior: a webview may be named by its scheme: %s',
    (origin) => {
      expect(corsOrigin(origin)).toBe(origin)
      expect(isAllowedOrigin(origin, { corsOrigins: [origin] })).toBe(true)
      expect(isAllowedOrigin(origin, { corsOrigins: ['loopback'] })).toBe(false)
    },
  )
})

test('behavior: names are read in lower case', () => {
  expect(allowedHost('Sim.LAN:80')).toBe('sim.lan:80')
  expect(allowedHost('[FD00::1]')).toBe('[fd00::1]')
})

test.each([
  'http://sim.lan',
  'sim.lan/x',
  'sim lan',
  'sim.lan:99999',
  'sim.lan:',
  '*.lan',
  '',
  'a@b',
])('error: %j is no host name', (text) => {
  expect(() => allowedHost(text)).toThrow('it must be a host name or IP address')
})
