import { encodeFunctionData, type Hex, pad, toHex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lendNode } from '../../../test/kit/nodes.js'
import { createFaucet } from '../../chain/funds/faucet.js'
import type { WorldNode } from '../../chain/genesis/anvil.js'
import type { Nodes } from '../../chain/rpc/node.js'
import { createNetworkStateReader } from '../../chain/state/networkState.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { rewardsDistributorAbi } from '../../generated/abis.js'
import { createRewardsUpdater, postingInterval, type RewardsUpdater } from './updater.js'

/** The updater on the offline world's base, whose rewards are granted: no amount depends on the time. */
const book = loadAddressBook()
const reader = createNetworkStateReader(book.on('base'))
const { distributor } = book.on('base').morphoRewards!
const [alice, bob, carol] = [1n, 2n, 3n].map((key) => pad(toHex(0xa11ce0n + key), { size: 20 }))
let node: WorldNode
let updater: RewardsUpdater

beforeEach(async () => {
  node = await lendNode('base')
  const nodes: Nodes = { get: () => node, all: () => [node], stop: () => node.stop() }
  updater = createRewardsUpdater({ nodes, book, faucet: createFaucet(nodes, book) })
})
afterEach(() => node.stop())

const grant = (address = alice!, amount = 10n) =>
  updater.grant({ address, asset: 'MORPHO', amount, network: 'base' })

const read = (wallet = alice!) => reader.read(node, wallet, { protocols: ['morphoRewards'] })
const claim = async (wallet = alice!) => updater.claim(await read(wallet), wallet)

/** How many roots have been posted. */
async function posted(): Promise<number> {
  const logs = await node.rpc.request<{ topics: string[] }[]>('eth_getLogs', [
    { address: distributor, fromBlock: '0x0', toBlock: 'latest' },
  ])
  return logs.length
}

test('default: a wallet that is due of something gets a root; one that is not gets none', async () => {
  expect(await claim()).toBeUndefined()
  expect(await posted()).toBe(0)
  expect(await grant()).toEqual({ address: alice, asset: 'MORPHO', network: 'base', owed: 10n })
  expect(await posted()).toBe(0)
  expect(await claim()).toMatchObject({ claimable: 10n, claimed: 0n, distributor })
  expect(await claim()).toMatchObject({ claimable: 10n })
  expect(await posted()).toBe(1)
})

test('behavior: wallets that ask at once share a root', async () => {
  const wallets = [alice!, bob!, carol!]
  for (const wallet of wallets) await grant(wallet)
  const states = await Promise.all(wallets.map((wallet) => read(wallet)))
  const claims = await Promise.all(wallets.map((wallet, i) => updater.claim(states[i]!, wallet)))
  expect(claims).toMatchObject(wallets.map(() => ({ claimable: 10n })))
  expect(await posted()).toBe(1)
})

test('behavior: a wallet that asks while a root without it is being posted gets the next one', async () => {
  // It was granted something by a process before this one, so this updater does not know of it yet.
  const nodes: Nodes = { get: () => node, all: () => [node], stop: () => node.stop() }
  const before = createRewardsUpdater({ nodes, book, faucet: createFaucet(nodes, book) })
  await before.grant({ address: bob!, asset: 'MORPHO', amount: 20n, network: 'base' })
  await grant(alice)
  const states = [await read(alice), await read(bob)]
  expect(
    await Promise.all([updater.claim(states[0]!, alice!), updater.claim(states[1]!, bob!)]),
  ).toMatchObject([{ claimable: 10n }, { claimable: 20n }])
  expect(await posted()).toBe(2)
  // Both are in it.
  expect([await claim(alice), await claim(bob)]).toMatchObject([
    { claimable: 10n },
    { claimable: 20n },
  ])
  expect(await posted()).toBe(2)
})

test('behavior: a chain that went back gets its root anew, also by another updater', async () => {
  await grant()
  const start = await node.rpc.request<string>('evm_snapshot')
  const first = await claim()
  // As a restore does it: the node may not have taken the mined root out of its pool yet, and would show it as pending.
  await node.rpc.request('anvil_dropAllTransactions')
  await node.rpc.request('evm_revert', [start])
  expect(await posted()).toBe(0)
  expect(await claim()).toMatchObject({ claimable: first!.claimable })
  expect(await posted()).toBe(1)

  const nodes: Nodes = { get: () => node, all: () => [node], stop: () => node.stop() }
  const other = createRewardsUpdater({ nodes, book, faucet: createFaucet(nodes, book) })
  const again = await other.claim(await read(), alice!)
  expect(again).toMatchObject({ claimable: 10n })
  // Within the same second it is the very root that is posted, and a distributor refuses that one; either way it is good.
  const data = encodeFunctionData({
    abi: rewardsDistributorAbi,
    functionName: 'claim',
    args: [alice!, again!.token, 10n, again!.proof],
  })
  const paid = await node.rpc.request<Hex>('eth_call', [{ to: distributor, data }, 'latest'])
  expect(BigInt(paid)).toBe(10n)
})

test('behavior: what is remembered can be saved and put back', async () => {
  await grant()
  await claim()
  const saved = updater.save()
  await grant(bob)
  await claim(bob)
  await node.rpc.request('evm_increaseTime', [Number(postingInterval)])
  updater.restore(saved)
  // Its newest root is not the chain's any more, so there is another one.
  const before = await posted()
  expect(await claim()).toMatchObject({ claimable: 10n })
  expect(await posted()).toBe(before + 1)
  expect(saved.wallets.has(bob!)).toBe(false)
})

test('behavior: where no block comes, what the last root proves is what can be claimed', async () => {
  await grant(alice)
  const first = await read(alice)
  await node.rpc.request('evm_setAutomine', [false])
  expect(await updater.claim(first, alice!)).toBeUndefined()
  await expect(grant(alice)).rejects.toThrow(/base network mines no blocks.*nothing was granted/)
  await node.rpc.request('evm_setAutomine', [true])
  expect(await updater.claim(first, alice!)).toMatchObject({ claimable: 10n })
})
