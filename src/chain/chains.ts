import { readFile } from 'node:fs/promises'
import { type NetworkName, networkNames, perNetwork } from '../deployments/networks.js'
import { unlessAborted } from '../lib/abort.js'
import type { ClockStart, ClockState } from '../time/clock.js'
import { type DataFolder, openDataFolder } from '../wal/dataFolder.js'
import type { LoggedPart } from '../wal/dataLog.js'
import { clearDataFolder } from '../wal/folderFiles.js'
import { type Origin, readAnyManifest } from '../wal/manifest.js'
import { type Recovered, recover } from '../wal/recover.js'
import type { Forks } from './fork/install/forkedNetwork.js'
import { areForked } from './fork/upstream/target.js'
import { type ForksOptions, noForks, openAll, type StartedForks } from './forks.js'
import { logCommands } from './persistence/commands.js'
import { lockDataDir } from './persistence/dataDirLock.js'
import { expectImported } from './persistence/importFolder.js'
import { anvilVersion } from './process/anvil.js'
import type { NodeDeath, NodeRevival } from './process/launch.js'
import { type NodesOptions, type StartedNodes, startNodes } from './process/nodes.js'
import type { NodeCommand } from './rpc/commandLog.js'
import { alignClocks, machineTime } from './transactions/time.js'

export interface ChainsOptions extends ForksOptions {
  /** Folder in which chains and store survive a restart; nothing is persisted when absent. */
  dataDir: string | undefined
  /** The clock of the chains; by default as in the data folder, or real. */
  clock: ClockStart | undefined
  onDeath: (death: NodeDeath) => void
  /** How many recent blocks the nodes keep with their transactions; all when absent. */
  keepBlocks?: number | undefined
}

/** A data folder in use, with the chains as parts of it. */
export interface PersistedData {
  folder: DataFolder
  /** Registers the remaining parts. Call it once: with the chains, they are all that the folder persists. */
  keep(parts: readonly LoggedPart[]): void
}

export interface Chains {
  nodes: StartedNodes
  /** The clock that the chains follow. */
  clock: ClockState
  /** Undefined without a data folder. */
  data: PersistedData | undefined
  forks: Forks
  /** Writes everything read from the forked networks so far to a folder. */
  saveBundle: StartedForks['saveBundle']
  /** Writes a checkpoint of the data folder, so that the next start replays nothing. */
  checkpoint(): Promise<void>
  /**
   * Ends the nodes, or returns lent ones to their lender. Only the simulators of the tests are lent nodes: there `lastingMethods`, the
   * methods called by clients whose effects a reset does not undo, decide whether the nodes are lent again.
   */
  stop(lastingMethods?: ReadonlySet<string>): Promise<void>
  /** After `stop`: adds new answers of endpoints to the bundle, if `saveBundle` is set. Rejects when the bundle cannot take them. */
  addToSourceBundle(): Promise<void>
}

/** Starts the five nodes from the data folder's chains, or else from the offline world and forks. */
export async function startChains(options: ChainsOptions): Promise<Chains> {
  const { dataDir, world, origins } = options
  if (dataDir !== undefined) return startPersisted(options, dataDir)
  const forks = areForked(origins) ? await openAll(options) : noForks
  let starting: ReturnType<typeof startFrom> | undefined
  try {
    const loadState = Object.fromEntries(
      networkNames.flatMap((name) => (forks.pins?.[name] ? [] : [[name, world.files[name]]])),
    )
    // The nodes start while the forks are prepared.
    starting = startFrom(options, forks, { loadState })
    starting.catch(() => {})
    await forks.prepared
    const started = await starting
    return {
      ...started,
      data: undefined,
      forks: await forks.installOn(started.nodes, true),
      saveBundle: forks.saveBundle,
      checkpoint: async () => {},
      async stop() {
        await started.nodes.stop()
        await forks.close()
      },
      addToSourceBundle: forks.addToSourceBundle,
    }
  } catch (error) {
    // Closing the forks first makes forked nodes that are still starting end at once.
    await forks.close()
    await starting?.then(
      ({ nodes }) => nodes.stop(),
      () => {},
    )
    throw error
  }
}

