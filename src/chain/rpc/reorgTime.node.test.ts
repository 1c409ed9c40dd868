import type { Address, Hex } from 'viem'
import { toHex } from 'viem/utils'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { actors } from '../../deployments/actors.js'
import { startNodes } from '../process/nodes.js'
import { sendAs } from '../transactions/send.js'
import { setChainTimes } from '../transactions/time.js'
import type { Node, Nodes } from './node.js'
import { nodeRequest } from './pipeline.js'

let nodes: Nodes
let node: Node
/** In seconds, and later than what any test before it has left. */
let start = Date.parse('2040-01-01T00:00:00Z') / 1000

beforeAll(async () => {
  nodes = await startNodes({ networks: ['optimism', 'base'] })
  node = nodes.get('optimism')
})
beforeEach(async () => {
  start += 86_400
  await setTo('frozen', 0)
})
afterAll(() => nodes.stop())

const receiver: Address = '0x00000000000000000000000000000000000000e1'
const ask = <T>(method: string, ...params: unknown[]) => node.rpc.request<T>(method, params)
/** The service has reverted to its own snapshots alone, and sets the time by itself. */
async function asClient(method: string, ...params: unknown[]): Promise<unknown> {
  return (await node.pipeline!.send(nodeRequest(node.network, 'client', method, params))).result
}
const mine = () => ask('evm_mine')
const setTo = (mode: 'frozen' | 'real', seconds: number) =>
  setChainTimes(nodes, { mode, ms: (start + seconds) * 1000 })

interface Block {
  number: Hex
  hash: Hex
  timestamp: Hex
  transactions: Hex[]
}
const block = async (which: string): Promise<Block> =>
  (await ask<Block | null>('eth_getBlockByNumber', which, false))!
const seconds = async (which: string): Promise<number> =>
  Number((await block(which)).timestamp) - start

/** The last blocks, the earliest first. */
async function last(count: number): Promise<Block[]> {
  const latest = Number((await block('latest')).number)
  return Promise.all(Array.from({ length: count }, (_, i) => block(toHex(latest - count + 1 + i))))
}
const timesOf = (blocks: Block[]): number[] =>
  blocks.map(({ timestamp }) => Number(timestamp) - start)

test('default: a node in memory has these steps', () => {
  expect(node.pipeline?.names).toEqual(['fault', 'cache', 'gate', 'time'])
})

/** On a busy machine two that tick apart differ by some seconds; time that was taken back is a hundred or more. */
const apart = 30

/** The network has the time of the other one, of which nothing is taken back. */
async function expectOnTime(which: 'pending' | 'latest' = 'pending'): Promise<void> {
  const other = nodes.get('base').rpc
  const there = async () => {
    const { timestamp } = await other.request<Block>('eth_getBlockByNumber', ['pending', false])
    return Number(timestamp) - start
  }
  const before = which === 'latest' ? 100 : (await there()) - apart
  const here = await seconds(which)
  expect(here).toBeGreaterThanOrEqual(before)
  expect(here).toBeLessThanOrEqual((await there()) + apart)
}

/** Blocks of these seconds, in each a transaction that the node takes again: by its hash. */
async function blocksAt(...times: number[]): Promise<Hex[]> {
  const hashes: Hex[] = []
  for (const time of times) {
    // Each time of the clock has a block of its own besides; nothing is mined for it here.
    await ask('evm_setTime', start + time)
    const { transactionHash } = await sendAs(node, {
      from: actors.relayer,
      to: receiver,
      value: BigInt(time + 1),
    })
    hashes.push(transactionHash)
  }
  return hashes
}

/** A transaction as `anvil_reorg` takes it, so that it has the same hash again. */
const again = (hash: Hex): Promise<Hex> => ask<Hex>('eth_getRawTransactionByHash', hash)

const ways: [string, () => Promise<() => Promise<unknown>>][] = [
  ['anvil_rollback', async () => () => ask('anvil_rollback', 2)],
  ['anvil_reorg', async () => () => ask('anvil_reorg', 2, [])],
  [
    'evm_revert',
    async () => {
      const id = await ask('evm_snapshot')
      return () => asClient('evm_revert', id)
    },
  ],
]

