import type { Hex } from 'viem'
import { keccak256 } from 'viem/utils'
import { expect, test } from 'vitest'
import { networks } from '../../../deployments/networks.js'
import { nonceSecret, operationNonce } from './nonce.js'

const wallet = '0x2222222222222222222222222222222222222222'
const other = '0xAbCdEf0000000000000000000000000000000001'

test('default: 32 bytes that depend on chain, wallet and count', () => {
  const all = networks.flatMap(({ chainId }) =>
    [wallet, other].flatMap((of) =>
      [0, 1, 10, 11, 255, 256, 257].map((n) => nonceSecret(chainId, of as typeof wallet, n)),
    ),
  )
  expect(new Set(all).size).toBe(all.length)
  for (const nonce of all) expect(nonce).toMatch(/^0x[0-9a-f]{64}$/)
})

test('behavior: the casing of the wallet does not matter', () => {
  expect(nonceSecret(1, other, 3)).toBe(nonceSecret(1, other.toLowerCase() as typeof other, 3))
})

test('behavior: further operations have the hashes of the secret, with its last byte', () => {
  const secret = nonceSecret(1, wallet, 7)
  const hash = keccak256(`${secret.slice(0, -2)}00` as Hex)
  expect(operationNonce(secret, 0)).toBe(secret)
  expect(operationNonce(secret, 1)).toBe(`${hash.slice(0, -2)}07`)
  expect(operationNonce(secret, 2)).toBe(
    `${keccak256(`${hash.slice(0, -2)}00` as Hex).slice(0, -2)}07`,
  )
})

test.each([0, 1, 2])(
  'behavior: 256 plans in a row share all but the last byte, operation %i',
  (index) => {
    const starts = Array.from({ length: 512 }, (_, count) =>
      operationNonce(nonceSecret(1, wallet, count), index).slice(0, -2),
    )
    expect(new Set(starts.slice(0, 256)).size).toBe(1)
    expect(new Set(starts.slice(256)).size).toBe(1)
    expect(starts[0]).not.toBe(starts[256])
  },
)
