import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { actors } from '../deployments/actors.js'
import type { NetworkName } from '../deployments/networks.js'
import { anvilVersion } from '../node/anvil.js'
import type { Node, Nodes } from '../node/node.js'
import { startNodes } from '../node/nodes.js'
import { sendAs, sendForReceipt } from '../node/send.js'
import { findSavedChains, SavedChainsError, saveChains } from './persist.js'

const names: NetworkName[] = ['base', 'polygon']
const origin = { worldHash: 'world-1' }
/** Stores the first word of its calldata in slot 0 and logs it. */
const keeper = '0x00000000000000000000000000000000000000c1'
const keeperCode = '0x5f358060005560005260205fa0' as Hex
const reverter = '0x00000000000000000000000000000000000000d1'

let dir: string
const running: Nodes[] = []

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-sim-persist-'))
})

afterEach(async () => {
  await Promise.all(running.splice(0).map((nodes) => nodes.stop()))
  await rm(dir, { recursive: true })
})

async function start(loadState?: Partial<Record<NetworkName, string>>): Promise<Nodes> {
  const nodes = await startNodes({ networks: names, loadState })
  running.push(nodes)
  return nodes
}

/** Does something of every kind on the chain; resolves to the transaction hashes. */
async function makeHistory(node: Node, amount: bigint): Promise<Hex[]> {
  await node.rpc.request('anvil_setCode', [keeper, keeperCode])
  await node.rpc.request('anvil_setCode', [reverter, '0x602a5f5260205ffd'])
  const data = `0x${amount.toString(16).padStart(64, '0')}` as Hex
  const receipts = [
    await sendAs(node, { from: actors.relayer, to: keeper, data, value: amount }),
    await sendForReceipt(node, { from: actors.admin, to: reverter }),
    await sendAs(node, { from: actors.relayer, data: '0x6001600c60003960016000f300' }), // creates
  ]
  return receipts.map((receipt) => receipt.transactionHash)
}

/** Everything about a chain that a restart must not change. */
async function look({ rpc }: Node, hashes: readonly Hex[]) {
  const receipts = hashes.map((hash) => rpc.request('eth_getTransactionReceipt', [hash]))
  const accounts = [keeper, ...Object.values(actors)].flatMap((address) => [
    rpc.request('eth_getTransactionCount', [address, 'latest']),
    rpc.request('eth_getCode', [address, 'latest']),
    rpc.request('eth_getStorageAt', [address, '0x0', 'latest']),
  ])
  return Promise.all([
    rpc.request('eth_getBlockByNumber', ['latest', true]),
    rpc.request('eth_getBalance', [keeper, 'latest']),
    ...receipts,
    ...accounts,
  ])
}

test('default', async () => {
  const first = await start()
  const hashes = new Map<NetworkName, Hex[]>()
  const seen = new Map<NetworkName, unknown>()
  for (const node of first.all()) {
    hashes.set(node.network, await makeHistory(node, BigInt(node.chainId)))
    seen.set(node.network, await look(node, hashes.get(node.network)!))
  }
  await saveChains(first, dir, origin)
  await first.stop()

  const saved = await findSavedChains(dir, origin)
  expect(saved!.blockNumbers).toEqual({ base: 3, polygon: 3 })
  const second = await start(saved!.loadState)
  for (const node of second.all()) {
    const now = await look(node, hashes.get(node.network)!)
    expect(now).toEqual(seen.get(node.network))
    expect(now.flat().filter((part) => part === null)).toEqual([]) // equal, but not equally absent
    const next = await sendAs(node, { from: actors.relayer, to: keeper, data: '0x01' })
    expect(next.blockNumber).toBe('0x4')
  }
})

test('behavior: time continues from the last block when it had been advanced', async () => {
  const first = await start()
  const { rpc } = first.get('base')
  await rpc.request('evm_increaseTime', [30 * 86_400])
  await rpc.request('evm_mine')
  const last = await timestamp(first.get('base'))
  await saveChains(first, dir, origin)
  await first.stop()

  const second = await start((await findSavedChains(dir, origin))!.loadState)
  await second.get('base').rpc.request('evm_mine')
  expect(await timestamp(second.get('base'))).toBeGreaterThanOrEqual(last)
})

async function timestamp({ rpc }: Node): Promise<number> {
  const params = ['latest', false]
  return Number((await rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', params)).timestamp)
}

test('behavior: a save replaces the one before and leaves nothing else', async () => {
  const nodes = await start()
  await saveChains(nodes, dir, origin)
  await writeFile(join(dir, 'chains', 'base-2.json.tmp'), 'a save that was broken off')
  await nodes.get('base').rpc.request('evm_mine')
  await saveChains(nodes, dir, origin)
  expect((await readdir(join(dir, 'chains'))).sort()).toEqual([
    'base-2.json',
    'manifest.json',
    'polygon-2.json',
  ])
  expect((await findSavedChains(dir, origin))!.blockNumbers).toEqual({ base: 1, polygon: 0 })
})

test('behavior: a save that is broken off leaves the one before', async () => {
  const nodes = await start()
  await saveChains(nodes, dir, origin)
  const before = await findSavedChains(dir, origin)
  process.kill(nodes.get('polygon').pid, 'SIGKILL')
  await expect(saveChains(nodes, dir, origin)).rejects.toThrow('did not answer')
  expect(await findSavedChains(dir, origin)).toEqual(before)
  await start(before!.loadState)
})

test('behavior: nothing was saved yet', async () => {
  expect(await findSavedChains(dir, origin)).toBeUndefined()
  expect(await findSavedChains(join(dir, 'absent'), origin)).toBeUndefined()
})

test('error: saved chains of another origin', async () => {
  await saveChains(await start(), dir, origin)
  const version = anvilVersion()
  const folder = join(dir, 'chains')
  const cure =
    '. To keep them, start the version of the simulator that saved them. To start afresh, delete the data directory ' +
    '(accounts and plans in it refer to these chains).'
  await expect(findSavedChains(dir, { worldHash: 'world-2' })).rejects.toThrow(
    `The chains saved in ${folder} cannot be used: they were saved with world world-1, but this is world world-2${cure}`,
  )
  await expect(findSavedChains(dir, { ...origin, anvilVersion: '9.9.9' })).rejects.toThrow(
    `they were saved with anvil version ${version}, but this is anvil version 9.9.9${cure}`,
  )
  const manifest = join(folder, 'manifest.json')
  await writeFile(
    manifest,
    (await readFile(manifest, 'utf8')).replace('"format": 1', '"format": 7'),
  )
  await expect(findSavedChains(dir, origin)).rejects.toThrow('saved with format 7')
})

test('error: damaged directories', async () => {
  await saveChains(await start(), dir, origin)
  const folder = join(dir, 'chains')
  await rm(join(folder, 'polygon-1.json'))
  await expect(findSavedChains(dir, origin)).rejects.toThrow('polygon-1.json is missing')
  await writeFile(join(folder, 'manifest.json'), '{"format":')
  const thrown = await findSavedChains(dir, origin).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(SavedChainsError)
  expect((thrown as Error).message).toContain('manifest.json is not JSON')
})
