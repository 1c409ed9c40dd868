import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actors } from '../../deployments/actors.js'
import { startNodes } from '../process/nodes.js'
import type { Node, Nodes, Receipt } from '../rpc/node.js'
import { RpcError } from '../rpc/rpc.js'
import { ChainRevert, revertDataOf, sendAs, sendForReceipt } from './send.js'

let nodes: Nodes
let node: Node

/** Code that reverts with the 32-byte word 42. */
const reverter: Address = '0x00000000000000000000000000000000000000d1'
/** Code that reverts without data. */
const mute: Address = '0x00000000000000000000000000000000000000d2'
const fortyTwo = `0x${'2a'.padStart(64, '0')}`
const receiver: Address = '0x00000000000000000000000000000000000000e1'

beforeAll(async () => {
  nodes = await startNodes({ networks: ['optimism'] })
  node = nodes.get('optimism')
  // Of a frozen clock: each transaction has a block for itself.
  await node.rpc.request('anvil_setBlockTimestampInterval', [0])
  await node.rpc.request('anvil_setCode', [reverter, '0x602a5f5260205ffd'])
  await node.rpc.request('anvil_setCode', [mute, '0x5f5ffd'])
})

afterAll(() => nodes.stop())

async function quantity(method: string, ...params: unknown[]): Promise<bigint> {
  return BigInt(await node.rpc.request<string>(method, params))
}

test('default', async () => {
  const before = await quantity('eth_getBalance', receiver, 'latest')
  const receipt = await sendAs(node, { from: actors.relayer, to: receiver, value: 5n })
  expect(receipt).toMatchObject({ status: '0x1', gasUsed: '0x5208', logs: [] })
  expect(await quantity('eth_getBalance', receiver, 'latest')).toBe(before + 5n)
  const { transactionHash } = receipt
  expect(await node.rpc.request('eth_getTransactionReceipt', [transactionHash])).toMatchObject({
    transactionHash,
    blockNumber: receipt.blockNumber,
  })
})

test('behavior: 50 sends of one account and 20 of another at once all land, in the order of the calls', async () => {
  const { admin, relayer } = actors
  const nonce = await quantity('eth_getTransactionCount', relayer, 'latest')
  const before = await quantity('eth_getBalance', receiver, 'latest')
  const request = { to: receiver, value: 1n }
  const [ofRelayer, ofAdmin] = await Promise.all([
    Promise.all(Array.from({ length: 50 }, () => sendAs(node, { ...request, from: relayer }))),
    Promise.all(Array.from({ length: 20 }, () => sendAs(node, { ...request, from: admin }))),
  ])
  const receipts = [...ofRelayer, ...ofAdmin]
  expect(new Set(receipts.map((receipt) => receipt.transactionHash)).size).toBe(70)
  const blocks = receipts.map((receipt) => Number(receipt.blockNumber))
  expect(blocks).toEqual(blocks.map((_, i) => blocks[0]! + i))
  expect(await quantity('eth_getTransactionCount', relayer, 'latest')).toBe(nonce + 50n)
  expect(await quantity('eth_getBalance', receiver, 'latest')).toBe(before + 70n)
})

test('behavior: a refused send does not hold up the next', async () => {
  const poor: Address = '0x00000000000000000000000000000000000000f1'
  await node.rpc.request('anvil_impersonateAccount', [poor])
  const [refused, landed] = await Promise.allSettled([
    sendAs(node, { from: poor, to: receiver, value: 1n }),
    sendAs(node, { from: actors.relayer, to: receiver, value: 1n }),
  ])
  expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(RpcError) })
  expect(landed).toMatchObject({ status: 'fulfilled', value: { status: '0x1' } })
})

test('behavior: what is new lets others go first that come later, and has one turn in five', async () => {
  const send = (canWait: boolean) => sendAs(node, { from: actors.relayer, to: receiver, canWait })
  const [first, ...fresh] = Array.from({ length: 4 }, () => send(true))
  const due = Array.from({ length: 5 }, () => send(false))
  const blocks = async (sends: Promise<Receipt>[]) =>
    (await Promise.all(sends)).map(({ blockNumber }) => Number(blockNumber))
  const begin = Number((await first!).blockNumber)
  expect(await blocks(due)).toEqual([1, 2, 3, 4, 6].map((i) => begin + i))
  expect(await blocks(fresh)).toEqual([5, 7, 8].map((i) => begin + i))
})

test('behavior: the revert data is still there when the state of the block is pruned', async () => {
  const receipt = await sendForReceipt(node, { from: actors.relayer, to: reverter })
  expect(receipt.status).toBe('0x0')
  await node.rpc.request('anvil_mine', ['0x64'])
  const past = `0x${(BigInt(receipt.blockNumber) - 1n).toString(16)}`
  await expect(node.rpc.request('eth_getBalance', [receiver, past])).rejects.toThrow(
    'BlockOutOfRange',
  )
  expect(await revertDataOf(node, receipt)).toBe(fortyTwo)
})

test('error: a reverted transaction', async () => {
  const thrown = await sendAs(node, { from: actors.relayer, to: reverter }).catch((e: unknown) => e)
  expect(thrown).toBeInstanceOf(ChainRevert)
  const { network, transactionHash, receipt, data, message } = thrown as ChainRevert
  expect({ network, data, status: receipt.status }).toEqual({
    network: 'optimism',
    data: fortyTwo,
    status: '0x0',
  })
  expect(message).toBe(`Transaction ${transactionHash} on optimism reverted with data ${data}.`)
})

test.each([
  ['it gave none', { to: mute }],
  ['it ran out of gas', { to: reverter, gas: 21_001n }],
])('error: reverted without data because %s', async (_, request) => {
  const thrown = await sendAs(node, { from: actors.relayer, ...request }).catch((e: unknown) => e)
  expect(thrown).toBeInstanceOf(ChainRevert)
  expect((thrown as ChainRevert).data).toBe('0x')
})
