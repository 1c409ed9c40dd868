import type { Address } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { type ChainReads, readsOf } from '../kit/chainReads.js'
import { startUpstream, type Upstream } from '../kit/upstream.js'
import { type ActivityBody, openUser } from '../kit/user.js'

/** A forked node keeps what was first written in blocks that are taken back; here nothing of them may stay. */

const network = 'optimism'
const friend: Address = '0x00000000000000000000000000000000000f41e7'
const swap = { network, sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: '1000000' }
const transfer = { network, asset: 'USDC', amount: '2000000', recipient: friend }
let upstream: Upstream
let sim: SimulatorHandle
let chain: ChainReads
beforeAll(async () => {
  upstream = await startUpstream(network)
  const fork = { [network]: { url: upstream.url } }
  sim = await createSimulator({ clock: 'frozen', seed: 7n, rpcUnsafe: true, fork })
  chain = readsOf(sim)
})
beforeEach(() => sim.reset())
afterAll(async () => {
  await sim?.close()
  await upstream?.stop()
})

test.each([
  ['anvil_rollback', []],
  ['anvil_reorg', [[]]],
] as const)(
  'default: a swap and a transfer that %s takes back are made again, once, by a wallet that is deployed again',
  async (method, more) => {
    const user = await openUser(sim)
    await user.fund(network, 'USDC', 5_000_000n)
    const before = Number(await chain.request(network, 'eth_blockNumber'))
    const ids = []
    for (const [kind, body] of [
      ['swap', swap],
      ['transfer', transfer],
    ] as const)
      ids.push((await user.run(kind, body)).activity.activity_id)
    const money = async () => [
      await chain.balance(network, 'USDC', user.wallet),
      await chain.balance(network, 'WETH', user.wallet),
      await chain.balance(network, 'USDC', friend),
    ]
    const moved = await money()
    expect(moved).toEqual([2_000_000n, moved[1], 2_000_000n])
    // Twice: the second time what was made again is taken back.
    for (let round = 0; round < 2; round++) {
      const depth = Number(await chain.request(network, 'eth_blockNumber')) - before
      await chain.request(network, method, [depth, ...more])
      await sim.clock.advance(1)
      for (const id of ids) {
        const { body } = await user.api.get(`/activities/${id}`)
        const { activity_status, activity_metadata } = body as ActivityBody
        const [{ revert_reason }] = activity_metadata as [ActivityBody['activity_metadata'][0]]
        expect([activity_status, revert_reason]).toEqual(['confirmed', null])
      }
      expect(await money()).toEqual(moved)
    }
  },
)

test('behavior: what the fault reorg keeps is mined again, and what it drops is sent again', async () => {
  const user = await openUser(sim)
  await user.fund(network, 'USDC', 5_000_000n)
  for (const [round, keep] of [true, false].entries()) {
    await sim.faults.add({ on: 'chain', effect: { reorg: { depth: 2, keep } }, times: 1 })
    const { activity } = await user.run('transfer', { ...transfer, amount: '1000000' })
    await sim.clock.advance(1)
    const { body } = await user.api.get(`/activities/${activity.activity_id}`)
    expect(body.activity_status).toBe('confirmed')
    expect(await chain.balance(network, 'USDC', friend)).toBe(BigInt(round + 1) * 1_000_000n)
  }
})
