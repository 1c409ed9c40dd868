import { concat, type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { buildTree, type Entitlement } from './updater.js'

const reward = '0x00000000000000000000000000000000000000ee'
const entitlements = Array.from(
  { length: 9 },
  (_, i): Entitlement => ({
    account: `0x${(i + 1).toString(16).padStart(40, '0')}`,
    reward,
    claimable: BigInt(i) * 10n,
  }),
)

/** Walks a proof as the distributor does: it hashes each pair in ascending order. */
const rootFrom = (leaf: Hex, proof: readonly Hex[]): Hex =>
  proof.reduce((node, sibling) => keccak256(concat([node, sibling].sort() as [Hex, Hex])), leaf)

test('default: each entitlement has a proof of the root, for any number and order of entitlements', () => {
  for (let size = 1; size <= entitlements.length; size++) {
    const some = entitlements.slice(0, size)
    const { root, proof } = buildTree(some.toReversed())
    expect(buildTree(some).root).toBe(root)
    for (const entitlement of some) {
      const leaf = buildTree([entitlement]).root
      expect(rootFrom(leaf, proof(entitlement)!), `${size}`).toBe(root)
    }
  }
})

test('error: no proof for an entitlement outside the tree', () => {
  const [first, ...others] = entitlements
  expect(buildTree(others).proof(first!)).toBeUndefined()
  expect(buildTree(entitlements).proof({ ...first!, claimable: 1n })).toBeUndefined()
})
