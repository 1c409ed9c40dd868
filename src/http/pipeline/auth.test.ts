import { describe, expect, test } from 'vitest'
import { keys } from '../../../test/kit/httpWorld.js'
import { authenticate } from './auth.js'

const all = Object.values(keys)

test('default', () => {
  expect(authenticate(all, `Bearer ${keys.second.key}`)).toBe(keys.second)
})

test('behavior: the scheme is taken in any casing, and with more than one space', () => {
  expect(authenticate(all, `bearer ${keys.first.key}`)).toBe(keys.first)
  expect(authenticate(all, `BEARER   ${keys.first.key} `)).toBe(keys.first)
})

test('behavior: a key that is revoked later is refused from then on', () => {
  const key = { ...keys.first }
  expect(authenticate([key], `Bearer ${key.key}`)).toBe(key)
  key.revoked = true
  expect(() => authenticate([key], `Bearer ${key.key}`)).toThrow('API key has been revoked')
})

describe('error', () => {
  test.each([
    ['missing_auth_header', undefined],
    ['missing_auth_header', ''],
    ['missing_auth_header', 'Bearer'],
    ['missing_auth_header', 'Bearer '],
    ['missing_auth_header', keys.first.key],
    ['missing_auth_header', `Basic ${keys.first.key}`],
    ['missing_auth_header', `Bearer ${keys.first.key} more`],
    ['invalid_api_key', 'Bearer qk_nobody_00000000000000000000'],
    ['invalid_api_key', `Bearer ${keys.first.key.toUpperCase()}`],
    ['invalid_api_key', `Bearer ${keys.first.key.slice(0, -1)}`],
    ['api_key_revoked', `Bearer ${keys.revoked.key}`],
  ])('%s for %j', (code, header) => {
    expect(() => authenticate(all, header)).toThrow(expect.objectContaining({ code, status: 401 }))
  })

  test.each([
    [
      'qk_0a1b2c_0123456789abcdef0123',
      'the key of another world, or of a leased world that is over',
    ],
    ['qk_mine_0123', 'was not started with this API key; see --api-key'],
  ])('the hint for %s, which nobody has, says what it may be', (key, hint) => {
    expect(() => authenticate(all, `Bearer ${key}`)).toThrow(
      expect.objectContaining({
        code: 'invalid_api_key',
        hint: expect.stringContaining(hint),
      }),
    )
  })

  test.each([
    [`Bearer "${keys.first.key}"`, 'invalid_api_key', 'Send the key without them'],
    [`Bearer '${keys.first.key}'`, 'invalid_api_key', 'Send the key without them'],
    [`Bearer Bearer ${keys.first.key}`, 'missing_auth_header', 'says "Bearer" twice'],
  ])('the hint for %s names the cause', (header, code, hint) => {
    expect(() => authenticate(all, header)).toThrow(
      expect.objectContaining({ code, hint: expect.stringContaining(hint) }),
    )
  })

  test('the hint for a header in another form says what form is wanted', () => {
    expect(() => authenticate(all, 'Basic abc')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('not of the form "Bearer') }),
    )
  })
})
