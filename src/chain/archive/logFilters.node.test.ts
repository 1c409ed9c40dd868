import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { actors } from '../../deployments/actors.js'
import { startNodes } from '../process/nodes.js'
import type { Node, Nodes, Receipt } from '../rpc/node.js'
import { sendForReceipt } from '../transactions/send.js'
import { keptBlocks } from './archiveAnswers.js'

/** A client that asks a filter seldom misses nothing, although the node forgets meanwhile. */

/** Code that leaves two logs: one with the caller's word as its topic, one with nothing. */
const loud: Address = '0x00000000000000000000000000000000000000d3'

let nodes: Nodes
let node: Node
beforeAll(async () => {
  const archiveFolder = mkdtempSync(join(tmpdir(), 'svc-sim-filters-'))
  nodes = await startNodes({ networks: ['optimism'], archiveFolder })
  node = nodes.get('optimism')
  await ask('anvil_setCode', loud, '0x5f355f5fa15f5fa0')
})
afterAll(() => nodes.stop())

const ask = <T = Hex>(method: string, ...params: unknown[]) => node.rpc.request<T>(method, params)
const topicOf = (value: number): Hex => `0x${String(value).padStart(64, '0')}`
const send = (value = 1) =>
  sendForReceipt(node, { from: actors.relayer, to: loud, data: topicOf(value) })
/** More blocks than a node keeps. */
const pass = () => ask('anvil_mine', keptBlocks + 70)
/** The transactions of the logs, one for each. */
const hashesOf = (logs: { transactionHash: Hex }[]) => logs.map((each) => each.transactionHash)
const changes = async (id: Hex) => hashesOf(await ask('eth_getFilterChanges', id))
const twice = (receipts: Receipt[]) => receipts.flatMap(({ transactionHash: hash }) => [hash, hash])

test('default: changes have the logs of blocks that the node has forgotten, once, before the newer ones', async () => {
  const all = await ask('eth_newFilter', { address: loud })
  const some = await ask('eth_newFilter', { topics: [topicOf(2)] })
  const receipts = [await send(), await send(2)]
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
  const instead = await send(3)
  await pass()
  expect(await changes(id)).toEqual(twice([kept, instead]))
})

test('behavior: several in one batch are answered in its order', async () => {
  const id = await ask('eth_newFilter', { address: loud })
  const receipt = await send()
  await pass()
  const methods = ['eth_getFilterChanges', 'eth_chainId', 'eth_uninstallFilter']
  const batch = methods.map((method, at) => ({
    ...{ jsonrpc: '2.0', id: at, method },
    params: at === 1 ? [] : [id],
  }))
  const text = JSON.stringify(batch)
  const answer = await node.pipeline!.send({ network: 'optimism', text, methods, by: 'client' })
  expect(JSON.parse(answer)).toMatchObject([
    { id: 0, result: [{ transactionHash: receipt.transactionHash }, {}] },
    { id: 1, result: '0xa' },
    { id: 2, result: true },
  ])
})

test('error: a filter that nobody has asked for five minutes is not found, nor one that was given up', async () => {
  const left = await ask('eth_newFilter', { address: loud })
  const given = await ask('eth_newFilter', { address: loud })
  expect(await ask('eth_uninstallFilter', given)).toBe(true)
  const later = performance.now() + 6 * 60_000
  vi.spyOn(performance, 'now').mockReturnValue(later)
  await pass()
  vi.restoreAllMocks()
  await expect(ask('eth_getFilterChanges', left)).rejects.toThrow('filter not found')
  await expect(ask('eth_getFilterChanges', given)).rejects.toThrow('filter not found')
})
