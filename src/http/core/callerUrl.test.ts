import { expect, test } from 'vitest'
import { callerUrl } from './callerUrl.js'

test('default: the host that was asked for, and the scheme that a proxy names', () => {
  const host = 'sim.lan:8443'
  for (const [scheme, url] of [
    [undefined, 'http://sim.lan:8443'],
    ['https', 'https://sim.lan:8443'],
    ['HTTPS, http', 'https://sim.lan:8443'],
    ['http', 'http://sim.lan:8443'],
    ['javascript', 'http://sim.lan:8443'],
  ])
    expect(callerUrl({ headers: { host, 'x-forwarded-proto': scheme } })).toBe(url)
})
