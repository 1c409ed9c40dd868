import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../../../../test/kit/upstream.js'
import { type DataFolder, openDataFolder } from '../../../wal/dataFolder.js'
import type { LoggedPart } from '../../../wal/dataLog.js'
import { readAnyManifest } from '../../../wal/manifest.js'
import { logCommands } from '../../persistence/commands.js'
import { startNodes } from '../../process/nodes.js'
import type { NodeCommand } from '../../rpc/commandLog.js'
import type { Node } from '../../rpc/node.js'
import { type FolderForks, newForks, recoverForks } from './folder.js'
import { openForks } from './start.js'

/** One forked node behind the log of its commands: what is left of it in a folder, and that it is the same again. */

const origin = { worldHash: 'w', anvilVersion: 'a' }
const alice = '0x00000000000000000000000000000000000a11ce'
/** Sets its slot 0 to zero. */
const clears = { address: `0x${'c1'.repeat(20)}` as Address, code: '0x600060005500' }
/** Says what is in the slot that it is asked for. */
const sayCode = '6000355460005260206000f3'
/** Says the hash of the block that it is asked for. */
const hashes = { address: `0x${'b1'.repeat(20)}` as Address, code: '0x6000354060005260206000f3' }
const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

let upstream: Upstream
let dir: string

beforeAll(async () => {
  upstream = await startUpstream('polygon')
  for (const { address, code } of [clears, hashes])
    await upstream.rpc.request('anvil_setCode', [address, code])
  for (const slot of [0, 1])
    await upstream.rpc.request('anvil_setStorageAt', [clears.address, word(slot), word(5)])
  await upstream.rpc.request('evm_mine')
})
afterAll(() => upstream.stop())
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kept-fork-'))
  return () => rm(dir, { recursive: true })
})

interface Running {
  node: Node
  folder: DataFolder
  isSame: boolean
  ask<T = Hex>(method: string, ...params: unknown[]): Promise<T>
  end(): Promise<void>
}

/** Starts it on the folder: with the endpoint, or from what is recorded alone. */
async function start(withEndpoint: boolean): Promise<Running> {
  const manifest = await readAnyManifest(dir)
  let folder = manifest && (await openDataFolder(dir, origin))
  const forks: FolderForks = folder
    ? await recoverForks(dir, manifest!.forks, folder.recovered)
    : newForks(dir)
  const fork = withEndpoint ? { polygon: { url: upstream.url } } : {}
  const { open } = await openForks({ fork }, {}, forks)
  const [{ block, hash, args, close }] = open as [(typeof open)[number]]
  folder ??= await openDataFolder(dir, origin, { forks: { polygon: { block, hash } } })
  const log = folder
  await forks.recordings(['polygon'])[0]!.keepIn(log)
  const file = log.recovered.files.polygon
  let isSame = false
  const parts: LoggedPart[] = [forks.recordings(['polygon'])[0]!.part]
  const nodes = await startNodes({
    networks: ['polygon'],
    loadState: { polygon: file },
    args: { polygon: args },
    async commandLog(handle) {
      const commands = logCommands(handle, { file }, log, () => {})
      isSame = await commands.replay((log.recovered.changes.polygon ?? []) as NodeCommand[])
      parts.push(commands.part)
      return commands
    },
  })
  log.keep(parts)
  const node = nodes.get('polygon')
  return {
    node,
    folder: log,
    isSame,
    ask: (method, ...params) => node.rpc.request(method, params),
    async end() {
      await nodes.stop()
      await close()
      await log.close()
    },
  }
}

interface Receipt {
  blockHash: Hex
  contractAddress: Address | null
}

const send = ({ ask }: Running, tx: object) =>
  ask<Receipt>('eth_sendTransactionSync', { from: alice, gas: '0x30000', ...tx })

interface Seen {
  head: Hex
  slots: Hex[]
  nonces: Hex[]
  receipts: unknown[]
  balance: Hex
}

/** What can be seen of the chain after `live`. */
async function look({ ask }: Running, created: Address, sent: readonly Hex[]): Promise<Seen> {
  const said = (to: Address, what: Hex) => ask('eth_call', { to, data: what }, 'latest')
  return {
    head: (await ask<{ hash: Hex }>('eth_getBlockByNumber', 'latest', false)).hash,
    slots: [
      await ask('eth_getStorageAt', clears.address, word(0), 'latest'),
      await ask('eth_getStorageAt', clears.address, word(1), 'latest'),
      // Of a contract that was created here: nobody has ever been asked for it.
      await said(created, word(77)),
    ],
    nonces: await Promise.all(
      [alice, created, clears.address].map((of) => ask('eth_getTransactionCount', of, 'latest')),
    ),
    receipts: await Promise.all(sent.map((hash) => ask('eth_getTransactionReceipt', hash))),
    balance: await ask('eth_getBalance', alice, 'latest'),
  }
}

/** Things that a state which is saved may lose. */
async function live(running: Running): Promise<{ created: Address; sent: Hex[] }> {
  const { ask } = running
  await ask('anvil_setBalance', alice, '0xde0b6b3a7640000000')
  await ask('anvil_impersonateAccount', alice)
  await ask('evm_mine')
  const length = (sayCode.length / 2).toString(16).padStart(2, '0')
  const creation = `0x60${length}600c60003960${length}6000f3${sayCode}`
  const done = [
    await send(running, { to: clears.address }),
    await send(running, { data: creation }),
  ] as (Receipt & { transactionHash: Hex })[]
  await ask('anvil_setStorageAt', clears.address, word(1), word(0))
  await ask('evm_mine')
  return {
    created: done[1]!.contractAddress!,
    sent: done.map(({ transactionHash }) => transactionHash),
  }
}

test.each([
  ['from its log', async () => {}],
  ['from what was written down', (running: Running) => running.folder.checkpoint()],
])('default: a forked node is the same again %s, without its endpoint', async (_, before) => {
  const first = await start(true)
  const { created, sent } = await live(first)
  const seen = await look(first, created, sent)
  expect(seen.slots).toEqual([word(0), word(0), word(0)])
  expect(seen.receipts).not.toContain(null)
  await before(first)
  await send(first, { to: clears.address })
  const later = await look(first, created, sent)
  await first.end()
  // As long as one looks at it alone: two starts in a row.
  for (const withEndpoint of [false, false, true]) {
    const again = await start(withEndpoint)
    try {
      expect(again.isSame).toBe(true)
      expect(await look(again, created, sent)).toEqual(later)
    } finally {
      await again.end()
    }
  }
})

test('behavior: no contract takes a block of the network for one of its own; the network is not asked for it', async () => {
  const first = await start(true)
  await live(first)
  const number = Number(await first.ask('eth_blockNumber')) - 1
  const hashOf = (running: Running) =>
    running.ask('eth_call', { to: hashes.address, data: word(number) }, 'latest')
  const { hash } = await first.ask<{ hash: Hex }>(
    'eth_getBlockByNumber',
    `0x${number.toString(16)}`,
    false,
  )
  expect(await hashOf(first)).toBe(hash)
  for (let i = 0; i < 40; i++) await upstream.rpc.request('evm_mine')
  await first.folder.checkpoint()
  await first.end()
  for (const withEndpoint of [false, true]) {
    const again = await start(withEndpoint)
    try {
      // What was written down has no hashes for contracts: they are those of nothing.
      expect(await hashOf(again)).toBe(keccak256('0x'))
    } finally {
      await again.end()
    }
  }
})
