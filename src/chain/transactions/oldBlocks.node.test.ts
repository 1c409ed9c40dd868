import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import type { Address, Hex, TransactionSerializable } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { toHex } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actors } from '../../deployments/actors.js'
import { writePieces } from '../../wal/checkpointFile.js'
import { withoutTraces } from '../persistence/nodeContent.js'
import { startNodes } from '../process/nodes.js'
import type { Node, Nodes, Receipt } from '../rpc/node.js'
import { nodeRequest } from '../rpc/pipeline.js'
import { inspectTransaction } from './inspect.js'
import { sendForReceipt } from './send.js'

/** Old blocks are answered as new ones are. */

/** Code that leaves two logs: one with the caller's word as its topic, one with nothing. */
const loud: Address = '0x00000000000000000000000000000000000000d3'
const quiet: Address = '0x00000000000000000000000000000000000000e1'

let nodes: Nodes
let node: Node

const start = (loadState?: string) =>
  startNodes({ networks: ['optimism'], loadState: { optimism: loadState } })

beforeAll(async () => {
  nodes = await start()
  node = nodes.get('optimism')
  await ask('anvil_setCode', loud, '0x5f355f5fa15f5fa0')
})
afterAll(() => nodes.stop())

const ask = <T = Hex>(method: string, ...params: unknown[]) => node.rpc.request<T>(method, params)
const send = (to = loud, data: Hex = topicOf(1)) =>
  sendForReceipt(node, { from: actors.relayer, to, data })
const topicOf = (value: number): Hex => `0x${String(value).padStart(64, '0')}`

/** Many more blocks than a node keeps states of. */
async function pass(blocks = 100): Promise<void> {
  await ask('anvil_mine', blocks)
}

/** Everything that may be asked about a transaction. */
function askAll({ transactionHash: hash, blockNumber: number, logs }: Receipt) {
  const blockHash = logs[0]!.blockHash
  const range = { fromBlock: number, toBlock: number }
  const questions: [method: string, ...params: unknown[]][] = [
    ['eth_getTransactionByHash', hash],
    ['eth_getTransactionReceipt', hash],
    ['eth_getBlockByNumber', number, true],
    ['eth_getBlockByHash', blockHash, false],
    ['eth_getBlockReceipts', number],
    ['eth_getBlockReceipts', blockHash],
    ['eth_getBlockTransactionCountByNumber', number],
    ['eth_getBlockTransactionCountByHash', blockHash],
    ['eth_getTransactionByBlockNumberAndIndex', number, '0x0'],
    ['eth_getTransactionByBlockHashAndIndex', blockHash, '0x0'],
    ['eth_getTransactionByBlockHashAndIndex', blockHash, '0x1'],
    ['eth_getRawTransactionByHash', hash],
    ['debug_getRawTransaction', hash],
    ['eth_getRawTransactionByBlockNumberAndIndex', number, '0x0'],
    ['eth_getRawTransactionByBlockHashAndIndex', blockHash, '0x0'],
    ['eth_getRawTransactionByBlockHashAndIndex', blockHash, '0x1'],
    ['eth_getLogs', range],
    ['eth_getLogs', { blockHash }],
    ['eth_getLogs', { ...range, address: loud, topics: [topicOf(1)] }],
    ['eth_getLogs', { ...range, address: [quiet, loud], topics: [[topicOf(2), topicOf(1)]] }],
    ['eth_getLogs', { ...range, topics: [topicOf(2)] }],
    ['eth_getLogs', { ...range, address: quiet }],
    ['eth_getLogs', { ...range, address: [], topics: [[]] }],
    ['debug_traceTransaction', hash, {}],
    ['trace_transaction', hash],
  ]
  return Promise.all(questions.map(([method, ...params]) => ask<unknown>(method, ...params)))
}

test('default: transactions, receipts, blocks and logs are answered as before, alone and in a batch', async () => {
  const receipt = await send()
  // For a moment the node lists it among those that wait, too.
  await expect
    .poll(() => ask('eth_getTransactionByHash', receipt.transactionHash))
    .toMatchObject({ blockNumber: receipt.blockNumber })
  const before = await askAll(receipt)
  await pass()
  expect(await askAll(receipt)).toEqual(before)
  const methods = ['eth_getTransactionReceipt', 'eth_chainId', 'eth_getTransactionByHash']
  const results: unknown[] = []
  for (const method of methods) {
    const params = method === 'eth_chainId' ? [] : [receipt.transactionHash]
    const request = nodeRequest('optimism', 'client', method, params)
    results.push((await node.pipeline!.send(request)).result)
  }
  expect(results).toEqual([before[1], '0xa', before[0]])
  // A tracer runs the transaction again, on the state before it.
  const { transaction } = await inspectTransaction(nodes, receipt.transactionHash)
  expect(transaction).toMatchObject({ logs: receipt.logs, isReverted: false, call: undefined })
})

