import { expect, test } from 'vitest'
import { createRedactor, redactJson } from './redact.js'

const key = 'qk_abc123_00112233445566778899'

test('default: keys keep their public part, tokens nothing', () => {
  const redact = createRedactor(['qk_abc123_00112233445566778899', 't0ken'])
  expect(redact('{"a":"qk_abc123_00112233445566778899 t0ken t0ken"}')).toBe(
    '{"a":"qk_abc123_*** *** ***"}',
  )
})

test('behavior: only texts and names of fields are masked, whatever the secret looks like', () => {
  const value = { count: 10, none: null, 'is 10': ['a10', true], text: 'say "x" ' }
  expect(redactJson(value, createRedactor(['10', '"x"']))).toEqual({
    count: 10,
    none: null,
    'is ***': ['a***', true],
    text: 'say *** ',
  })
})

const percent = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const unicode = (text: string): string =>
  Array.from(text, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

test.each([
  ['percent-encoded', percent(key)],
  ['in upper case', percent(key).toUpperCase()],
  ['in part', key.replaceAll('_', '%5F')],
  ['twice', encodeURIComponent(percent(key))],
  ['three times', encodeURIComponent(encodeURIComponent(percent(key)))],
  ['as JSON may write it', unicode(key)],
])('behavior: a key that is encoded %s is masked as well', (_how, spelled) => {
  const redact = createRedactor([key])
  expect(redact(`GET /accounts/${spelled}/folio?key=${spelled}&x`)).toBe(
    'GET /accounts/qk_abc123_***/folio?key=qk_abc123_***&x',
  )
  expect(redactJson({ url: spelled, [spelled]: 1 }, redact)).toEqual({
    url: 'qk_abc123_***',
    'qk_abc123_***': 1,
  })
})

test('behavior: secrets of any characters, encoded too, and nothing that only looks alike', () => {
  const secrets = ['a+b/c=%(é€💥)', 'aaaa']
  const redact = createRedactor(secrets)
  for (const secret of secrets) {
    expect(redact(`<${secret}>${encodeURIComponent(secret)}`)).toBe('<***>***')
    expect(redact(percent(secret))).toBe('***')
  }
  expect(redact('a+b/c=%(e€💥) aaa %61%61%61')).toBe('a+b/c=%(e€💥) aaa %61%61%61')
  expect(redact('$& aaaa')).toBe('$& ***')
})
