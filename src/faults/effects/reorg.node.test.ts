import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startNodes } from '../../chain/process/nodes.js'
import type { Node, Nodes } from '../../chain/rpc/node.js'
import { sendAs } from '../../chain/transactions/send.js'
import { actors } from '../../deployments/actors.js'
import type { CallEffect, ConfirmedCall, FaultTools, RuleHandle } from '../rules/effect.js'
import { chainEffects } from './chain.js'

let nodes: Nodes
let node: Node

const receiver: Address = '0x00000000000000000000000000000000000000e1'

beforeAll(async () => {
  nodes = await startNodes({ networks: ['optimism'] })
  node = nodes.get('optimism')
})

afterAll(() => nodes.stop())

/** Has the fault replace the block of a transaction; resolves to the networks that were looked at again. */
async function replace(
  hash: Hex,
  { depth, on = node }: { depth: number; on?: Node },
): Promise<string[]> {
  const rechecked: string[] = []
  const recorded: unknown[] = []
  const tools = {
    nodes: { ...nodes, get: () => on },
    rule: { id: 'fault_1' } as RuleHandle,
    recheck: async (network: string) => void rechecked.push(network),
    ledger: { add: (change: unknown) => void recorded.push(change) },
    fired() {},
  } as unknown as FaultTools & { rule: RuleHandle; fired(): void }
  const call: ConfirmedCall = { facts: {}, network: 'optimism', hash }
  const reorg = chainEffects.find(({ name }) => name === 'reorg')
  const { apply } = reorg as CallEffect<'chain.confirmed'>
  await apply({ depth, keep: false }, call, async () => undefined, tools)
  // Plans that go stale by it name it; where nothing was replaced there is nothing to name.
  expect(recorded).toMatchObject(
    rechecked.map((network) => ({ by: 'reorganisation', network, rule: 'fault_1' })),
  )
  return rechecked
}

// For a moment after a transaction was mined the node still has it in its pool too (anvil 1.7.1, on a busy machine), and says so.
test('behavior: a transaction that the node still tells of as waiting falls out all the same', async () => {
  const { transactionHash: hash } = await sendAs(node, {
    from: actors.relayer,
    to: receiver,
    value: 5n,
  })
  const request: Node['rpc']['request'] = async (method, params) => {
    const answer = await node.rpc.request<never>(method, params)
    const waits = { ...(answer as object), blockHash: null, blockNumber: null }
    return method === 'eth_getTransactionByHash' ? (waits as never) : answer
  }
  const late: Node = { ...node, rpc: { ...node.rpc, request } }
  expect(await replace(hash, { depth: 1, on: late })).toEqual(['optimism'])
  expect(await node.rpc.request('eth_getTransactionReceipt', [hash])).toBeNull()
  const block = await node.rpc.request<{ transactions: object[] }>('eth_getBlockByNumber', [
    'latest',
    true,
  ])
  const stead = { from: actors.relayer, to: actors.relayer, input: '0x', nonce: '0x0' }
  expect(block.transactions).toMatchObject([stead])
  // What has taken its place is signed as well.
  expect(block.transactions).not.toMatchObject([{ r: '0x0' }])
})

test('behavior: as often and as deep as one likes, down to what the node has kept: the transaction falls out each time', async () => {
  const { rpc } = node
  // Of different times: blocks in their place cost the node the most.
  for (let i = 0; i < 40; i++) {
    await rpc.request('evm_increaseTime', [i % 3])
    await rpc.request('evm_mine')
  }
  const request = { from: actors.relayer, to: receiver, value: 5n }
  for (let i = 0; i < 6; i++) {
    const { transactionHash: hash } = await sendAs(node, request)
    expect(await replace(hash, { depth: 30 })).toEqual(['optimism'])
    expect(await rpc.request('eth_getTransactionReceipt', [hash])).toBeNull()
  }
})

test('behavior: snapshots that cannot be returned to any more do not keep blocks from being replaced; one that can does', async () => {
  const { rpc } = node
  const send = () => sendAs(node, { from: actors.relayer, to: receiver, value: 5n })
  const snapshot = () => rpc.request<Hex>('evm_snapshot')
  // Ended by the revert to an older one: of the block that is replaced, and of one that is not there any more.
  const first = await send()
  const older = await snapshot()
  await snapshot()
  await rpc.request('anvil_mine', ['0x14'])
  await snapshot()
  expect(await rpc.request('evm_revert', [older])).toBe(true)
  expect(await replace(first.transactionHash, { depth: 1 })).toEqual(['optimism'])
  // Its block was taken back.
  await rpc.request('anvil_mine', ['0x5'])
  await snapshot()
  await rpc.request('anvil_rollback', [5])
  const second = await send()
  expect(await replace(second.transactionHash, { depth: 1 })).toEqual(['optimism'])
  const third = await send()
  await snapshot()
  expect(await replace(third.transactionHash, { depth: 1 })).toEqual([])
  expect(await rpc.request('eth_getTransactionReceipt', [third.transactionHash])).not.toBeNull()
})
