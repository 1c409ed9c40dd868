import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { keccak256, stringToHex } from 'viem/utils'
import { expect, test } from 'vitest'
import { anAccount } from '../../../../test/kit/records.js'
import { isWellFormed } from './execution.js'
import { diagnoseSignature } from './signature.js'

const key = generatePrivateKey()
const signer = privateKeyToAccount(key)
const account = anAccount({ signerAddress: signer.address })
const digest = keccak256('0x01')
const right = await sign({ hash: digest, privateKey: key, to: 'hex' })

const hintOf = (signature: string) => diagnoseSignature(signature, digest, account)

test('default: 0x and 65 bytes are well formed, nothing else is', () => {
  expect(isWellFormed(right)).toBe(true)
  for (const text of [
    '',
    '0x',
    right.slice(2),
    right.slice(0, -1),
    `${right}00`,
    `${right.slice(0, -1)}g`,
  ])
    expect(isWellFormed(text), text).toBe(false)
})

test.each([
  ['', 'not 0x-prefixed hex'],
  ['hello', 'not 0x-prefixed hex'],
  [right.slice(2), 'not 0x-prefixed hex'],
  ['0xzz', 'not 0x-prefixed hex'],
  ['0x', 'has 0 bytes, expected 65'],
  [right.slice(0, -2), '64 bytes look like a compact EIP-2098 signature'],
  [`${right}00`, 'has 66 bytes, expected 65'],
  [`0x${'ff'.repeat(65)}`, 'no address can be recovered'],
])('error: %s', async (signature, hint) => {
  expect(await hintOf(signature)).toContain(hint)
})

test('error: another key names both addresses', async () => {
  const stranger = privateKeyToAccount(generatePrivateKey())
  const hint = await hintOf(await stranger.sign({ hash: digest }))
  expect(hint).toContain(`recovered ${stranger.address}, expected ${signer.address}`)
  expect(hint).toContain('another key')
})

test('error: another digest of the right key is told apart from a wrong form', async () => {
  const hint = await hintOf(await signer.sign({ hash: keccak256('0x02') }))
  expect(hint).toContain("another plan's digest")
})

test.each<[string, () => Promise<Hex>]>([
  ['the digest’s bytes', () => signer.signMessage({ message: { raw: digest } })],
  ['the digest’s text', () => signer.signMessage({ message: digest })],
])('error: personal_sign over %s is recognised', async (_what, make) => {
  expect(await hintOf(await make())).toContain('personal_sign')
})

test('error: v of 0 or 1 recovers the signer, but is not the form that the wallet takes', async () => {
  const v = Number.parseInt(right.slice(-2), 16) - 27
  const hint = await hintOf(`${right.slice(0, -2)}0${v}`)
  expect(hint).toContain(signer.address)
  expect(hint).toContain('v must be 27 or 28')
})

test.each<[string, () => Promise<Hex>, string]>([
  [
    'keccak of the digest',
    () => signer.sign({ hash: keccak256(digest) }),
    'keccak256 of the digest',
  ],
  ['its text', () => signer.sign({ hash: keccak256(stringToHex(digest)) }), "the digest's text"],
  [
    'its text without 0x',
    () => signer.sign({ hash: keccak256(stringToHex(digest.slice(2))) }),
    "the digest's text",
  ],
])('error: a signature over %s is recognised', async (_what, make, hint) => {
  expect(await hintOf(await make())).toContain(hint)
})

const [r, s, v] = [right.slice(2, 66), right.slice(66, 130), right.slice(130)]
test.each([
  ['v, r, s', `0x${v}${r}${s}`],
  ['s, r, v', `0x${s}${r}${v}`],
  ['v, s, r', `0x${v}${s}${r}`],
])('error: the order %s is recognised', async (order, signature) => {
  expect(await hintOf(signature)).toBe(`r, s and v are in another order (${order}); send r, s, v`)
})

test('error: 0X', async () => {
  expect(await hintOf(`0X${right.slice(2)}`)).toBe('the signature begins with 0X; write 0x')
})
