import { toHex } from 'viem/utils'
import { networkOf } from '../../../deployments/networks.js'
import type { AnswerCache } from './answerCache.js'
import { type FoundBlock, lastBlockAt } from './pinBlocks.js'
import type { Upstream } from './upstream.js'

/** The block to fork at, in one request where it is there. */
export async function findBlock(
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

/** Throws when the upstream is another chain, or has not the state of the block. What was found once for this very block is not asked again. */
export async function checkUpstream(
  upstream: Upstream,
  { number }: Pick<FoundBlock, 'number'>,
  cache: AnswerCache,
): Promise<void> {
  const { network } = upstream
  if (cache.get('checked') !== undefined) return
  await checkChain(upstream)
  // Any account will do: an endpoint that keeps no old state refuses all alike.
  const nobody = `0x${'0'.repeat(40)}`
  await upstream.ask('eth_getBalance', [nobody, number]).catch(({ message }: Error) => {
    throw new Error(
      `${network} cannot be forked at block ${Number(number)}: ${message}. Give a newer block, or an archive endpoint, which keeps the state of old ones`,
    )
  })
  cache.add('checked', true)
}

/** Throws when the upstream is not what a data folder was forked from. One that does not answer may do so later. */
export async function expectSame(
  upstream: Upstream,
  { number, hash }: Pick<FoundBlock, 'number' | 'hash'>,
  remark: (text: string) => void,
): Promise<void> {
  const { network, host } = upstream
  const asked = upstream.ask<FoundBlock | null>('eth_getBlockByNumber', [number, false])
  const found = await asked.catch(({ message }: Error) => {
    remark(`continues from what its data folder has recorded: ${message}`)
    return 'nobody' as const
  })
  if (found === 'nobody' || found?.hash === hash) return
  await checkChain(upstream)
  const why = found
    ? `has another block ${Number(number)} than the one that the data folder was forked from (${found.hash} instead of ${hash})`
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
