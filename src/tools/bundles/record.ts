import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Address } from 'viem'
import { pinTargets } from '../../chain/fork/upstream/moment.js'
import type { ForkLimits, ForkTargets } from '../../chain/fork/upstream/target.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { unlessAborted } from '../../lib/abort.js'
import { packageFile } from '../../lib/files/packageFile.js'
import { startSimulator } from '../../simulator/sim.js'
import { isoSeconds } from '../../time/clock.js'
import { clientOf } from './client.js'
import { readPools } from './pools.js'
import { touchPrices } from './prices.js'
import { touch } from './touch.js'

/** What is recorded. */
export interface RecordOptions extends ForkLimits {
  fork: ForkTargets
  /** Folder to write it to. */
  out: string
  /** Signers whose accounts, and addresses to which plans transfer. */
  accounts: readonly Address[]
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
  const { targets, moment } = await pinTargets(fork, { at, say })
  say(`the moment is ${isoSeconds(moment * 1000)}`)
  const simulator = await startSimulator({
    fork: targets,
    ...(forkCache === undefined ? {} : { forkCache }),
    ...(forkMaxRequests === undefined ? {} : { forkMaxRequests }),
    ...(signal ? { signal } : {}),
    onProgress: say,
    noUi: true,
    bridgeDelayMs: 0,
  })
  const client = clientOf(simulator)
  const work = async (): Promise<void> => {
    for (const network of simulator.forks.keys())
      await readPools(loadAddressBook().on(network), async (...at) =>
        BigInt(String(await client.rpc(network, 'eth_getStorageAt', [...at, 'latest']))),
      )
    say('moving prices')
    await touchPrices(client, say)
    await simulator.snapshots.reset()
    for (const account of accounts) {
      say(`${account}: making plans of every kind`)
      await touch(simulator, account, say)
      // The next one must find the markets as they were.
      await simulator.snapshots.reset()
    }
    await simulator.saveBundle(out, { madeBy: ownVersion(), moment, accounts })
  }
  try {
    await unlessAborted(work(), signal)
  } finally {
    await simulator.close()
  }
}

function ownVersion(): string {
  const text = readFileSync(packageFile('package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
