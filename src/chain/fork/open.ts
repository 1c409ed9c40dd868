import { toHex } from 'viem/utils'
import { unlessAborted } from '../../lib/abort.js'
import { loadAddressBook } from '../deployments/addressBook.js'
import { type NetworkName, networkOf } from '../deployments/networks.js'
import type { Budget } from './budget.js'
import type { RecordedNetwork } from './bundle.js'
import { openCache } from './cache.js'
import { ownContracts } from './graft.js'
import { type Kept, keptInMemory, keptOver } from './kept.js'
import { type FoundBlock, lastBlockAt } from './moment.js'
import { startForkProxy } from './proxy.js'
import { createSource } from './source.js'
import { type ForkTarget, targetProblem, urlsOf } from './target.js'
import { createUpstream, type Upstream } from './upstream.js'

/** A fork that can be started: it has the block, and something to answer from. */
export interface OpenFork {
  network: NetworkName
  /** Hosts of the upstream, the only part of its URLs that may be shown; `bundle` when there is none. */
  host: string
  block: number
  hash: string
  /** Whether there is nobody to ask for what is not recorded. */
  isRecordedOnly: boolean
  /** Arguments for the node. */
  args: readonly string[]
  /** How many requests the upstream has got. */
  sent(): number
  /** All that is known of the network at its block; what is found out of it can be kept there too. */
  kept: Omit<Kept, 'close'>
  /** Tells of a storage slot that only what happens here will ever be written to. */
  isOurs(address: string, slot: string): void
  /** Its start is over: from now on an answer must come in time for who waits for it. */
  started(): void
  close(): Promise<void>
}

/** What openings have in common. */
export interface Opening {
  cacheDir?: string | undefined
  budget?: Budget
  say?: (remark: string) => void
  signal?: AbortSignal | undefined
}

/** What a bundle says of a network. */
export interface RecordedPart {
  /** Its moment, at which a network that it lacks is forked. Unix seconds. */
  moment: number
  /** Absent when it lacks the network. */
  recorded: RecordedNetwork | undefined
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
 * Of a network that a bundle has, the upstream is asked when something is missing, and not before.
 */
export async function openFork(
  network: NetworkName,
  target: ForkTarget,
  { cacheDir, budget, say = () => {}, signal }: Opening = {},
  { moment, recorded }: Partial<RecordedPart> = {},
): Promise<OpenFork> {
  const problem = targetProblem(target) ?? blockProblem(target, recorded)
  if (problem) throw new ForkError(`${network} cannot be forked: ${problem}`)
  const remark = (text: string): void => say(`${network}: ${text}`)
  const upstream = createUpstream(network, urlsOf(target), {
    ...(budget && { budget }),
    patienceMs: startPatienceMs,
    say: remark,
  })
  let kept: Kept | undefined
  try {
    const found = recorded
      ? { number: toHex(recorded.block), hash: recorded.hash }
      : await unlessAborted(findBlock(upstream, target.block, moment), signal)
    const { chainId } = networkOf(network)
    const at = { chainId, block: Number(found.number), hash: found.hash }
    kept = cacheDir ? await openCache(cacheDir, at, remark) : keptInMemory()
    if (recorded) kept = keptOver(recorded.answers, kept)
    upstream.pin(found)
    // The node asks for it first of all.
    if (!recorded) kept.add(`eth_getBlockByNumber ${JSON.stringify([found.number, false])}`, found)
    await unlessAborted(check(upstream, found, kept), signal)
    return await serve(network, at, kept, upstream)
  } catch (error) {
    upstream.close()
    await kept?.close()
    throw new ForkError((error as Error).message)
  }
}

/** A network as a bundle has it, and nothing else. It answers when that is loaded. */
export function openRecorded(
  network: NetworkName,
  { block, hash, answers }: RecordedNetwork,
  loaded: Promise<void>,
): Promise<OpenFork> {
  return serve(network, { block, hash }, keptOver(answers, keptInMemory()), undefined, loaded)
}

async function serve(
  network: NetworkName,
  { block, hash }: { block: number; hash: string },
  kept: Kept,
  upstream: Upstream | undefined,
  loaded?: Promise<void>,
): Promise<OpenFork> {
  const own = ownContracts(loadAddressBook().on(network))
  const { chainId } = networkOf(network)
  const source = createSource({ network, chainId, block, own, kept, loaded, upstream })
  const proxy = await startForkProxy(source)
  return {
    ...{ network, block, hash, host: upstream?.host ?? 'bundle' },
    isRecordedOnly: upstream === undefined,
    args: nodeArgs(proxy.url, block),
    sent: () => upstream?.sent ?? 0,
    kept,
    isOurs: source.isOurs,
    started() {
      if (upstream) upstream.patienceMs = patienceMs
      source.started()
    },
    close: proxy.close,
  }
}

/** What a bundle has is of its own block. */
function blockProblem({ block }: ForkTarget, recorded: RecordedNetwork | undefined) {
  if (!recorded || block === undefined || block === recorded.block) return undefined
  return `the bundle has it at block ${recorded.block}, and not at ${block}. Leave @${block} out`
}

function nodeArgs(url: string, block: number): string[] {
  return [
    ...['--fork-url', url, '--fork-block-number', String(block)],
    // The proxy waits and asks again, and keeps what was answered.
    ...['--retries', '0', '--timeout', String(nodeTimeoutMs)],
    ...['--no-rate-limit', '--no-storage-caching'],
    // As offline nodes have it. By default the node takes the rules of the block's day, under which our contracts may not run.
    ...['--hardfork', 'bpo1'],
    // Some networks name none that bounds anything, and an endless loop would hold the node up for good.
    ...['--gas-limit', String(blockGas)],
  ]
}

/** The block to fork at, in one request where it is there. */
async function findBlock(
  upstream: Upstream,
  wanted: number | undefined,
  moment: number | undefined,
): Promise<Pick<FoundBlock, 'number' | 'hash'>> {
  if (wanted === undefined && moment !== undefined) return lastBlockAt(upstream, moment)
  const tag = wanted === undefined ? 'latest' : toHex(wanted)
  const found = await upstream.ask<FoundBlock | null>('eth_getBlockByNumber', [tag, false])
  if (found) return found
  await checkChain(upstream)
  const head = Number(await upstream.ask<string>('eth_blockNumber', []))
  throw new Error(
    `${upstream.network} cannot be forked at block ${wanted}: ${upstream.host} is at block ${head}. Give a block up to that, or none for the newest`,
  )
}

/** What was found once for this very block needs no finding out again. */
async function check(
  upstream: Upstream,
  { number }: Pick<FoundBlock, 'number'>,
  kept: Kept,
): Promise<void> {
  const { network } = upstream
  if (kept.get('checked') !== undefined) return
  await checkChain(upstream)
  // Any account will do: an endpoint that keeps no old state refuses all alike.
  const nobody = `0x${'0'.repeat(40)}`
  await upstream.ask('eth_getBalance', [nobody, number]).catch(({ message }: Error) => {
    throw new Error(
      `${network} cannot be forked at block ${Number(number)}: ${message}. Give a newer block, or an archive endpoint, which keeps the state of old ones`,
    )
  })
  kept.add('checked', true)
}

async function checkChain(upstream: Upstream): Promise<void> {
  const { network, host } = upstream
  const { chainId } = networkOf(network)
  const answered = Number(await upstream.ask<string>('eth_chainId', []))
  if (answered !== chainId)
    throw new Error(
      `${network} cannot be forked: ${host} is chain ${answered}, but ${network} is ${chainId}. Give the URL of a ${network} endpoint`,
    )
}
