import { expect, test } from 'vitest'
import { callerUrl, toOriginForm } from './request.js'

function rewritten(url: string) {
  const rawHeaders = ['Accept', 'host', 'HOST', 'localhost:4477']
  const req = { url, headers: { host: 'localhost:4477' }, rawHeaders }
  toOriginForm(req)
  const raw = Object.fromEntries(
    req.rawHeaders.flatMap((name, i, all) =>
      i % 2 === 0 ? [[name.toLowerCase(), all[i + 1]]] : [],
    ),
  )
  expect(raw).toEqual({ accept: 'host', host: req.headers.host })
  return [req.url, req.headers.host]
}

test.each([
  ['http://127.0.0.1:4477/rpc/base?x=1', ['/rpc/base?x=1', '127.0.0.1:4477']],
  ['HTTPS://sim.lan', ['/', 'sim.lan']],
  ['ws://sim.lan?a=/b', ['/?a=/b', 'sim.lan']],
  ['http://user:pass@[::1]:80/a', ['/a', '[::1]:80']],
])('default: %s', (url, expected) => {
  expect(rewritten(url)).toEqual(expected)
})

test.each(['/networks', '/a?next=http://x/y', '*', '//evil/x', ''])(
  'behavior: %j is left as it is',
  (url) => {
    expect(rewritten(url)).toEqual([url, 'localhost:4477'])
  },
)

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
