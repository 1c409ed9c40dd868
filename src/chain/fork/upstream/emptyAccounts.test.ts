import type { Address, Hex } from 'viem'
import { concat, keccak256, pad, toHex } from 'viem/utils'
import { expect, test } from 'vitest'
import { pathsIn, pathText, slotAt } from './emptyAccounts.js'

const contract: Address = '0x00000000000000000000000000000000000000aa'
const template: Address = '0x1111111111111111111111111111111111111111'
const other: Address = '0x2222222222222222222222222222222222222222'
const id: Hex = `0x${'77'.repeat(32)}`

const word = (value: number): Hex => toHex(value, { size: 32 })
const plain = (hex: Hex): string => hex.slice(2)
const hashed = (...parts: Hex[]): string => `k${plain(concat(parts))}`
const used = (slot: bigint): string => `s${contract}${slot.toString(16)}`
const hashOf = (...parts: Hex[]): bigint => BigInt(keccak256(concat(parts)))

/** The only slot to which a trace's path leads for another account. */
function slotFor(account: Address, trace: readonly string[]): Hex {
  const paths = pathsIn(trace, template)
  expect(paths).toHaveLength(1)
  expect(paths[0]!.contract).toBe(contract)
  return slotAt(paths[0]!, account)
}

test('default: a mapping by account, as Solidity and as Vyper lay it out, and a field behind it', () => {
  const solidity = (account: Address) => [pad(account), word(5)] as const
  const vyper = (account: Address) => [word(5), pad(account)] as const
  for (const key of [solidity, vyper])
    for (const plus of [0n, 3n]) {
      const slot = hashOf(...key(template)) + plus
      expect(slotFor(other, [hashed(...key(template)), used(slot)])).toBe(
        toHex(hashOf(...key(other)) + plus, { size: 32 }),
      )
    }
})

test('behavior: a mapping in a mapping, with the account in the outer or the inner one, and a mapping in a struct', () => {
  const inner = (account: Address) => {
    const outer = keccak256(concat([id, word(2)]))
    return { trace: [id, word(2)] as const, key: [pad(account), outer] as const }
  }
  const { trace, key } = inner(template)
  expect(slotFor(other, [hashed(...trace), hashed(...key), used(hashOf(...key))])).toBe(
    toHex(hashOf(...inner(other).key), { size: 32 }),
  )
  const deep = (account: Address) => {
    const first = [pad(account), word(1)] as const
    // The mapping is the third field of a struct.
    const second = [id, toHex(hashOf(...first) + 2n, { size: 32 })] as const
    return { first, second }
  }
  const { first, second } = deep(template)
  const slot = hashOf(...second) + 1n
  expect(slotFor(other, [hashed(...first), hashed(...second), used(slot)])).toBe(
    toHex(hashOf(...deep(other).second) + 1n, { size: 32 }),
  )
})

test('behavior: an account on both sides, and packed without padding', () => {
  const both = (account: Address) => {
    const first = [pad(account), word(1)] as const
    return { first, second: [pad(account), toHex(hashOf(...first), { size: 32 })] as const }
  }
  const { first, second } = both(template)
  expect(slotFor(other, [hashed(...first), hashed(...second), used(hashOf(...second))])).toBe(
    toHex(hashOf(...both(other).second), { size: 32 }),
  )
  const packed = (account: Address) => [account, '0x0102'] as const
  expect(slotFor(other, [hashed(...packed(template)), used(hashOf(...packed(template)))])).toBe(
    toHex(hashOf(...packed(other)), { size: 32 }),
  )
})

test('behavior: what does not depend on the account is no path, and equal ones are one', () => {
  const key = [pad(template), word(5)] as const
  const elsewhere = [pad(other), word(5)] as const
  const trace = [
    hashed(...elsewhere),
    used(hashOf(...elsewhere)),
    used(7n),
    hashed(...key),
    used(hashOf(...key)),
    used(hashOf(...key)),
    // Too far behind it.
    used(hashOf(...key) + 5_000n),
  ]
  const paths = pathsIn([...trace, ...trace], template)
  expect(paths.map(pathText)).toEqual([`${contract} ${'0'.repeat(24)}{a}${plain(word(5))} 0`])
})
