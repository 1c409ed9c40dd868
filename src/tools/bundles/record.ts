import { existsSync, readdirSync } from 'node:fs'
import type { Address } from 'viem'
import { formatUnits, keccak256, parseUnits, stringToHex } from 'viem/utils'
import { pinBlocks } from '../../chain/fork/upstream/pinBlocks.js'
import type { SlotPath } from '../../chain/fork/upstream/slotPaths.js'
import type { ForkLimits, ForkTargets } from '../../chain/fork/upstream/target.js'
import { walletAddressOf } from '../../chain/wallet/wallet.js'
import {
  answerOf,
  type ControlClient,
  createControl,
  RefusedError,
} from '../../clients/control/controlClient.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import { unlessAborted } from '../../lib/abort.js'
import { packageVersion } from '../../lib/files/packageFile.js'
import { type Simulator, startSimulator } from '../../simulator/sim.js'
import { isoSeconds } from '../../time/clock.js'
import { askNetworks, traceWithinMs } from './client.js'
import { createPathRecorder } from './pathRecorder.js'
import { readPools } from './pools.js'
import { touch } from './touch.js'

/** What is recorded. */
export interface RecordOptions extends ForkLimits {
  fork: ForkTargets
  /** Folder to write it to. */
  out: string
  /** Signers whose accounts, and addresses to which plans transfer. */
  accounts: readonly Address[]
  /** Addresses to be taken for empty whenever the bundle is used, or `signers`. */
  assumeEmpty?: readonly string[]
  /** Unix seconds; when absent the newest that all networks have reached. */
  at: number | undefined
  /** Whether what is in the folder may be replaced. */
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

/** To where prices are moved and back, in hundredths: what lies between has then been read in both directions. */
const stations = [110n, 90n]

const decimals = 8

/**
 * Moves the price of each asset up and down, so that all that a move reads of feeds, oracles and pools is kept. What cannot be moved is
 * remarked on. The prices stay moved.
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

/** A signer that nobody is: what is found out about its wallet holds for any wallet that is derived here. */
const template =
  `0x${keccak256(stringToHex('svc-sim/the signer of a template')).slice(26)}` as Address

/** By network, where contracts keep what they know of a wallet. */
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
