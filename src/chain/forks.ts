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

export interface ForksOptions {
  /** The offline world, with the hash of its inputs. */
  world: { hash: string; files: Record<NetworkName, string> }
  /** The networks to fork, and from where; the others are offline. */
  origins: ForkOrigins
  /** Whether answers that the bundle lacked are added to it at the end. */
  saveBundle?: boolean
  /** Where forks cache answers, and how many requests they may send. */
  forkLimits?: ForkLimits
  progress: (step: string) => void
  /** Aborts the start: it ends what has been started, and rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

export interface StartedForks {
  /** Where each network is forked; undefined when none is. */
  pins: Partial<Record<NetworkName, ForkPin>> | undefined
  /** Resolves when all preparations are made. */
  prepared: Promise<unknown>
  /** Arguments for their nodes. */
  args: Partial<Record<NetworkName, readonly string[]>>
  /** How many reads of a network have failed so far. */
  failedReads(network: NetworkName): number
  /** What a data folder persists of them. */
  parts: readonly LoggedPart[]
  /** From now on, everything that is read is written to this log. */
  keepIn(log: DataLog): Promise<void>
  /** Prepares the nodes; new ones also get what every fork begins with. */
  installOn(nodes: Nodes, areNew: boolean): Promise<Forks>
  /** Writes everything read so far to a folder. */
  saveBundle(
    folder: string,
    about: Omit<Bundle, 'networks'>,
    known?: (network: NetworkName) => AccountKnowledge,
  ): Promise<void>
  /** To be called after the nodes have ended. */
  close(): Promise<void>
  /** Adds new answers of endpoints to the bundle, if `saveBundle` is set. */
  addToSourceBundle(): Promise<void>
}

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
  addToSourceBundle: async () => {},
}

/** @param cache The forks of a data folder. */
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
  prepared.catch(() => {}) // its callers handle the rejection
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
    async addToSourceBundle() {
      if (options.saveBundle && bundle && origins.bundle)
        await addToBundle(origins.bundle, bundleOf(open, bundle))
    },
  }
}