/** Starts from a data folder, which has every change of the chains and everything read from forked networks. */
async function startPersisted(options: ChainsOptions, dataDir: string): Promise<Chains> {
  const lock = await lockDataDir(dataDir)
  const ending: (() => Promise<void>)[] = [() => lock.release()]
  const end = async (): Promise<void> => {
    for (const stop of ending.splice(0).reverse()) await stop()
  }
  try {
    const say = (message: string): void => options.progress(`${dataDir}: ${message}`)
    expectImported(dataDir)
    const origin = { worldHash: options.world.hash, anvilVersion: anvilVersion() }
    const { folder, forks } = await openChainFolder(
      options,
      { dataDir, origin, say, expectHeld: lock.expectHeld },
      ending,
    )
    reportRecovered(folder.recovered, lock.previousRunWasUnclean, say)
    await forks.prepared
    const started = await startOn(options, { folder, forks, say })
    // Nodes end first, which also ends whatever waits for one of them.
    ending.push(() => started.nodes.stop())
    const installed = await forks.installOn(started.nodes, folder.recovered.isNew)
    // With this record the folder counts as begun.
    await folder.append('clock', started.clock)
    return {
      nodes: started.nodes,
      clock: started.clock,
      data: {
        folder,
        keep: (parts) => folder.keep([...started.parts, ...forks.parts, ...parts]),
      },
      forks: installed,
      saveBundle: forks.saveBundle,
      checkpoint: () => folder.checkpoint(),
      async stop() {
        const ending = end()
        lock.isReleasedBy(ending)
        await ending
      },
      addToSourceBundle: forks.addToSourceBundle,
    }
  } catch (error) {
    await end()
    throw error
  }
}

function reportRecovered(
  { isNew, remarks, changes }: Recovered,
  wasUnclean: boolean,
  say: (remark: string) => void,
): void {
  for (const remark of remarks) say(remark)
  if (isNew) return
  const replayed = networkNames.reduce((sum, name) => sum + (changes[name]?.length ?? 0), 0)
  say(
    wasUnclean
      ? `the last run ended suddenly; nothing is lost, ${replayed} commands of the chains are replayed`
      : 'resumed',
  )
}

/**
 * The time of block 0, in Unix seconds: before all blocks of the offline world. A node creates block 0 at every start, by default with the
 * present time.
 */
const blockZeroSeconds = Date.parse('2025-01-01T00:00:00Z') / 1000

/** Starts the nodes from the folder, with its log in front of them. */
async function startOn(
  options: ChainsOptions,
  { folder, forks, say }: Pick<ChainFolder, 'say'> & { folder: DataFolder; forks: StartedForks },
): Promise<{ nodes: StartedNodes; clock: ClockState; parts: LoggedPart[] }> {
  const { recovered } = folder
  const parts: LoggedPart[] = []
  const savedClock = await persistedClock(recovered)
  const begun = ({ name }: { name: NetworkName }): string | undefined =>
    forks.pins?.[name] ? undefined : options.world.files[name]
  const loadState = perNetwork((network) => recovered.files[network.name] ?? begun(network))
  const args = perNetwork(({ name }) =>
    forks.pins?.[name] ? forks.args[name] : ['--timestamp', String(blockZeroSeconds)],
  )
  const started = await startFrom(
    {
      ...options,
      clock: options.clock ?? savedClock,
      hasPersistedClock: options.clock === undefined,
    },
    { ...forks, args },
    {
      loadState,
      onRevival: (revival) => say(revivalText(revival)),
      async commandLog(handle) {
        const { network } = handle
        const nodeOrigin = {
          file: loadState[network],
          failedReads: () => forks.failedReads(network),
        }
        const commands = logCommands(handle, nodeOrigin, folder, say)
        const isSame = await commands.replay((recovered.changes[network] ?? []) as NodeCommand[])
        if (!isSame) say(`${network}: other blocks came out than before; balances may differ`)
        parts.push(commands.part)
        return commands
      },
    },
  )
  return { ...started, parts }
}

