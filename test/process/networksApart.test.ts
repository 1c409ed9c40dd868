import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { endBy, ends, removeImages } from '../kit/ends.js'
import { type ActivityBody, executed, openUser, type User, userAt } from '../kit/user.js'

/** A plan that sends on several networks at once, one of which hangs, over the end of the simulator. */

const folders: string[] = []
afterAll(removeImages)
const running: SimulatorHandle[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((sim) => sim.close()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

async function start(dataDir: string): Promise<SimulatorHandle> {
  const sim = await createSimulator({ dataDir, clock: 'frozen', bridgeDelayMs: 60_000 })
  running.push(sim)
  return sim
}

const whole = 1_000_000n

async function outcomes(user: User, id: string) {
  const { activity_status, activity_metadata } = (await user.api.get(`/activities/${id}`))
    .body as ActivityBody
  const items = activity_metadata.map((item) => [item.action_type, item.chain_id, item.success])
  return { activity_status, items }
}

const claims = (base: boolean | null) => [
  ['CLAIM_REWARDS', 8453, base],
  ['CLAIM_REWARDS', 42161, true],
]

const hangs = {
  'chain.halt': { on: 'chain', effect: 'halt', match: { network: 'base' } },
  'execute.stuck': { on: 'execute', effect: 'stuck', match: { network: 'base' } },
} as const

test.each(
  Object.keys(hangs).flatMap((hang) =>
    ends.map((how) => [hang as keyof typeof hangs, how] as const),
  ),
)('default: a claim on two networks, one behind %s, over %s', async (hang, how) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sim-apart-'))
  folders.push(folder)
  const first = await start(folder)
  const before = await openUser(first)
  for (const network of ['base', 'arbitrum'] as const) {
    await before.fund(network, 'USDC', 1_000n * whole)
    const body = { asset: 'USDC', network, protocol: 'compound', amount: `${900n * whole}` }
    await executed(first, before, 'earn', body)
  }
  await first.clock.advance(30 * 86_400)
  await first.faults.add(hangs[hang])
  const id = await executed(first, before, 'claim-rewards', { asset: 'COMP' })
  const pending = { activity_status: 'pending', items: expect.arrayContaining(claims(null)) }
  expect(await outcomes(before, id)).toEqual(pending)
  const claimed = await readsOf(first).balance('arbitrum', 'COMP', before.wallet)
  expect(claimed).toBeGreaterThan(0n)

  const second = await start(await endBy(first, folder, how))
  const user = userAt(second, before)
  await second.clock.advance(0)
  // A clean stop lifts a halt, and what was stuck is sent the usual way at the next start.
  const stillHangs = hang === 'chain.halt' && how === 'a sudden end'
  if (stillHangs) expect(await outcomes(user, id)).toEqual(pending)
  await second.faults.clear()
  await second.clock.advance(1)
  expect(await outcomes(user, id)).toEqual({
    activity_status: 'confirmed',
    items: expect.arrayContaining(claims(true)),
  })
  // Once each.
  const reads = readsOf(second)
  expect(await reads.balance('arbitrum', 'COMP', user.wallet)).toBe(claimed)
  expect(await reads.balance('base', 'COMP', user.wallet)).toBeGreaterThan(0n)
})

test.each(ends)(
  'behavior: two deposits, one network halted, over %s: the other has arrived, and the money moves once',
  async (how) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-sim-apart-'))
    folders.push(folder)
    const first = await start(folder)
    const before = await openUser(first)
    for (const network of ['arbitrum', 'mainnet'] as const)
      await before.fund(network, 'USDC', 100n * whole)
    await first.faults.add({ on: 'chain', effect: 'halt', match: { network: 'mainnet' } })
    const recipient = '0x00000000000000000000000000000000000f41e7'
    const transfer = { asset: 'USDC', network: 'base', amount: `${150n * whole}`, recipient }
    const id = await executed(first, before, 'transfer', transfer)
    const half = async (user: User) => {
      const { activity_status, items } = await outcomes(user, id)
      expect(activity_status).toBe('pending')
      expect(items).toEqual(
        expect.arrayContaining([
          ['BRIDGE', 42161, true],
          ['BRIDGE', 1, null],
        ]),
      )
    }
    await half(before)
    const second = await start(await endBy(first, folder, how))
    const user = userAt(second, before)
    await second.clock.advance(120)
    if (how === 'a sudden end') await half(user)
    await second.faults.clear()
    await second.clock.advance(120)
    expect((await outcomes(user, id)).activity_status).toBe('confirmed')
    expect(await readsOf(second).balance('base', 'USDC', recipient)).toBe(150n * whole)
  },
)
