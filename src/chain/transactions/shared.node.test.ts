import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actors } from '../../deployments/actors.js'
import { startNodes } from '../process/nodes.js'
import type { Node, Nodes, Receipt, SendRequest } from '../rpc/node.js'
import { nodeRequest } from '../rpc/pipeline.js'
import { RpcError } from '../rpc/rpc.js'
import { StoppedError } from './pool.js'
import { revertDataOf, sendForReceipt } from './send.js'

/** Transactions that wait at the same moment, on a node whose time runs. */

let nodes: Nodes
let node: Node

/** Code that reverts with the 32-byte word 42. */
const reverter: Address = '0x00000000000000000000000000000000000000d1'
/** Code that leaves an empty log. */
const loud: Address = '0x00000000000000000000000000000000000000d3'
const receiver: Address = '0x00000000000000000000000000000000000000e1'
const poor: Address = '0x00000000000000000000000000000000000000f1'

beforeAll(async () => {
  nodes = await startNodes({ networks: ['optimism'] })
  node = nodes.get('optimism')
  await ask('anvil_setCode', reverter, '0x602a5f5260205ffd')
  await ask('anvil_setCode', loud, '0x5f5fa0')
  await ask('anvil_impersonateAccount', poor)
  await send()
})
afterAll(() => nodes.stop())

const ask = <T = Hex>(method: string, ...params: unknown[]) => node.rpc.request<T>(method, params)
const send = (request: Partial<SendRequest> = {}, signal?: AbortSignal) =>
  sendForReceipt(node, { from: actors.relayer, to: receiver, value: 1n, ...request }, signal)

type Placed = Receipt & { transactionIndex: Hex }

/** Block, counted from the first one's, and place in it. */
function placesOf(receipts: readonly Receipt[]): [block: number, index: number][] {
  const first = Number(receipts[0]!.blockNumber)
  return receipts.map((each) => [
    Number(each.blockNumber) - first,
    Number((each as Placed).transactionIndex),
  ])
}

test('default: those that wait share blocks of at most 24, in the order in which they came', async () => {
  const nonce = Number(await ask('eth_getTransactionCount', actors.relayer, 'latest'))
  const receipts = await Promise.all(
    Array.from({ length: 50 }, (_, i) => send({ from: i % 2 ? actors.admin : actors.relayer })),
  )
  expect(placesOf(receipts)).toEqual(
    Array.from({ length: 50 }, (_, i) => [Math.floor(i / 24), i % 24]),
  )
  expect(Number(await ask('eth_getTransactionCount', actors.relayer, 'latest'))).toBe(nonce + 25)
  expect(await ask('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  expect(await ask('anvil_getAutomine')).toBe(true)
})

test('default: one that comes alone is mined alone, and so are all on a frozen clock', async () => {
  const one = [await send(), await send(), await send()]
  expect(placesOf(one)).toEqual([0, 1, 2].map((block) => [block, 0]))
  await ask('anvil_setBlockTimestampInterval', 0)
  const frozen = await Promise.all([send(), send(), send()])
  await ask('anvil_removeBlockTimestampInterval')
  expect(placesOf(frozen)).toEqual([0, 1, 2].map((block) => [block, 0]))
})

test('behavior: receipts, logs, transactions and traces are right for each', async () => {
  const receipts = (await Promise.all(
    [loud, reverter, loud].map((to) => send({ to, value: 0n })),
  )) as Placed[]
  const [first] = receipts
  const hashes = receipts.map(({ transactionHash }) => transactionHash)
  expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x0', '0x1'])
  expect(await ask('eth_getBlockByNumber', first!.blockNumber, false)).toMatchObject({
    transactions: hashes,
  })
  const logs = await ask<object[]>('eth_getLogs', { blockHash: first!.logs[0]!.blockHash })
  expect(logs).toMatchObject([
    { transactionHash: hashes[0], transactionIndex: '0x0', logIndex: '0x0' },
    { transactionHash: hashes[2], transactionIndex: '0x2', logIndex: '0x1' },
  ])
  for (const [i, hash] of hashes.entries()) {
    const [receipt, transaction] = await Promise.all([
      ask('eth_getTransactionReceipt', hash),
      ask('eth_getTransactionByHash', hash),
    ])
    const place = { blockNumber: first!.blockNumber, transactionIndex: `0x${i}` }
    expect(receipt).toEqual(receipts[i])
    expect(transaction).toMatchObject({ hash, ...place })
  }
  expect(await revertDataOf(node, receipts[1]!)).toBe(`0x${'2a'.padStart(64, '0')}`)
})

test('behavior: those that cannot wait go first, and one with a block for itself keeps it', async () => {
  const turn = send()
  const [fresh, due, own] = [send({ canWait: true }), send(), send({ alone: true })]
  const receipts = await Promise.all([turn, due, fresh, own])
  expect(placesOf(receipts)).toEqual([...[0, 1, 2].map((index) => [0, index]), [1, 0]])
})

test('behavior: one that is refused, and one that is given up, leave the others as they are', async () => {
  const stop = new AbortController()
  const before = BigInt(await ask('eth_getBalance', receiver, 'latest'))
  const all = [send(), send({ from: poor }), send({}, stop.signal), send()]
  stop.abort()
  const [first, refused, givenUp, last] = await Promise.allSettled(all)
  expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(RpcError) })
  expect(givenUp).toMatchObject({ status: 'rejected', reason: expect.any(StoppedError) })
  const receipts = [first, last].map((each) => (each as PromiseFulfilledResult<Receipt>).value)
  expect(placesOf(receipts)).toEqual([
    [0, 0],
    [0, 1],
  ])
  expect(BigInt(await ask('eth_getBalance', receiver, 'latest'))).toBe(before + 2n)
})

test('behavior: a question about the mining mode waits for the shared block, and the answer is that the node mines', async () => {
  const sending = Promise.all(Array.from({ length: 200 }, () => send()))
  const answers: boolean[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) answers.push(await ask<boolean>('anvil_getAutomine'))
  })()
  await sending
  isOver = true
  await asking
  expect(answers.length).toBeGreaterThan(1)
  expect(answers).not.toContain(false)
})

test('behavior: a client that stops the mining meanwhile has it stopped afterwards, and nothing is sent twice', async () => {
  const before = BigInt(await ask('eth_getBalance', receiver, 'latest'))
  const sends = Array.from({ length: 60 }, () => send())
  await sends[0]
  await ask('evm_setAutomine', false)
  expect(await ask('anvil_getAutomine')).toBe(false)
  await ask('evm_setAutomine', true)
  await ask('evm_mine')
  await Promise.all(sends)
  expect(BigInt(await ask('eth_getBalance', receiver, 'latest'))).toBe(before + 60n)
})

test('behavior: a snapshot is of before or after a shared block, and so is what comes after a revert to it', async () => {
  const before = BigInt(await ask('eth_getBalance', receiver, 'latest'))
  const sends = Promise.all(Array.from({ length: 24 }, () => send()))
  const snapshot = await ask('evm_snapshot')
  await sends
  expect(await ask('evm_revert', snapshot)).toBe(true)
  const there = BigInt(await ask('eth_getBalance', receiver, 'latest')) - before
  expect([0n, 24n]).toContain(there)
  expect(await ask('anvil_getAutomine')).toBe(true)
  expect(placesOf([await send()])).toEqual([[0, 0]])
})

test('error: who asks for a shared block over RPC is refused', async () => {
  const request = nodeRequest('optimism', 'client', 'svcsim_sendTransactionsSync', [])
  expect(await node.pipeline!.send(request)).toMatchObject({ error: { code: -32602 } })
})
