import { toHex } from 'viem/utils'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { type NetworkName, networkOf } from '../../../deployments/networks.js'
import { unlessAborted } from '../../../lib/abort.js'
import { ownContracts } from '../install/installContracts.js'
import { type AnswerCache, cacheInMemory, cacheOver } from '../upstream/answerCache.js'
import { type CachedBlock, openCache } from '../upstream/cache.js'
import type { Budget } from '../upstream/pacedEndpoint.js'
import { checkUpstream, expectSame, findBlock } from '../upstream/pinBlocks.js'
import { startForkProxy } from '../upstream/proxy.js'
import { createSource, type NotRecorded } from '../upstream/source.js'
import { type ForkTarget, targetProblem, urlsOf } from '../upstream/target.js'
import { createUpstream, type Upstream } from '../upstream/upstream.js'
import type { RecordedNetwork } from './bundle.js'
import type { FolderPart, ForkRecording } from './folder.js'

/** A fork that can be started: it has the block, and something to answer from. */
export interface OpenFork {
  network: NetworkName
  /** Hosts of the upstream, the only part of its URLs that may be shown; `bundle` or `data folder` when there is none. */
  host: string
  block: number
  hash: string
  /** Whether unrecorded reads fail for want of an endpoint. */
  isRecordedOnly: boolean
  /** Arguments for the node. */
  args: readonly string[]
  /** How many requests the upstream has got. */
  sent(): number
  /** Whether the upstream is being asked something now. */
  isAsked(): boolean
  /** How many reads have had no answer. */
  failed(): number
  /** All that is known of the network at its block; what is found out of it can be kept there too. */
  cache: Omit<AnswerCache, 'close'>
  /** Tells of storage slots, from one to another, that only what happens here will ever be written to. */
  isOurs(address: string, from: bigint, to: bigint): void
  /** Tells of a sub-account, both addresses in lower case: of its wallet the network has nothing. */
  isWallet(wallet: string, signer: string): void
  /** Its start is over: from now on an answer must come in time for who waits for it. */
  started(): void
  close(): Promise<void>
}

/** Options shared by all openings. */
export interface Opening {
  cacheDir?: string | undefined
  budget?: Budget
  say?: (remark: string) => void
  signal?: AbortSignal | undefined
  /** Addresses to be taken for empty where nothing can be asked, or `signers`. */
  assumeEmpty?: readonly string[] | undefined
}

/** The record of a network in a bundle. */
export interface RecordedPart {
  /** Its moment, at which a network that it lacks is forked. Unix seconds. */
  moment: number
  /** Absent when it lacks the network. */
  recorded: RecordedNetwork | undefined
}

/** Facts about a network that need no request to its upstream. */
export interface KnownParts extends Partial<RecordedPart> {
  folder?: FolderPart | undefined
}

/** Milliseconds that a node waits for the proxy: longer than the proxy waits for the upstream, with its pauses. */
const nodeTimeoutMs = 60_000

/** Gas of a forked chain's blocks: mainnet's. */
const blockGas = 60_000_000

/** A network cannot be forked; the message says why and what to do, and shows of the URL the host only. */
export class ForkError extends Error {
  override name = 'ForkError'
}

/** How long one answer may take during a start: a little less than the node waits for it. */
const startPatienceMs = 50_000
/** And afterwards: less than a folio or a plan may take, so that its answer says why. */
const patienceMs = 20_000

/**
 * Checks the upstream of a network and puts a proxy before it. Rejects with `ForkError` when it does not answer, is another chain,
 * has no such block, or no longer the state of that block; soon, when the signal breaks it off.
 *
 * Of a network that a bundle has, the upstream is asked when something is missing, and not before. With a data folder it has to be the
 * chain that the folder was forked from, or not to answer at all.
 */
export async function openFork(
  network: NetworkName,
  target: ForkTarget,
  { cacheDir, budget, say = () => {}, signal }: Opening = {},
  { moment, recorded, folder }: KnownParts = {},
): Promise<OpenFork> {
  const problem = targetProblem(target) ?? blockProblem(target, { recorded, folder })
  if (problem) throw new ForkError(`${network} cannot be forked: ${problem}`)
  const remark = (text: string): void => say(`${network}: ${text}`)
  const upstream = createUpstream(network, urlsOf(target), {
    ...(budget && { budget }),
    patienceMs: startPatienceMs,
    say: remark,
  })
  let cache: AnswerCache | undefined
  try {
    const pin = folder?.pin ?? recorded
    const pinned = pin
      ? { number: toHex(pin.block), hash: pin.hash }
      : await unlessAborted(findBlock(upstream, target.block, moment), signal)
    if (folder?.pin) await unlessAborted(expectSame(upstream, pinned, remark), signal)
    const { chainId } = networkOf(network)
    const at = { chainId, block: Number(pinned.number), hash: pinned.hash }
    // A folder is its own cache.
    cache = folder
      ? await taking(folder, recorded)
      : await openPersisted(at, { cacheDir, remark, recorded })
    upstream.pin(pinned)
    // The node asks for it first of all.
    if (!pin)
      await cache.add(`eth_getBlockByNumber ${JSON.stringify([pinned.number, false])}`, pinned)
    await unlessAborted(checkUpstream(upstream, pinned, cache), signal)
    return await serve({ network, ...at, cache, upstream })
  } catch (error) {
    upstream.close()
    await cache?.close()
    throw new ForkError((error as Error).message)
  }
}