test('behavior: a transaction of each type is, as bytes, what was sent', async () => {
  const signer = privateKeyToAccount(generatePrivateKey())
  await ask('anvil_setBalance', signer.address, toHex(10n ** 18n))
  const chainId = 10
  const price = { gasPrice: 10n ** 10n }
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
  const authorization = await signer.signAuthorization({ chainId, address: quiet, nonce: 0 })
  const accessList = [{ address: loud, storageKeys: [topicOf(1)] }]
  const kinds: TransactionSerializable[] = [
    { type: 'legacy', ...price },
    { type: 'legacy', chainId, ...price },
    { type: 'eip2930', chainId, ...price, accessList },
    { type: 'eip1559', chainId, ...fees },
    { type: 'eip7702', chainId, ...fees, authorizationList: [authorization] },
  ]
  const sent: [hash: Hex, raw: Hex][] = []
  for (const [nonce, kind] of kinds.entries()) {
    const all = { to: quiet, value: 1n, data: topicOf(1), gas: 100_000n, nonce, ...kind }
    const raw = await signer.signTransaction(all as TransactionSerializable)
    sent.push([await ask('eth_sendRawTransaction', raw), raw])
  }
  await pass()
  for (const [hash, raw] of sent) expect(await ask('eth_getRawTransactionByHash', hash)).toBe(raw)
})

test('error: a method or an index that the node refuses is refused in its words', async () => {
  const { blockNumber } = await send()
  await pass()
  for (const method of ['toString', 'constructor', '__proto__'])
    await expect(ask(method)).rejects.toThrow('did not match any variant')
  const byIndex = 'eth_getTransactionByBlockNumberAndIndex'
  await expect(ask(byIndex, blockNumber, 'first')).rejects.toThrow('did not match any variant')
})

test('behavior: logs of old and new blocks come in the order of the chain', async () => {
  const receipts = [await send(), await send(loud, topicOf(2))]
  await pass()
  receipts.push(await send())
  const logs = await ask<{ transactionHash: Hex }[]>('eth_getLogs', {
    fromBlock: receipts[0]!.blockNumber,
    address: loud,
  })
  const expected = receipts.flatMap(({ transactionHash: hash }) => [hash, hash])
  expect(logs.map(({ transactionHash }) => transactionHash)).toEqual(expected)
  const later = { fromBlock: receipts[1]!.blockNumber, topics: [topicOf(1)] }
  expect(await ask('eth_getLogs', later)).toMatchObject([
    { blockHash: receipts[2]!.logs[0]!.blockHash },
  ])
})

test.each([
  ['anvil_mine', [300, 2]],
  ['evm_mine', [{ timestamp: null, blocks: 300 }]],
] as const)('behavior: %s %j forgets nothing, not even what had waited', async (method, params) => {
  const receipt = await send()
  const before = Number(await ask('eth_blockNumber'))
  await ask('evm_setAutomine', false)
  const sent = { from: actors.relayer, to: loud, data: '0x11' }
  const waited = await ask('eth_sendTransaction', sent)
  await ask(method, ...params).finally(() => ask('evm_setAutomine', true))
  expect(Number(await ask('eth_blockNumber'))).toBe(before + 300)
  const known = await ask<Receipt>('eth_getTransactionReceipt', waited)
  expect(known).toMatchObject({ status: '0x1', blockNumber: toHex(before + 1) })
  expect(await ask('eth_getTransactionReceipt', receipt.transactionHash)).toEqual(receipt)
})

test('behavior: blocks that are made at once keep the seconds between them', async () => {
  const before = Number(await ask('eth_blockNumber'))
  await ask('anvil_mine', 100, 7)
  const timeOf = async (number: number) =>
    Number((await ask<{ timestamp: Hex }>('eth_getBlockByNumber', toHex(number), false)).timestamp)
  // The machine's clock goes on besides.
  for (let at = 2; at <= 100; at++)
    expect((await timeOf(before + at)) - (await timeOf(before + at - 1))).toBeGreaterThanOrEqual(7)
})

test('error: a command that the node refuses is refused as a whole', async () => {
  const before = await ask('eth_blockNumber')
  await expect(ask('evm_mine', { blocks: 300 })).rejects.toThrow('did not match any variant')
  expect(await ask('eth_blockNumber')).toBe(before)
})

test('behavior: what a revert takes back is gone, and what was before it is there', async () => {
  const before = await send()
  await pass(60)
  const snapshot = await ask('evm_snapshot')
  const after = await send(loud, topicOf(3))
  await pass()
  expect(await ask('eth_getTransactionReceipt', after.transactionHash)).toEqual(after)
  expect(await ask('evm_revert', snapshot)).toBe(true)
  const all = { fromBlock: 'earliest', topics: [topicOf(3)] }
  expect(await ask('eth_getTransactionReceipt', after.transactionHash)).toBeNull()
  expect(await ask('eth_getTransactionByHash', after.transactionHash)).toBeNull()
  expect(await ask('eth_getLogs', all)).toEqual([])
  expect(await ask('eth_getTransactionReceipt', before.transactionHash)).toEqual(before)
  // Another transaction in a block of the same number.
  const instead = await send(loud, topicOf(4))
  await pass()
  expect(instead.blockNumber).toBe(after.blockNumber)
  expect(await ask('eth_getTransactionReceipt', instead.transactionHash)).toEqual(instead)
  expect(await ask('eth_getTransactionReceipt', after.transactionHash)).toBeNull()
  expect(await ask('eth_getLogs', all)).toEqual([])
  expect(await ask('eth_getTransactionReceipt', before.transactionHash)).toEqual(before)
})

