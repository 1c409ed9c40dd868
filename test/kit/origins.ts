import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, keccak256, toHex } from 'viem'
import { expect } from 'vitest'
import { writeBundle } from '../../src/chain/fork/bundle/bundle.js'
import {
  createSimulator,
  type ForkTargets,
  type SimulatorHandle,
  type SimulatorOptions,
} from '../../src/index.js'
import type { Upstream } from './upstream.js'
import { openUser } from './user.js'

/** Where a suite's forks come from, in this order. */
export const origins = ['upstream', 'bundle'] as const

type Origin = (typeof origins)[number]

/**
 * Runs a suite of forks twice: first from its upstreams, of which a bundle is made meanwhile by `saveBundle`, and then from that bundle
 * alone. Both times its users have the same keys, so that the second pass reads what the first has read. A bundle is only as good as its
 * first pass: the two are run together, and a test that is left out of the first is left out of the second too.
 */
export function twoOrigins() {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'))
  let keys = 0
  const nextKey = (): Hex => keccak256(toHex(`key ${++keys}`))
  return {
    /** Starts the simulator of one pass, whose forks are at `fork`. */
    async start(
      origin: Origin,
      upstreams: readonly Upstream[],
      { fork = {}, ...options }: SimulatorOptions,
    ): Promise<SimulatorHandle> {
      keys = 0
      for (const upstream of upstreams) upstream.asked.length = 0
      if (origin === 'bundle') {
        const sim = await createSimulator({ ...options, bundle: folder })
        const networks = upstreams.map(({ book }) => book.network)
        expect([...sim.forks.keys()].sort()).toEqual(networks.sort())
        return sim
      }
      // So far it has nothing.
      await writeBundle(folder, { madeBy: 'test', moment: 0, accounts: [], networks: new Map() })
      const heads = await Promise.all(upstreams.map(atHead(fork)))
      return createSimulator({
        ...{ ...options, bundle: folder, saveBundle: true },
        fork: Object.fromEntries(heads),
      })
    },
    /** Ends it; of a pass from the bundle nobody may have been asked anything. */
    async end(
      origin: Origin,
      upstreams: readonly Upstream[],
      sim: SimulatorHandle | undefined,
    ): Promise<void> {
      await sim?.close()
      if (origin === 'bundle')
        expect(upstreams.map(({ asked }) => asked)).toEqual(upstreams.map(() => []))
    },
    nextKey,
    /** With the next key, which is the same in both passes. */
    openUser: (sim: SimulatorHandle, key = nextKey()) => openUser(sim, key),
  }
}

/** At its newest block: no block is as old as the moment of the bundle. */
const atHead = (fork: ForkTargets) => async (upstream: Upstream) => {
  const { network } = upstream.book
  const block = Number(await upstream.rpc.request<Hex>('eth_blockNumber'))
  return [network, { block, ...fork[network]! }] as const
}