/** A network as a bundle, a data folder or both have it, and nothing else. It answers when what the bundle has is loaded. */
export async function openRecorded(
  network: NetworkName,
  recorded: RecordedNetwork | undefined,
  folder: FolderPart | undefined,
  loaded: Promise<void> | undefined,
  { assumeEmpty }: Pick<Opening, 'assumeEmpty'> = {},
): Promise<OpenFork> {
  const { block, hash } = (folder?.pin ?? recorded)!
  const cache = folder
    ? await taking(folder, recorded)
    : cacheOver(recorded!.answers, cacheInMemory())
  const recordedIn = recorded ? 'bundle' : 'data folder'
  return serve({ network, block, hash, cache, loaded, recordedIn, assumeEmpty })
}

async function openPersisted(
  at: CachedBlock,
  {
    cacheDir,
    remark,
    recorded,
  }: {
    cacheDir: string | undefined
    remark: (text: string) => void
    recorded: RecordedNetwork | undefined
  },
): Promise<AnswerCache> {
  const cache = cacheDir ? await openCache(cacheDir, at, remark) : cacheInMemory()
  return recorded ? cacheOver(recorded.answers, cache) : cache
}

/** What a bundle has goes into the folder too: a folder stands by itself. */
async function taking(
  { recording }: FolderPart,
  recorded: RecordedNetwork | undefined,
): Promise<ForkRecording> {
  const entries = [...(recorded?.answers ?? [])]
  await Promise.all(entries.map(([key, value]) => recording.add(key, value)))
  return recording
}

/** The source of a fork's answers. */
interface Served {
  network: NetworkName
  block: number
  hash: string
  cache: AnswerCache
  /** Nothing is answered before. */
  loaded?: Promise<void> | undefined
  upstream?: Upstream
  assumeEmpty?: readonly string[] | undefined
  /** Where its recording is; for one without an upstream. */
  recordedIn?: keyof typeof recordings
}

/** The error for unrecorded reads. */
const recordings = {
  bundle: (network) => ({
    runsFrom: 'a bundle',
    cure: `Record it: "svc-sim bundle create" with --account for whose account it is, take an address for empty with --assume-empty, or start with --bundle and --fork ${network}=URL, which requests missing state`,
  }),
  'data folder': (network) => ({
    runsFrom: 'what its data folder has recorded',
    cure: `Start with --data-dir and --fork ${network}=URL, which requests missing state`,
  }),
} as const satisfies Record<string, (network: NetworkName) => NotRecorded>

async function serve({
  network,
  block,
  hash,
  cache,
  loaded,
  upstream,
  recordedIn = 'bundle',
  assumeEmpty = [],
}: Served): Promise<OpenFork> {
  const own = ownContracts(loadAddressBook().on(network))
  const { chainId } = networkOf(network)
  const notRecorded = recordings[recordedIn](network)
  const source = createSource({
    network,
    chainId,
    block,
    own,
    cache,
    loaded,
    upstream,
    notRecorded,
    assumeEmpty,
  })
  const proxy = await startForkProxy(source)
  return {
    network,
    block,
    hash,
    host: upstream?.host ?? recordedIn,
    isRecordedOnly: upstream === undefined,
    args: nodeArgs(proxy.url, block),
    sent: () => upstream?.sent ?? 0,
    isAsked: () => upstream?.isAsked ?? false,
    failed: source.failed,
    cache,
    isOurs: source.isOurs,
    isWallet: source.isWallet,
    started() {
      if (upstream) upstream.patienceMs = patienceMs
      source.started()
    },
    close: proxy.close,
  }
}

/** What a bundle or a data folder has is of its own block. */
function blockProblem({ block }: ForkTarget, { recorded, folder }: KnownParts) {
  const pin = folder?.pin
  if (block === undefined) return undefined
  if (pin && block !== pin.block)
    return `the data folder has it at block ${pin.block}, and not at ${block}. Leave @${block} out, or name another --data-dir`
  if (recorded && block !== recorded.block)
    return `the bundle has it at block ${recorded.block}, and not at ${block}. Leave @${block} out`
  return undefined
}

function nodeArgs(url: string, block: number): string[] {
  return [
    ...['--fork-url', url, '--fork-block-number', String(block)],
    // The proxy waits, retries, and caches the answer.
    ...['--retries', '0', '--timeout', String(nodeTimeoutMs)],
    ...['--no-rate-limit', '--no-storage-caching'],
    // As offline nodes have it. By default the node takes the rules of the block's day, under which our contracts may not run.
    ...['--hardfork', 'bpo1'],
    // Some networks name none that bounds anything, and an endless loop would hold the node up for good.
    ...['--gas-limit', String(blockGas)],
  ]
}
