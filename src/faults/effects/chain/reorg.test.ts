import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actors } from '../../../chain/deployments/actors.js'
import type { Node, Nodes } from '../../../chain/node/node.js'
import { startNodes } from '../../../chain/node/nodes.js'
import { sendAs } from '../../../chain/node/send.js'
import type { CallEffect, ConfirmedCall, FaultTools, RuleHandle } from '../../effect.js'
import { reorg } from './reorg.js'

let nodes: Nodes
let node: Node

const receiver: Address = '0x00000000000000000000000000000000000000e1'

beforeAll(async () => {
  nodes = await startNodes({ networks: ['optimism'] })
  node = nodes.get('optimism')
})

afterAll(() => nodes.stop())

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
  const rechecked: string[] = []
  const tools = {
    nodes: { ...nodes, get: () => late },
    rule: { id: 'fault_1' } as RuleHandle,
    recheck: async (network: string) => void rechecked.push(network),
  } as unknown as FaultTools & { rule: RuleHandle }
  const call: ConfirmedCall = { facts: {}, network: 'optimism', hash }
  const { apply } = reorg as CallEffect<'chain.confirmed'>
  await apply({ depth: 1, keep: false }, call, async () => undefined, tools)
  expect(await node.rpc.request('eth_getTransactionReceipt', [hash])).toBeNull()
  expect(rechecked).toEqual(['optimism'])
})
