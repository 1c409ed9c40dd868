import type { Address, Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { lendNode } from '../../../test/kit/nodes.js'
import { actors } from '../../deployments/actors.js'
import type { WorldNode } from '../genesis/anvil.js'
import type { Node } from '../rpc/node.js'
import { NotMinedError, pooledHash, receiptOf, receiptOfPooled, StoppedError } from './pool.js'
import { sendForReceipt } from './send.js'

const receiver: Address = '0x00000000000000000000000000000000000000e1'
const call = { from: actors.relayer, to: receiver, data: '0x1234' as Hex }
let node: WorldNode

beforeAll(async () => {
  node = await lendNode('optimism')
})
afterEach(() => node.rpc.request('evm_setAutomine', [true]))
afterAll(() => node.stop())

/** Puts the call into the pool of a node that does not mine. */
async function pooled(): Promise<Hex> {
  await node.rpc.request('evm_setAutomine', [false])
  return node.rpc.request<Hex>('eth_sendTransaction', [call])
}

/** A way to the node, and when it is asked for a transaction by its hash. */
function listened(node: Node): { asking: Node; asked: Promise<void> } {
  let hear: () => void
  const asked = new Promise<void>((resolve) => {
    hear = resolve
  })
  const request: Node['rpc']['request'] = (method, params) => {
    if (method === 'eth_getTransactionByHash') hear()
    return node.rpc.request(method, params)
  }
  return { asking: { ...node, rpc: { ...node.rpc, request } }, asked }
}

test('default: what waits is found by its call, and its receipt comes with its block', async () => {
  const hash = await pooled()
  expect(await pooledHash(node, call)).toBe(hash)
  expect(await pooledHash(node, { ...call, data: '0x' })).toBe(undefined)
  expect(await pooledHash(node, { ...call, from: actors.admin })).toBe(undefined)
  const { asked, asking } = listened(node)
  const waiting = receiptOfPooled(asking, call)
  // The node may answer concurrent requests in any order, so it mines only after the pool has been read.
  await asked
  await node.rpc.request('evm_mine')
  expect(await waiting).toMatchObject({ transactionHash: hash, status: '0x1' })
  expect(await receiptOfPooled(node, call)).toBe(undefined)
})

test('behavior: what cannot be mined yet is found too', async () => {
  const nonce = await node.rpc.request<Hex>('eth_getTransactionCount', [actors.relayer, 'latest'])
  const later = `0x${(Number(nonce) + 5).toString(16)}`
  const hash = await node.rpc.request<Hex>('eth_sendTransaction', [{ ...call, nonce: later }])
  expect(await pooledHash(node, call)).toBe(hash)
  await node.rpc.request('anvil_removePoolTransactions', [actors.relayer])
  expect(await pooledHash(node, call)).toBe(undefined)
})

test('error: NotMinedError when it leaves the pool without being mined', async () => {
  const hash = await pooled()
  const waiting = receiptOf(node, hash)
  await node.rpc.request('anvil_dropTransaction', [hash])
  await expect(waiting).rejects.toThrow(NotMinedError)
  await expect(waiting).rejects.toThrow(`the transaction ${hash} left the pool`)
})

test('error: StoppedError when told to stop; what was sent may still be mined', async () => {
  await node.rpc.request('evm_setAutomine', [false])
  const stop = new AbortController()
  const sending = sendForReceipt(node, call, stop.signal)
  for (;;) if (await pooledHash(node, call)) break
  stop.abort()
  await expect(sending).rejects.toThrow(StoppedError)
  const hash = (await pooledHash(node, call))!
  await expect(receiptOf(node, hash, stop.signal)).rejects.toThrow(StoppedError)
  await expect(sendForReceipt(node, call, stop.signal)).rejects.toThrow(StoppedError)
  await node.rpc.request('evm_mine')
  expect(await receiptOf(node, hash)).toMatchObject({ status: '0x1' })
})

test('behavior: a send that was stopped does not hold up the next one', async () => {
  await node.rpc.request('evm_setAutomine', [false])
  const stop = new AbortController()
  const sending = sendForReceipt(node, call, stop.signal)
  for (;;) if (await pooledHash(node, call)) break
  stop.abort()
  await expect(sending).rejects.toThrow(StoppedError)
  // As when the chain is taken back: the node would not answer the first one for half a minute.
  await node.rpc.request('anvil_dropAllTransactions')
  await node.rpc.request('evm_setAutomine', [true])
  expect(await sendForReceipt(node, call)).toMatchObject({ status: '0x1' })
})

test('behavior: a receipt that comes a moment after its transaction has left the pool is waited for', async () => {
  const hash = await pooled()
  await node.rpc.request('evm_mine')
  const missing = ['eth_getTransactionByHash', 'eth_getTransactionReceipt']
  const request: Node['rpc']['request'] = async (method, params) => {
    const at = missing.indexOf(method)
    if (at < 0) return node.rpc.request(method, params)
    missing.splice(at, 1)
    return null as never
  }
  const asking = { ...node, rpc: { ...node.rpc, request } }
  expect(await receiptOf(asking, hash)).toMatchObject({ transactionHash: hash })
  expect(missing).toEqual([])
})
