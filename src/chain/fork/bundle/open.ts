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

export interface OpenFork {
  network: NetworkName
  /** Hosts of the upstream, the only part of its URLs that may be shown; without an upstream, `bundle` or `data folder`. */
  host: string
  block: number
  hash: string
  /** Whether unrecorded reads fail for want of an endpoint. */
  isRecordedOnly: boolean
  /** Arguments for the node. */
  args: readonly string[]
  /** The number of requests to the upstream. */
  sent(): number
  /** Whether a request to the upstream is in progress. */
  isAsked(): boolean
  /** The number of reads without an answer. */
  failed(): number
  /** All answers at the block, and what was derived from them. */
  cache: Omit<AnswerCache, 'close'>
  /** Tells of storage slots, from one to another, that only what happens here will ever be written to. */
  isOurs(address: string, from: bigint, to: bigint): void
  /** Announces a sub-account, both addresses in lower case: its wallet does not exist on the network. */
  isWallet(wallet: string, signer: string): void
  /** Ends the longer time limits of the start. */
  started(): void
  close(): Promise<void>
}

/** Options shared by all openings. */
export interface Opening {
  cacheDir?: string | undefined
  budget?: Budget
  say?: (remark: string) => void
  signal?: AbortSignal | undefined
  /** Addresses that are assumed to be empty if there is no endpoint, or `signers`. */
  assumeEmpty?: readonly string[] | undefined
}

/** The record of a network in a bundle. */
export interface RecordedPart {
  /** The moment of the bundle, at which networks that it lacks are forked. Unix seconds. */
  moment: number
  /** Absent when the bundle lacks the network. */
  recorded: RecordedNetwork | undefined
}

export interface KnownParts extends Partial<RecordedPart> {
  folder?: FolderPart | undefined
}

/** How long a node waits for the proxy: longer than the proxy waits for the upstream. Milliseconds. */
const nodeTimeoutMs = 60_000

/** Gas of a forked chain's blocks: mainnet's. */
const blockGas = 60_000_000

/** The message says why a network cannot be forked, and what to do; of a URL it shows only the host. */
export class ForkError extends Error {
  override name = 'ForkError'
}

/** How long an answer may take during a start: a little less than `nodeTimeoutMs`. */
const startPatienceMs = 50_000
/** How long an answer may take after the start: less than a folio or plan may, so that their errors can name the reason. */
const patienceMs = 20_000

/**
 * Checks the upstream of a network and starts a proxy in front of it. Rejects with `ForkError` when the upstream does not answer, is
 * another chain, or lacks the block or its state.
 *
 * If a bundle has the network, the upstream gets requests only for missing answers. With a data folder, the upstream must be the chain
 * that the folder was forked from, but may be offline.
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
    cache = folder
      ? await taking(folder, recorded)
      : await openPersisted(at, { cacheDir, remark, recorded })
    upstream.pin(pinned)
    // The node's first request.
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

/** A network that is answered from a bundle, a data folder or both. Answers wait until the bundle is loaded. */
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

/** Copies the answers of a bundle into the folder, which must not depend on the bundle. */
async function taking(
  { recording }: FolderPart,
  recorded: RecordedNetwork | undefined,
): Promise<ForkRecording> {
  const entries = [...(recorded?.answers ?? [])]
  await Promise.all(entries.map(([key, value]) => recording.add(key, value)))
  return recording
}

interface Served {
  network: NetworkName
  block: number
  hash: string
  cache: AnswerCache
  /** Answers wait for it. */
  loaded?: Promise<void> | undefined
  upstream?: Upstream
  assumeEmpty?: readonly string[] | undefined
  /** The origin of the answers of a fork without an upstream. */
  recordedIn?: keyof typeof recordings
}

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

/** A bundle or a data folder has answers of one block only. */
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
    // As on offline nodes. By default the node takes the rules of the block's day, under which our contracts may not run.
    ...['--hardfork', 'bpo1'],
    // Some networks have no effective limit, and an endless loop would block the node for ever.
    ...['--gas-limit', String(blockGas)],
  ]
}