test.each(ways)(
  'default: frozen, the block after %s has the second of the clock',
  async (_, way) => {
    const takeBack = await way()
    await mine()
    await setTo('frozen', 100)
    await takeBack()
    expect(await seconds('pending')).toBe(100)
    await mine()
    await mine()
    expect(timesOf(await last(2))).toEqual([100, 100])
    await setTo('frozen', 130)
    expect(await seconds('latest')).toBe(130)
  },
)

test.each(ways)('default: running, the chain ticks on from the clock after %s', async (_, way) => {
  const takeBack = await way()
  await mine()
  await setTo('real', 100)
  await takeBack()
  await expectOnTime()
  await mine()
  await expectOnTime('latest')
  const first = await seconds('pending')
  while ((await seconds('pending')) === first);
  await expectOnTime()
  // And once more.
  const id = await ask('evm_snapshot')
  await setTo('real', 300)
  await asClient('evm_revert', id)
  await expectOnTime()
})

test.each(['frozen', 'real'] as const)(
  'behavior: %s, the blocks of a reorganisation have the times of those that they replace, and are others',
  async (mode) => {
    const hashes = await blocksAt(0, 0, 7, 7, 7, 8, 40)
    await setTo(mode, 60)
    const old = await last(8)
    const pairs = await Promise.all(hashes.map(async (hash, at) => [await again(hash), at]))
    await ask('anvil_autoImpersonateAccount', true)
    await ask('anvil_reorg', 8, pairs)
    await ask('anvil_autoImpersonateAccount', false)
    const made = await last(8)
    expect(timesOf(made)).toEqual([0, 0, 7, 7, 7, 8, 40, expect.any(Number)])
    expect(timesOf(made)).toEqual(timesOf(old))
    expect(made.map(({ transactions }) => transactions)).toEqual(
      old.map(({ transactions }) => transactions),
    )
    for (const [i, { hash }] of made.entries()) expect(hash).not.toBe(old[i]!.hash)
    for (const hash of hashes)
      expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    expect(await seconds('pending')).toBeGreaterThanOrEqual(60)
    // As before: the miner, and how time goes.
    expect(Number(await ask('eth_coinbase'))).toBe(0)
    await setTo(mode, 90)
    await mine()
    expect(await seconds('latest')).toBeGreaterThanOrEqual(90)
  },
)

test('behavior: empty blocks are replaced by others too, again and again, as deep as states are kept', async () => {
  for (let time = 1; time <= 40; time++) {
    await ask('evm_setTime', start + time)
    await mine()
  }
  const all = new Set<Hex>()
  for (const depth of [30, 3, 1]) {
    const old = await last(depth)
    await ask('anvil_reorg', depth, [])
    const made = await last(depth)
    expect(timesOf(made)).toEqual(timesOf(old))
    for (const { hash } of [...old, ...made]) all.add(hash)
    expect(await seconds('pending')).toBe(40)
  }
  // Each time all of them are new.
  expect(all.size).toBe(30 + 30 + 3 + 1)
})

test('behavior: a jump of one chain ends with the blocks that are taken back, but none is earlier than its parent', async () => {
  await setTo('real', 0)
  const id = await ask('evm_snapshot')
  await ask('evm_increaseTime', 5_000)
  await mine()
  const ahead = await ask('evm_snapshot')
  await mine()
  await asClient('evm_revert', ahead)
  expect(await seconds('pending')).toBeGreaterThanOrEqual(5_000)
  await asClient('evm_revert', id)
  await expectOnTime()
})

test('error: what the node refuses changes neither chain nor time', async () => {
  await setTo('real', 5)
  await ask('evm_increaseTime', 5_000)
  await mine()
  await ask('evm_increaseTime', 5_000)
  const before = await block('latest')
  const height = Number(before.number)
  for (const [method, ...params] of [
    ['anvil_rollback', height + 1],
    ['anvil_reorg', height + 1, []],
    ['anvil_reorg', 1, [[{ from: receiver, to: receiver }, 7]]],
    ['anvil_reorg', 1, ['0x']],
    ['anvil_reorg', '1'],
  ] as const)
    await expect(ask(method, ...params)).rejects.toThrow()
  expect(await asClient('evm_revert', '0x9999')).toBe(false)
  expect(await block('latest')).toEqual(before)
  expect(await seconds('pending')).toBeGreaterThanOrEqual(10_000)
  await mine()
  expect(await seconds('latest')).toBeGreaterThanOrEqual(10_000)
})
