import type { Address, Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTree } from '../../../src/service/rewards/updater.js'
import {
  admin,
  alice,
  bob,
  type Contract,
  carol,
  startTestChain,
  type TestChain,
} from '../testChain.js'

/** The distributor with ten thousand reward tokens, and a tree of what alice, bob and the distributor's admin are due. */
let chain: TestChain
let reward: Contract
let distributor: Contract

const none: Hex = `0x${'00'.repeat(32)}`
const due = (account: Address, claimable: bigint) => ({
  account,
  reward: reward.address,
  claimable,
})

beforeEach(async () => {
  chain = await startTestChain()
  reward = await chain.deploy('Token', ['Morpho', 'MORPHO', 18, admin])
  distributor = await chain.deploy('RewardsDistributor', [admin])
  await reward.send('mint', [distributor.address, 10_000n])
})
afterEach(() => chain.stop())

async function post(...leaves: ReturnType<typeof due>[]) {
  const tree = buildTree(leaves)
  await distributor.send('setRoot', [tree.root, none])
  return tree
}

function claimOf(tree: ReturnType<typeof buildTree>, leaf: ReturnType<typeof due>): unknown[] {
  return [leaf.account, leaf.reward, leaf.claimable, tree.proof(leaf)!]
}

test('default: trees of every small size pay each of their leaves', async () => {
  for (let size = 1; size <= 9; size++) {
    const leaves = Array.from({ length: size }, (_, i) =>
      due(`0x${`${size}${i}`.padStart(40, '0')}` as Address, BigInt(100 + i)),
    )
    const tree = await post(...leaves)
    expect(await distributor.read<Hex>('root')).toBe(tree.root)
    for (const leaf of leaves) {
      await distributor.send('claim', claimOf(tree, leaf))
      expect(await reward.read('balanceOf', [leaf.account])).toBe(leaf.claimable)
    }
  }
})

test('behavior: the order of the entitlements does not matter', () => {
  const leaves = [due(alice, 1n), due(bob, 2n), due(carol, 3n)]
  expect(buildTree(leaves.toReversed()).root).toBe(buildTree(leaves).root)
  expect(buildTree(leaves).proof(due(alice, 2n))).toBeUndefined()
})

test('behavior: of a greater entitlement only what is new is paid, whoever calls', async () => {
  const first = await post(due(alice, 1_000n), due(bob, 5n))
  const receipt = await distributor.send('claim', claimOf(first, due(alice, 1_000n)), { from: bob })
  expect(distributor.events(receipt)).toEqual([
    {
      eventName: 'Claimed',
      args: { account: alice, reward: reward.address, amount: 1_000n },
    },
  ])
  const second = await post(due(alice, 1_250n), due(bob, 5n))
  const claim = claimOf(second, due(alice, 1_250n))
  expect(await distributor.read('claim', claim)).toBe(250n)
  await distributor.send('claim', claim)
  expect(await reward.read('balanceOf', [alice])).toBe(1_250n)
  expect(await distributor.read('claimed', [alice, reward.address])).toBe(1_250n)
})

test('behavior: a root that was posted before stays good, and pays nothing twice', async () => {
  const first = await post(due(alice, 1_000n), due(bob, 5n))
  const second = await post(due(alice, 1_250n), due(bob, 7n))
  await distributor.send('claim', claimOf(first, due(alice, 1_000n)))
  await distributor.send('claim', claimOf(second, due(alice, 1_250n)))
  expect(await reward.read('balanceOf', [alice])).toBe(1_250n)
  await distributor.send('claim', claimOf(second, due(bob, 7n)))
  expect(await distributor.failure('claim', claimOf(first, due(bob, 5n)))).toBe(
    'Error(claimable too low)',
  )
})

test('error: a wrong proof, account, token, amount, or a second claim pays nothing', async () => {
  const [mine, other] = [due(alice, 1_000n), due(bob, 5n)]
  const [third, fourth] = [due(carol, 6n), due(admin, 7n)]
  const tree = await post(mine, other, third, fourth)
  const proof = tree.proof(mine)!
  const wrong: [Address, Address, bigint, Hex[]][] = [
    [alice, reward.address, 1_000n, []],
    [alice, reward.address, 1_000n, proof.toReversed()],
    [alice, reward.address, 1_000n, tree.proof(other)!],
    [alice, reward.address, 1_000n, [...proof, none]],
    [alice, reward.address, 1_001n, proof],
    [alice, admin, 1_000n, proof],
    [bob, reward.address, 1_000n, proof],
  ]
  for (const [account, token, claimable, path] of wrong)
    expect(await distributor.failure('claim', [account, token, claimable, path])).toBe(
      'Error(invalid proof or expired)',
    )
  await distributor.send('claim', claimOf(tree, mine))
  expect(await distributor.failure('claim', claimOf(tree, mine))).toBe('Error(claimable too low)')
  expect(await reward.read('balanceOf', [distributor.address])).toBe(9_000n)
})

test('error: before the first root nothing can be claimed, and only the owner posts one', async () => {
  const tree = buildTree([due(alice, 1n), due(bob, 2n)])
  expect(await distributor.failure('claim', claimOf(tree, due(alice, 1n)))).toBe(
    'Error(root is not set)',
  )
  expect(await distributor.failure('setRoot', [tree.root, none], { from: alice })).toBe(
    'Error(caller has not the updater role)',
  )
})