test('behavior: a reorganisation leaves old blocks, and those that it has replaced do not return', async () => {
  const old = await send()
  await pass()
  const replaced = await send()
  await pass(3)
  await ask('anvil_reorg', 6, [])
  expect(await ask('eth_getTransactionReceipt', replaced.transactionHash)).toBeNull()
  await pass()
  expect(await ask('eth_getTransactionReceipt', replaced.transactionHash)).toBeNull()
  expect(await ask('eth_getTransactionReceipt', old.transactionHash)).toEqual(old)
})

test('behavior: transactions that are sent at once are all known', async () => {
  const receipts = await Promise.all(Array.from({ length: 100 }, () => send()))
  await pass()
  for (const receipt of receipts)
    expect(await ask('eth_getTransactionReceipt', receipt.transactionHash)).toEqual(receipt)
})

/** The transactions of the logs, one for each. */
const hashesOf = (logs: { transactionHash: Hex }[]) => logs.map((each) => each.transactionHash)
const changes = async (id: Hex) => hashesOf(await ask('eth_getFilterChanges', id))
const twice = (receipts: Receipt[]) => receipts.flatMap(({ transactionHash: hash }) => [hash, hash])

test('behavior: changes of a filter have the logs of old blocks, once, before the newer ones', async () => {
  const all = await ask('eth_newFilter', { address: loud })
  const some = await ask('eth_newFilter', { topics: [topicOf(2)] })
  const receipts = [await send(), await send(loud, topicOf(2))]
  await pass()
  receipts.push(await send())
  expect(await changes(all)).toEqual(twice(receipts))
  expect(await changes(some)).toEqual([receipts[1]!.transactionHash])
  expect(await changes(all)).toEqual([])
  const next = await send()
  expect(await changes(all)).toEqual(twice([next]))
})

test('behavior: a filter that begins in the past has all logs since, in its first changes and each time when asked for all', async () => {
  const old = await send()
  await pass()
  const id = await ask('eth_newFilter', { fromBlock: old.blockNumber, address: loud })
  const recent = await send()
  const expected = twice([old, recent])
  expect(hashesOf(await ask('eth_getFilterLogs', id))).toEqual(expected)
  expect(await changes(id)).toEqual(expected)
  expect(await changes(id)).toEqual([])
  await pass()
  expect(hashesOf(await ask('eth_getFilterLogs', id))).toEqual(expected)
})

test('behavior: blocks that were taken back before they were asked about are left out', async () => {
  const id = await ask('eth_newFilter', { address: loud })
  const kept = await send()
  const snapshot = await ask('evm_snapshot')
  await send()
  await pass()
  await ask('evm_revert', snapshot)
  const instead = await send(loud, topicOf(3))
  await pass()
  expect(await changes(id)).toEqual(twice([kept, instead]))
})

test('behavior: several in one batch are answered in its order', async () => {
  const id = await ask('eth_newFilter', { address: loud })
  const receipt = await send()
  await pass()
  const methods = ['eth_getFilterChanges', 'eth_chainId', 'eth_uninstallFilter']
  const results: unknown[] = []
  for (const method of methods) {
    const request = nodeRequest('optimism', 'client', method, method === 'eth_chainId' ? [] : [id])
    results.push((await node.pipeline!.send(request)).result)
  }
  expect(results).toMatchObject([[{ transactionHash: receipt.transactionHash }, {}], '0xa', true])
})

test('error: a filter that was uninstalled is not found', async () => {
  const given = await ask('eth_newFilter', { address: loud })
  expect(await ask('eth_uninstallFilter', given)).toBe(true)
  await expect(ask('eth_getFilterChanges', given)).rejects.toThrow('filter not found')
})

test('behavior: a start from a checkpoint has it, but for its trace', async () => {
  const receipt = await send()
  await pass()
  const before = await askAll(receipt)
  const dump = gunzipSync(Buffer.from((await ask('anvil_dumpState')).slice(2), 'hex'))
  const path = join(mkdtempSync(join(tmpdir(), 'svc-sim-old-blocks-')), 'state.json')
  await writePieces(path, withoutTraces(Readable.from([dump])))
  type State = { transactions: { info: { traces: unknown[] } }[] }
  const [whole, state] = [dump, readFileSync(path)].map(
    (text) => JSON.parse(text.toString()) as State,
  )
  expect(whole!.transactions.some(({ info }) => info.traces.length > 0)).toBe(true)
  for (const { info } of whole!.transactions) info.traces = []
  expect(state).toEqual(whole)
  await nodes.stop()
  nodes = await start(path)
  node = nodes.get('optimism')
  const after = await askAll(receipt)
  expect(after.slice(0, -2)).toEqual(before.slice(0, -2))
  expect([before.at(-1), after.at(-1)]).toEqual([[expect.anything()], []])
})
