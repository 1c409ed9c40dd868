import { expect, test } from 'vitest'
import { curlOf } from './curl.js'

const at = { origin: 'http://127.0.0.1:4000', apiKey: 'qk_a' }

test('default: method, address, key, headers and body, without what curl adds itself', () => {
  const headers = { 'content-type': 'application/json', 'content-length': '9', host: 'x' }
  expect(curlOf({ method: 'POST', url: '/accounts', headers, body: { a: 1 } }, at)).toBe(
    [
      `curl -X POST 'http://127.0.0.1:4000/accounts'`,
      `-H 'authorization: Bearer qk_a'`,
      `-H 'content-type: application/json'`,
      `--data-raw '{"a":1}'`,
    ].join(' \\\n  '),
  )
})

test('behavior: the control API gets no key; without a known key there is a place for it', () => {
  expect(curlOf({ method: 'GET', url: '/_sim/clock', headers: {} }, at)).not.toContain('Bearer')
  const unknown = { ...at, apiKey: undefined }
  expect(curlOf({ method: 'GET', url: '/assets', headers: {} }, unknown)).toContain('YOUR_KEY')
})

test('behavior: quotes in the URL and the body are escaped', () => {
  const exchange = { method: 'POST', url: "/accounts/it's", headers: {}, body: "{'" }
  const command = curlOf(exchange, at)
  expect(command).toContain(`'http://127.0.0.1:4000/accounts/it'\\''s'`)
  expect(command).toContain(`--data-raw '{'\\'''`)
})

test('behavior: a control request goes to the world that was asked, with a placeholder for the token', () => {
  const moved = { method: 'POST', url: '/_sim/clock/advance', headers: {}, body: { seconds: 1 } }
  const at = { origin: 'http://a', apiKey: 'qk_a', world: 'w_1', needsToken: true }
  expect(curlOf(moved, at)).toBe(
    [
      '# Replace YOUR_CONTROL_TOKEN by the --control-token',
      "curl -X POST 'http://a/_sim/worlds/w_1/clock/advance' \\",
      "  -H 'authorization: Bearer YOUR_CONTROL_TOKEN' \\",
      `  --data-raw '{"seconds":1}'`,
    ].join('\n'),
  )
  expect(curlOf({ ...moved, url: '/accounts' }, at)).toContain("'http://a/accounts'")
})
