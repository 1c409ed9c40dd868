import type { NetworkName } from '../deployments/networks.js'
import { unlessAborted } from '../lib/abort.js'
import type { DataLog, LoggedPart } from '../wal/dataLog.js'
import type { ForkPin } from '../wal/manifest.js'
import type { Bundle } from './fork/bundle/bundle.js'
import type { FolderForks } from './fork/bundle/folder.js'
import type { Forks } from './fork/install/forkedNetwork.js'
import type { AccountKnowledge } from './fork/upstream/emptyAccounts.js'
import type { ForkLimits, ForkOrigins } from './fork/upstream/target.js'
import type { Nodes } from './rpc/node.js'

/** What forks are started from. */
export interface ForksOptions {
  /** The offline world and the hash of what it was built from. */
  world: { hash: string; files: Record<NetworkName, string> }
  /** What networks are forked from; the others are offline. */
  origins: ForkOrigins
  /** Whether what was asked for besides is added to the bundle at the end. */
  saveBundle?: boolean
  /** What forks keep, and how much they may ask. */
  forkLimits?: ForkLimits
  progress: (step: string) => void
  /** Breaks the start off: what has been started is ended, and it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** The forks of a start, from before the nodes to their end. */
export interface StartedForks {
  /** Where each network is forked; undefined when none is. */
  pins: Partial<Record<NetworkName, ForkPin>> | undefined
  /** Resolves when it is known what they begin with; rejects with the reason why that cannot be found out. */
  prepared: Promise<unknown>
  /** Arguments for their nodes. */
  args: Partial<Record<NetworkName, readonly string[]>>
  /** How many reads of a network have failed so far. */
  failedReads(network: NetworkName): number
  /** What a data folder keeps of them. */
  parts: readonly LoggedPart[]
  /** From now on what is read is kept in this log. */
  keepIn(log: DataLog): Promise<void>
  /** Makes the nodes ready; with what a fork gets at its beginning where they are new. */
  installOn(nodes: Nodes, areNew: boolean): Promise<Forks>
  /** Writes what has been read so far to a folder. */
  saveBundle(
    folder: string,
    about: Omit<Bundle, 'networks'>,
    known?: (network: NetworkName) => AccountKnowledge,
  ): Promise<void>
  /** After the nodes. */
  close(): Promise<void>
  /** Adds what was asked for besides to the bundle, where that was wanted. */
  saveBack(): Promise<void>
}

/** Where no network is forked. */
export const noForks: StartedForks = {
  pins: undefined,
  prepared: Promise.resolve(),
  args: {},
  failedReads: () => 0,
  parts: [],
  keepIn: async () => {},
  installOn: async () => new Map(),
  async saveBundle() {
    throw new Error('a bundle is of forked networks, and none is forked')
  },
  close: async () => {},
  saveBack: async () => {},
}

/**
 * Opens what networks are forked from.
 *
 * @param cache What a data folder has of them.
 */
export async function openAll(options: ForksOptions, cache?: FolderForks): Promise<StartedForks> {
  const { world, origins, forkLimits, progress, signal } = options
  const { bundleOf, installForks, openForks, prepareForks, reportRequests } = await import(
    './fork/bundle/start.js'
  )
  const { addToBundle, writeBundle } = await import('./fork/bundle/bundle.js')
  const { open, bundle } = await openForks(origins, { ...forkLimits, say: progress, signal }, cache)
  const goesOn = (network: NetworkName): boolean => cache?.of(network)?.pin !== undefined
  const prepare = async () => {
    await bundle?.loaded
    return prepareForks(open, { world, goesOn, progress, signal })
  }
  const prepared = reportRequests(open, progress, prepare())
  prepared.catch(() => {}) // whoever waits for it hears of that
  const recordings = cache?.recordings(open.map(({ network }) => network)) ?? []
  const saveBundle: StartedForks['saveBundle'] = (folder, about, known) =>
    writeBundle(folder, bundleOf(open, about, known))
  return {
    pins: Object.fromEntries(open.map(({ network, block, hash }) => [network, { block, hash }])),
    prepared,
    args: Object.fromEntries(open.map((each) => [each.network, each.args])),
    failedReads: (network) => open.find((each) => each.network === network)?.failed() ?? 0,
    parts: recordings.map(({ part }) => part),
    async keepIn(log) {
      await Promise.all(recordings.map((recording) => recording.keepIn(log)))
    },
    async installOn(nodes, areNew) {
      const how = { areNew, progress }
      return unlessAborted(installForks(nodes, await prepared, how), signal)
    },
    saveBundle,
    async close() {
      await Promise.all(open.map((each) => each.close()))
      await prepared.catch(() => {})
    },
    async saveBack() {
      if (options.saveBundle && bundle && origins.bundle)
        await addToBundle(origins.bundle, bundleOf(open, bundle))
    },
  }
}
