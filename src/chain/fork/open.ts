import { toHex } from 'viem/utils'
import { unlessAborted } from '../../lib/abort.js'
import { loadAddressBook } from '../deployments/addressBook.js'
import { type NetworkName, networkOf } from '../deployments/networks.js'
import { ownContracts } from './graft.js'
import { type ForkProxy, startForkProxy } from './proxy.js'
import { type ForkTarget, targetProblem } from './target.js'
import { createUpstream, type Upstream } from './upstream.js'

/** A fork that can be started: its upstream answers, is the right chain, and has the block. */
export interface OpenFork {
  network: NetworkName
  /** Host of the upstream, the only part of its URL that may be shown. */
  host: string
  block: number
  /** Arguments for the node. */
  args: readonly string[]
  close(): Promise<void>
}

/** Milliseconds that a node waits for the proxy: longer than the proxy waits for the upstream, with its pauses. */
const nodeTimeoutMs = 60_000

/** Gas of a forked chain's blocks: mainnet's. */
const blockGas = 60_000_000

/** A network cannot be forked; the message says why and what to do, and shows of the URL the host only. */
export class ForkError extends Error {
  override name = 'ForkError'
}

/**
 * Checks the upstream of a network and puts a proxy before it. Rejects with `ForkError` when it does not answer, is another chain,
 * has no such block, or no longer the state of that block; soon, when the signal breaks it off.
 */
export async function openFork(
  network: NetworkName,
  target: ForkTarget,
  signal?: AbortSignal,
): Promise<OpenFork> {
  const problem = targetProblem(target)
  if (problem) throw new ForkError(`${network} cannot be forked: ${problem}`)
  const upstream = createUpstream(network, target.url)
  let proxy: ForkProxy | undefined
  try {
    const block = await unlessAborted(check(upstream, target.block), signal)
    proxy = await startForkProxy(upstream, ownContracts(loadAddressBook().on(network)))
    const args = [
      ...['--fork-url', proxy.url, '--fork-block-number', String(block)],
      // The proxy waits and asks again; a cache on disk would outlive the run.
      ...['--retries', '0', '--timeout', String(nodeTimeoutMs)],
      ...['--no-rate-limit', '--no-storage-caching'],
      // As offline nodes have it. By default the node takes the rules of the block's day, under which our contracts may not run.
      ...['--hardfork', 'bpo1'],
      // Some networks name none that bounds anything, and an endless loop would hold the node up for good.
      ...['--gas-limit', String(blockGas)],
    ]
    return { network, host: upstream.host, block, args, close: proxy.close }
  } catch (error) {
    upstream.close()
    await proxy?.close()
    throw new ForkError((error as Error).message)
  }
}

/** The block to fork at. */
async function check(upstream: Upstream, wanted: number | undefined): Promise<number> {
  const { network, host } = upstream
  const { chainId } = networkOf(network)
  const [answered, newest] = await Promise.all([
    upstream.ask<string>('eth_chainId', []),
    upstream.ask<string>('eth_blockNumber', []),
  ])
  if (Number(answered) !== chainId)
    throw new Error(
      `${network} cannot be forked: ${host} is chain ${Number(answered)}, but ${network} is ${chainId}. Give the URL of a ${network} endpoint`,
    )
  const head = Number(newest)
  if (wanted !== undefined && wanted > head)
    throw new Error(
      `${network} cannot be forked at block ${wanted}: ${host} is at block ${head}. Give a block up to that, or none for the newest`,
    )
  const block = wanted ?? head
  const tag = toHex(block)
  // Any account will do: an endpoint that keeps no old state refuses all alike.
  await upstream.ask('eth_getBalance', [`0x${'0'.repeat(40)}`, tag]).catch(({ message }: Error) => {
    throw new Error(
      `${network} cannot be forked at block ${block}: ${message}. Give a newer block, or an archive endpoint, which keeps the state of old ones`,
    )
  })
  return block
}
