import { readFile } from 'node:fs/promises'
import { unlessAborted } from '../lib/abort.js'
import type { ClockStart, ClockState } from '../time/clock.js'
import { clearDataFolder, type DataFolder, openDataFolder } from '../wal/dataFolder.js'
import type { LoggedPart } from '../wal/dataLog.js'
import { type Origin, readAnyManifest } from '../wal/manifest.js'
import { type Recovered, recover } from '../wal/recover.js'
import { type NetworkName, networkNames, perNetwork } from './deployments/networks.js'
import type { Bundle } from './fork/bundle.js'
import type { Forks } from './fork/forkedNetwork.js'
import { areForked, type ForkLimits, type ForkOrigins } from './fork/target.js'
import { machineTime, meetInTime } from './meetInTime.js'
import { anvilVersion } from './node/anvil.js'
import type { NodeDeath, NodeRevival } from './node/launch.js'
import type { Nodes } from './node/node.js'
import type { NodeCommand } from './node/nodeCommand.js'
import { type NodesOptions, startNodes } from './node/nodes.js'
import { logCommands } from './persistence/commands.js'
import { lockDataDir } from './persistence/dataDirLock.js'
import { findOldFolder, type OldFolder, removeOldFolder } from './persistence/oldFolder.js'

/** What the chains of a simulator are started from. */
export interface ChainsOptions {
  /** The offline world and the hash of what it was built from. */
  world: { hash: string; files: Record<NetworkName, string> }
  /** Where chains and store survive a restart; nothing is kept when absent. */
  dataDir: string | undefined
  /** How the clock runs; the chains follow it from their first block. As the data folder was left when absent, or else real. */
  clock: ClockStart | undefined
  /** What networks are forked from; the others are offline. */
  origins: ForkOrigins
  /** Whether what was asked for besides is added to the bundle at the end. */
  saveBundle?: boolean
  /** What forks keep, and how much they may ask. */
  forkLimits?: ForkLimits
  onDeath: (death: NodeDeath) => void
  progress: (step: string) => void
  /** Breaks the start off: what has been started is ended, and it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** A data folder that is in use, and the chains as parts of it. */
export interface KeptData {
  folder: DataFolder
  /** What an older version has left here; from now on it is in the folder's own files. */
  old: OldFolder | undefined
  /** These and the chains are all the parts there are. Resolves when what an older version left is not needed any more. */
  keep(parts: readonly LoggedPart[]): Promise<void>
}

/** The running chains. */
export interface Chains {
  nodes: Nodes
  /** The clock whose time the chains have. */
  clock: ClockState
  /** Where everything is kept; undefined without a data folder. */
  data: KeptData | undefined
  forks: Forks
  /** Writes what has been read of the forked networks so far to a folder. */
  saveBundle(folder: string, about: Omit<Bundle, 'networks'>): Promise<void>
  /** Has a data folder written down, so that the next start has nothing to do again. */
  writeDown(): Promise<void>
  /** Ends the nodes. */
  stop(): Promise<void>
}

/** Starts the five nodes from the data folder's chains, or else from the offline world and forks. */
export async function startChains(options: ChainsOptions): Promise<Chains> {
  const { dataDir } = options
  if (areForked(options.origins)) return startWithForks(options)
  if (dataDir === undefined) {
    const { nodes, clock } = await startFrom(options, { loadState: options.world.files })
    return {
      nodes,
      clock,
      data: undefined,
      ...nothingForked,
      writeDown,
      stop: () => nodes.stop(),
    }
  }
  return startKept(options, dataDir)
}

/** Everything that ever changed the chains is in the folder. */
async function startKept(options: ChainsOptions, dataDir: string): Promise<Chains> {
  const { world, progress } = options
  const lock = await lockDataDir(dataDir)
  try {
    const say = (message: string): void => progress(`${dataDir}: ${message}`)
    const origin = { worldHash: world.hash, anvilVersion: anvilVersion() }
    const old = await oldFolderIn(dataDir, origin, say)
    const folder = await openDataFolder(dataDir, origin, (cause) =>
      say(`not written down: ${cause.message}; the log goes on`),
    )
    const { recovered } = folder
    for (const remark of recovered.remarks) say(remark)
    const replayed = networkNames.reduce(
      (sum, name) => sum + (recovered.changes[name]?.length ?? 0),
      0,
    )
    if (!recovered.isNew)
      say(
        lock.previousRunWasUnclean
          ? `the run before ended suddenly; nothing is lost, ${replayed} commands of the chains are done again`
          : 'going on where it stood',
      )
    const chainParts: LoggedPart[] = []
    const kept = (await keptClock(recovered)) ?? old?.clock
    const loadState = perNetwork(
      ({ name }) => recovered.files[name] ?? old?.loadState[name] ?? world.files[name],
    )
    const { nodes, clock } = await startFrom(
      { ...options, clock: options.clock ?? kept, hasKeptClock: options.clock === undefined },
      {
        loadState,
        onRevival: (revival) => say(revivalText(revival)),
        async gateway(seat) {
          const { network } = seat
          const commands = logCommands(seat, loadState[network], folder, say)
          const isSame = await commands.replay((recovered.changes[network] ?? []) as NodeCommand[])
          if (!isSame) say(`${network}: other blocks came out than before; balances may differ`)
          chainParts.push(commands.part)
          return commands
        },
      },
    )
    await folder.append('clock', clock)
    return {
      nodes,
      clock,
      data: {
        folder,
        old,
        async keep(parts) {
          folder.keep([...chainParts, ...parts])
          if (!old) return
          await folder.checkpoint()
          await removeOldFolder(dataDir)
          say('what an older version kept here was taken over')
        },
      },
      ...nothingForked,
      writeDown: () => folder.checkpoint(),
      async stop() {
        // The nodes first: what waits for one of them then comes to its end.
        await nodes.stop()
        await folder.close()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

function revivalText({ network, code, signal, tookMs }: NodeRevival): string {
  const how = signal ?? `exit code ${code}`
  return `the ${network} node ended (${how}), and was started again from the log within ${Math.ceil(tookMs)} ms: all blocks are there again, snapshots are gone`
}

/** What is to be taken over from an older version. */
async function oldFolderIn(
  dataDir: string,
  origin: Origin,
  say: (remark: string) => void,
): Promise<OldFolder | undefined> {
  const old = await findOldFolder(dataDir, origin)
  if (!old) return undefined
  const manifest = await readAnyManifest(dataDir)
  const found = manifest && (await recover(dataDir, manifest, false)).recovered
  // Until all is taken over, nothing is written down and the store does nothing of its own.
  const isInUse = found !== undefined && ('store' in found.files || 'store' in found.changes)
  // A take-over that did not come to its end begins anew: nothing was told before its end.
  if (!isInUse) await clearDataFolder(dataDir)
  else
    say(
      'files of an older version (store.json, chains) lie beside what is in use, and are left alone',
    )
  return isInUse ? undefined : old
}

/** Some networks forked, the others from the offline world; all in memory. */
async function startWithForks(options: ChainsOptions): Promise<Chains> {
  const { world, origins, forkLimits, dataDir, progress, signal } = options
  if (dataDir !== undefined)
    throw new Error(
      'a data folder cannot hold forked networks: what a node saves of a fork lacks all that it only read upstream. Leave out --data-dir, or --fork and --bundle',
    )
  const { bundleOf, equipForks, openForks, prepareForks, tellRequests } = await import(
    './fork/start.js'
  )
  const { addToBundle, writeBundle } = await import('./fork/bundle.js')
  const { open, bundle } = await openForks(origins, { ...forkLimits, say: progress, signal })
  const closeAll = () => Promise.all(open.map((each) => each.close()))
  const saveBundle: Chains['saveBundle'] = (folder, about) =>
    writeBundle(folder, bundleOf(open, about))
  let starting: ReturnType<typeof startFrom> | undefined
  try {
    const forked = open.map(({ network }) => network)
    const offline = networkNames.filter((network) => !forked.includes(network))
    const loadState = Object.fromEntries(offline.map((name) => [name, world.files[name]]))
    const args = Object.fromEntries(open.map((each) => [each.network, each.args]))
    // The nodes start meanwhile.
    starting = startFrom(options, { loadState, args })
    starting.catch(() => {})
    await bundle?.loaded
    const preparing = prepareForks(open, { world, progress, signal })
    const preparations = await tellRequests(open, progress, preparing)
    const { nodes, clock } = await starting
    const forks = await unlessAborted(equipForks(nodes, preparations, progress), signal)
    return {
      nodes,
      clock,
      data: undefined,
      forks,
      saveBundle,
      writeDown,
      async stop() {
        await nodes.stop()
        await closeAll()
        if (options.saveBundle && bundle && origins.bundle)
          await addToBundle(origins.bundle, bundleOf(open, bundle))
      },
    }
  } catch (error) {
    // Without answers its nodes end at once, where they have not started.
    await closeAll()
    await starting?.then(
      ({ nodes }) => nodes.stop(),
      () => {},
    )
    throw error
  }
}

/** Without forks. */
const nothingForked: Pick<Chains, 'forks' | 'saveBundle'> = {
  forks: new Map(),
  async saveBundle() {
    throw new Error('a bundle is of forked networks, and none is forked')
  },
}

/** Where nothing is kept. */
const writeDown = async (): Promise<void> => {}

/** The clock as the folder was left with it. */
async function keptClock({ files, changes }: Recovered): Promise<ClockState | undefined> {
  const last = changes.clock?.at(-1)
  if (last !== undefined) return last as ClockState
  return files.clock === undefined ? undefined : JSON.parse(await readFile(files.clock, 'utf8'))
}

/** The nodes, at the time of the clock, and the state in which the clock is then. */
async function startFrom(
  { onDeath, clock = machineTime, signal, ...others }: ChainsOptions & { hasKeptClock?: boolean },
  how: Pick<NodesOptions, 'loadState' | 'args' | 'gateway' | 'onRevival'>,
): Promise<{ nodes: Nodes; clock: ClockState }> {
  const nodes = await startNodes({ ...how, onDeath, signal })
  try {
    return { nodes, clock: await unlessAborted(meetInTime(nodes, clock, others), signal) }
  } catch (error) {
    await nodes.stop()
    throw error
  }
}