function revivalText({ network, code, signal, tookMs }: NodeRevival): string {
  const how = signal ?? `exit code ${code}`
  return `the ${network} node ended (${how}), and was started again from the log within ${Math.ceil(tookMs)} ms: all blocks are there again, snapshots are gone`
}

/** The last state of the clock in the folder. */
async function persistedClock({ files, changes }: Recovered): Promise<ClockState | undefined> {
  const last = changes.clock?.at(-1)
  if (last !== undefined) return last as ClockState
  return files.clock === undefined ? undefined : JSON.parse(await readFile(files.clock, 'utf8'))
}

/** Starts the nodes and sets them to the time of the clock; resolves to them and to the state of the clock. */
async function startFrom(
  {
    onDeath,
    clock = machineTime,
    signal,
    hasPersistedClock = false,
    keepBlocks,
  }: ChainsOptions & { hasPersistedClock?: boolean },
  { args, pins }: StartedForks,
  how: Pick<NodesOptions, 'commandLog' | 'onRevival'> & {
    loadState: Partial<Record<NetworkName, string | undefined>>
  },
): Promise<{ nodes: StartedNodes; clock: ClockState }> {
  const nodes = await startNodes({ ...how, args, onDeath, signal, keepBlocks })
  try {
    const meeting = alignClocks(nodes, clock, { areForked: pins !== undefined, hasPersistedClock })
    return { nodes, clock: await unlessAborted(meeting, signal) }
  } catch (error) {
    await nodes.stop()
    throw error
  }
}

/** A data folder before its nodes are started. */
export interface ChainFolder {
  dataDir: string
  origin: Origin
  say: (remark: string) => void
  /** Rejects when the folder is not that of this process any more. */
  expectHeld(): Promise<void>
}

/** Opens the folder and its forks. A new folder gets the requested forks; an existing one has its own. */
export async function openChainFolder(
  options: ForksOptions,
  { dataDir, origin, say, expectHeld }: ChainFolder,
  ending: (() => Promise<void>)[],
): Promise<{ folder: DataFolder; forks: StartedForks }> {
  const { origins } = options
  const open = async (pins?: StartedForks['pins']): Promise<DataFolder> => {
    const onProblem = (cause: Error): void =>
      say(`checkpoint failed: ${cause.message}; the log continues`)
    const folder = await openDataFolder(dataDir, origin, { onProblem, forks: pins, expectHeld })
    ending.push(() => folder.close())
    return folder
  }
  await clearUnfinished(dataDir)
  const manifest = await readAnyManifest(dataDir)
  const early = manifest && (await open())
  if (!areForked(origins) && !manifest?.forks)
    return { folder: early ?? (await open()), forks: noForks }
  const { newForks, recoverForks } = await import('./fork/bundle/folder.js')
  const kept = early
    ? await recoverForks(dataDir, manifest?.forks, early.recovered)
    : newForks(dataDir)
  const forks = await openAll(options, kept)
  ending.push(() => forks.close())
  const folder = early ?? (await open(forks.pins))
  await forks.keepIn(folder)
  return { folder, forks }
}

/** Clears the folder of an unfinished first start on forks, which has returned nothing yet; the next one may use other blocks. */
async function clearUnfinished(dataDir: string): Promise<void> {
  const manifest = await readAnyManifest(dataDir)
  if (!manifest?.forks) return
  const { files, changes } = (await recover(dataDir, manifest, false)).recovered
  if (!files.clock && !changes.clock) await clearDataFolder(dataDir)
}
