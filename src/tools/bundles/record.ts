import { existsSync, readdirSync } from 'node:fs'
import type { Address, Hex } from 'viem'
import { formatUnits, keccak256, parseUnits, stringToHex } from 'viem/utils'
import { ownContracts } from '../../chain/fork/install/installContracts.js'
import {
  pathsIn,
  pathText,
  type SlotPath,
  type SlotTrace,
  slotTracer,
} from '../../chain/fork/upstream/emptyAccounts.js'
import { pinBlocks } from '../../chain/fork/upstream/pinBlocks.js'
import type { ForkLimits, ForkTargets } from '../../chain/fork/upstream/target.js'
import type { Node } from '../../chain/rpc/node.js'
import { createNetworkStateReader } from '../../chain/state/networkState.js'
import { walletAddressOf } from '../../chain/wallet/wallet.js'
import {
  answerOf,
  type ControlClient,
  createControl,
  RefusedError,
} from '../../clients/control/controlClient.js'
import { type AddressBook, loadAddressBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import { unlessAborted } from '../../lib/abort.js'
import { packageVersion } from '../../lib/files/packageFile.js'
import { type Simulator, startSimulator } from '../../simulator/sim.js'
import { isoSeconds } from '../../time/clock.js'
import { readPools } from './pools.js'
import { type AskNetwork, askNetworks, touch, traceWithinMs } from './touch.js'

export interface RecordOptions extends ForkLimits {
  fork: ForkTargets
  out: string
  /** Signers of the recorded accounts, which also receive the transfers. */
  accounts: readonly Address[]
  /** Addresses, or `signers`, that count as empty whenever the bundle is used. */
  assumeEmpty?: readonly string[]
  /** Unix seconds; the newest time that all networks have reached when absent. */
  at: number | undefined
  mayReplace: boolean
  say(line: string): void
  signal?: AbortSignal
}

/** Forks the networks at one moment, reads what plans and folio need, and writes a bundle of it. */
export async function recordBundle(options: RecordOptions): Promise<void> {
  const { fork, out, at, mayReplace, forkCache, forkMaxRequests, say, signal } = options
  if (!mayReplace && existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`${out} is there and not empty. Name another folder, or give --overwrite.`)
  const accounts = [...new Set(options.accounts.map((one) => one.toLowerCase() as Address))].sort()
  const { targets, moment } = await pinBlocks(fork, { at, say })
  say(`the moment is ${isoSeconds(moment * 1000)}`)
  const simulator = await startSimulator({
    fork: targets,
    ...(forkCache === undefined ? {} : { forkCache }),
    ...(forkMaxRequests === undefined ? {} : { forkMaxRequests }),
    ...(signal ? { signal } : {}),
    onProgress: say,
    noUi: true,
    bridgeDelayMs: 0,
    // A trace of every step of a large read takes long.
    rpcUnsafe: true,
    rpcTimeoutMs: traceWithinMs,
  })
  const ask = askNetworks(simulator)
  const work = async (): Promise<void> => {
    for (const network of simulator.forks.keys())
      await readPools(loadAddressBook().on(network), async (...at) =>
        BigInt(String(await ask(network, 'eth_getStorageAt', [...at, 'latest']))),
      )
    say('moving prices')
    await touchPrices(createControl(simulator.controlUrl, undefined), say)
    await simulator.snapshots.reset()
    say('making plans of every kind for an unused wallet')
    const paths = await recordPaths(simulator, say)
    await simulator.snapshots.reset()
    for (const account of accounts) {
      say(`${account}: making plans of every kind`)
      await touch(simulator, account, say)
      // The next one must find the markets as they were.
      await simulator.snapshots.reset()
    }
    const known = (network: NetworkName) => ({
      paths: paths.get(network) ?? [],
      assumedEmpty: options.assumeEmpty ?? [],
    })
    await simulator.saveBundle(out, { madeBy: packageVersion(), moment, accounts }, known)
  }
  try {
    await unlessAborted(work(), signal)
  } finally {
    await simulator.close()
  }
}

/** Prices move to these hundredths, so that everything between them is read in both directions. */
const stations = [110n, 90n]

const decimals = 8

/**
 * Moves the price of each asset up and down, which records everything that a move reads of feeds, oracles and pools. Passes prices that
 * cannot be moved to `remark`. Does not move them back.
 */
async function touchPrices(control: ControlClient, remark: (text: string) => void): Promise<void> {
  const { prices } = await answerOf(control.GET('/prices'))
  const done = new Set<string>()
  for (const [asset, usd] of Object.entries(prices)) {
    if (done.has(asset)) continue
    for (const hundredths of stations) {
      const price = (parseUnits(usd, decimals) * hundredths) / 100n
      const params = { path: { asset } }
      const body = { usd: formatUnits(price, decimals) }
      try {
        const { moved } = await answerOf(control.PUT('/prices/{asset}', { params, body }))
        for (const symbol of moved) done.add(symbol)
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error
        remark(`no move of the price of ${asset}: ${error.message}`)
      }
    }
  }
}

/** A signer without an owner. The paths of its wallet hold for every derived wallet. */
const template =
  `0x${keccak256(stringToHex('svc-sim/the signer of a template')).slice(26)}` as Address

/** The storage paths of a wallet, by network. */
async function recordPaths(
  simulator: Simulator,
  say: (line: string) => void,
): Promise<ReadonlyMap<NetworkName, SlotPath[]>> {
  const ask = askNetworks(simulator)
  const forked = [...simulator.forks.keys()]
  const blocks = await Promise.all(
    forked.map(
      async (network) => [network, Number(await ask(network, 'eth_blockNumber', []))] as const,
    ),
  )
  const book = loadAddressBook(simulator.forks)
  const recorder = createPathRecorder(ask, book, walletAddressOf(template), new Map(blocks))
  await touch(simulator, template, say, async (done) => {
    await recorder.look()
    if (done) await recorder.read(done)
  })
  return new Map(forked.map((network) => [network, recorder.pathsOn(network)]))
}

/** The slots that a transaction used, by address. */
type Prestate = Record<string, { storage?: Record<string, unknown> }>

/**
 * Finds the storage paths of a wallet's state in contracts, from its transactions and from the reads of the service.
 *
 * @param blocks The latest block of each network; earlier blocks are ignored.
 */
function createPathRecorder(
  ask: AskNetwork,
  book: AddressBook,
  wallet: Address,
  blocks: ReadonlyMap<NetworkName, number>,
) {
  const looked = new Map(blocks)
  const used = new Set<string>()
  const pathsByNetwork = new Map<NetworkName, Map<string, SlotPath>>()
  const add = (network: NetworkName, trace: SlotTrace): void => {
    const paths = pathsByNetwork.get(network) ?? new Map<string, SlotPath>()
    pathsByNetwork.set(network, paths)
    for (const path of pathsIn(trace, wallet)) paths.set(pathText(path), path)
  }
  /** Avoids slow traces of all steps: most transactions use no new slot but their nonce, which is in a contract of the simulator. */
  const usesMore = async (network: NetworkName, hash: Hex): Promise<boolean> => {
    const state = (await ask(network, 'debug_traceTransaction', [
      hash,
      { tracer: 'prestateTracer' },
    ])) as Prestate
    const own = new Set<string>(ownContracts(book.on(network)))
    const slots = Object.entries(state).flatMap(([address, { storage = {} }]) =>
      own.has(address) ? [] : Object.keys(storage).map((slot) => `${network} ${address} ${slot}`),
    )
    const before = used.size
    for (const slot of slots) used.add(slot)
    return used.size > before
  }
  const lookAt = async (network: NetworkName, number: number): Promise<void> => {
    const block = (await ask(network, 'eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      false,
    ])) as { transactions: Hex[] }
    for (const hash of block.transactions)
      if (await usesMore(network, hash))
        add(
          network,
          (await ask(network, 'debug_traceTransaction', [
            hash,
            { tracer: slotTracer },
          ])) as SlotTrace,
        )
  }
  return {
    /** Traces the new blocks. */
    async look(): Promise<void> {
      for (const [network, last] of looked) {
        const now = Number(await ask(network, 'eth_blockNumber', []))
        for (let number = last + 1; number <= now; number++) await lookAt(network, number)
        looked.set(network, now)
      }
    },
    /** Traces the service's reads of the wallet. */
    async read(network: NetworkName): Promise<void> {
      const request = async (method: string, params: readonly unknown[] = []) => {
        if (method === 'eth_call') {
          const [call] = params
          add(
            network,
            (await ask(network, 'debug_traceCall', [
              call,
              'latest',
              { tracer: slotTracer },
            ])) as SlotTrace,
          )
        }
        return ask(network, method, [...params])
      }
      const node = { network, rpc: { request } } as unknown as Node
      await createNetworkStateReader(book.on(network)).read(node, wallet)
    },
    /** Sorted, so that the order of discovery does not matter. */
    pathsOn: (network: NetworkName): SlotPath[] =>
      [...(pathsByNetwork.get(network) ?? [])]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, path]) => path),
  }
}
