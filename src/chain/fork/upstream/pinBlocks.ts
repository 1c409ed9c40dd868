import { toHex } from 'viem/utils'
import { networkNames, networkOf } from '../../../deployments/networks.js'
import { isoSeconds } from '../../../time/clock.js'
import type { AnswerCache } from './answerCache.js'
import { type ForkTarget, type ForkTargets, urlsOf } from './target.js'
import { createUpstream, type Upstream, type UpstreamOptions } from './upstream.js'

export interface FoundBlock {
  number: string
  hash: string
  /** Unix seconds. */
  timestamp: string
}

/** The last block of a network at or before a Unix second, by binary search. */
export async function lastBlockAt(upstream: Upstream, second: number): Promise<FoundBlock> {
  const head = await blockAt(upstream, 'latest')
  let best: FoundBlock | undefined = isBy(head, second) ? head : undefined
  let tooLate = Number(head.number) + (best ? 1 : 0)
  // Go back from the head in growing steps, because the moment is usually near it.
  for (let step = 1; !best && tooLate > 0; step *= 2) {
    const number = Math.max(0, tooLate - step)
    const block = await blockAt(upstream, toHex(number))
    if (isBy(block, second)) best = block
    else tooLate = number
  }
  if (!best)
    throw new Error(
      `${upstream.network} has no block at or before ${isoSeconds(1000 * second)}: it begins later`,
    )
  if (best === head && Number(head.timestamp) < second && second * 1000 > Date.now())
    throw new Error(
      `${isoSeconds(1000 * second)} is not over on ${upstream.network}. Choose an earlier moment`,
    )
  while (Number(best.number) + 1 < tooLate) {
    const middle = Math.floor((Number(best.number) + tooLate) / 2)
    const block = await blockAt(upstream, toHex(middle))
    if (isBy(block, second)) best = block
    else tooLate = middle
  }
  return best
}

/** Networks to fork, each at its block of one moment. */
export interface PinnedTargets {
  targets: ForkTargets
  /** Unix seconds. */
  moment: number
}

/** Finds the blocks of one moment: the given one, that of the given block, or the newest that all networks have reached. */
export async function pinBlocks(
  targets: ForkTargets,
  { at, ...options }: UpstreamOptions & { at?: number | undefined } = {},
): Promise<PinnedTargets> {
  const upstreams = networkNames.flatMap((network) => {
    const target = targets[network]
    return target ? [{ target, upstream: createUpstream(network, urlsOf(target), options) }] : []
  })
  try {
    const moment = at ?? (await momentOf(upstreams))
    const pinned = upstreams.map(async ({ target, upstream }) => {
      const { number } = await lastBlockAt(upstream, moment)
      return [upstream.network, { ...target, block: Number(number) }] as const
    })
    return { targets: Object.fromEntries(await Promise.all(pinned)), moment }
  } finally {
    for (const { upstream } of upstreams) upstream.close()
  }
}

interface OpenedTarget {
  target: ForkTarget
  upstream: Upstream
}

async function momentOf(upstreams: readonly OpenedTarget[]): Promise<number> {
  const given = upstreams.filter(({ target }) => target.block !== undefined)
  const [pinned] = given
  if (given.length > 1)
    throw new Error(
      `A bundle is of one moment, and blocks are given for ${given.map(({ upstream }) => upstream.network).join(' and ')}. Give the block of one network at most, or the moment with --at`,
    )
  if (pinned) {
    const { timestamp } = await blockAt(pinned.upstream, toHex(pinned.target.block!))
    return Number(timestamp)
  }
  const heads = await Promise.all(upstreams.map(({ upstream }) => blockAt(upstream, 'latest')))
  return Math.min(...heads.map(({ timestamp }) => Number(timestamp)))
}

async function blockAt(upstream: Upstream, tag: string): Promise<FoundBlock> {
  const block = await upstream.ask<FoundBlock | null>('eth_getBlockByNumber', [tag, false])
  if (block) return block
  throw new Error(
    `${upstream.network}: ${upstream.host} has no block ${tag.startsWith('0x') ? Number(tag) : tag}. Give a block or moment that it has`,
  )
}

function isBy({ timestamp }: FoundBlock, second: number): boolean {
  return Number(timestamp) <= second
}

/** The block to fork at. */
export async function findBlock(
  upstream: Upstream,
  wanted: number | undefined,
  moment: number | undefined,
): Promise<Pick<FoundBlock, 'number' | 'hash'>> {
  if (wanted === undefined && moment !== undefined) return lastBlockAt(upstream, moment)
  const tag = wanted === undefined ? 'latest' : toHex(wanted)
  const block = await upstream.ask<FoundBlock | null>('eth_getBlockByNumber', [tag, false])
  if (block) return block
  await checkChain(upstream)
  const head = Number(await upstream.ask<string>('eth_blockNumber', []))
  throw new Error(
    `${upstream.network} cannot be forked at block ${wanted}: ${upstream.host} is at block ${head}. Give a block up to that, or none for the newest`,
  )
}

/** Rejects when the upstream is another chain, or lacks the state of the block. Caches the result. */
export async function checkUpstream(
  upstream: Upstream,
  { number }: Pick<FoundBlock, 'number'>,
  cache: AnswerCache,
): Promise<void> {
  const { network } = upstream
  if (cache.get('checked') !== undefined) return
  await checkChain(upstream)
  // Any account will do: an endpoint without old state refuses all of them.
  const nobody = `0x${'0'.repeat(40)}`
  await upstream.ask('eth_getBalance', [nobody, number]).catch(({ message }: Error) => {
    throw new Error(
      `${network} cannot be forked at block ${Number(number)}: ${message}. Give a newer block, or an archive endpoint, which keeps the state of old ones`,
    )
  })
  cache.add('checked', true)
}

/** Rejects when the upstream is not the chain that a data folder was forked from. It may be offline. */
export async function expectSame(
  upstream: Upstream,
  { number, hash }: Pick<FoundBlock, 'number' | 'hash'>,
  remark: (text: string) => void,
): Promise<void> {
  const { network, host } = upstream
  const request = upstream.ask<FoundBlock | null>('eth_getBlockByNumber', [number, false])
  const block = await request.catch(({ message }: Error) => {
    remark(`continues from what its data folder has recorded: ${message}`)
    return 'nobody' as const
  })
  if (block === 'nobody' || block?.hash === hash) return
  await checkChain(upstream)
  const why = block
    ? `has another block ${Number(number)} than the one that the data folder was forked from (${block.hash} instead of ${hash})`
    : `has no block ${Number(number)}, from which the data folder was forked`
  throw new Error(
    `${network} cannot continue from ${host}, which ${why}. Give the endpoint that it was forked from, leave all --fork out to run from the recorded state, or name another --data-dir`,
  )
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
