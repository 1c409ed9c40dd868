import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FaultRuleInput, SimulatorHandle } from '../../src/index.js'
import { type KindRow, kindRows, prepare } from './kindRows.js'
import { type Holding, ledgerOf, tracked } from './ledger.js'
import { type Drift, type Meeting, type Pair, persistent } from './meetings.js'
import { sensibleClient } from './sensibleClient.js'
import { createSimulator } from './simulator.js'
import { openUser, type User } from './user.js'

/**
 * A kind of plan meets a fault in the middle of it, and the client does the sensible next thing (plans again, asks again, waits): it is
 * confirmed once, with the money where it would be without the fault.
 */
export function testPairs(pairs: readonly Pair[]): void {
  const rows = kindRows.filter((row) => pairs.some(([other]) => other === row))
  let sim: SimulatorHandle
  let books: ReturnType<typeof ledgerOf>
  let prepared: string
  const users = new Map<string, User>()

  beforeAll(async () => {
    sim = await createSimulator({
      seed: 1n,
      clock: 'frozen',
      bridgeDelayMs: 0,
      readTimeoutMs: 2_000,
    })
    books = ledgerOf(sim)
    for (const row of rows) {
      const user = await openUser(sim)
      await prepare(user, row)
      users.set(row.name, user)
    }
    await sim.clock.advance(86_400)
    prepared = await sim.snapshot('prepared')
  }, 300_000)
  afterAll(() => sim.close())

  /** Where the plans act, and where they bridge from. */
  const networks = ['base', 'arbitrum'] as const

  async function holdings(user: User): Promise<Holding[]> {
    return Promise.all(networks.map((network) => books.holding(network, user.wallet)))
  }

  /** The figures of holdings by their names. */
  function figures(value: object, prefix = ''): [string, bigint][] {
    return Object.entries(value).flatMap(([key, each]) =>
      typeof each === 'bigint' ? [[prefix + key, each]] : figures(each, `${prefix}${key}.`),
    ) as [string, bigint][]
  }

  /** Shares of a thousand by which a figure may differ. */
  const tolerance: Record<Drift, bigint> = { none: 0n, time: 1n, price: 130n, loss: 600n }

  /**
   * What a small rest may differ by, in smallest units. What is left of a loan grows by the interest of some minutes on the whole:
   * a thousandth of a dollar is plenty. A worse price eats the room that an exact-out swap of 300 dollars has brought: 1 % of it.
   */
  const room: Record<Drift, bigint> = { none: 0n, time: 1_000n, price: 3_100_000n, loss: 1_000n }

  function expectAlike(after: Holding[], wanted: Holding[], drift: Drift, story: string): void {
    const reference = new Map(figures(wanted))
    for (const [name, value] of figures(after)) {
      const target = reference.get(name)!
      const difference = value > target ? value - target : target - value
      const allowed = (target * tolerance[drift]) / 1000n + room[drift]
      expect(difference <= allowed, `${name}: ${value}, not ${target}. ${story}`).toBe(true)
    }
  }

  /** How the row ends when nothing goes wrong. */
  const undisturbed = new Map<string, Holding[]>()

  async function withoutFault(row: KindRow): Promise<Holding[]> {
    const user = users.get(row.name)!
    await sim.restore(prepared)
    const ending = await client(row, {}, []).want(row.path, row.body)
    expect(ending.story).toEqual(['201', '200', 'confirmed'])
    return holdings(user)
  }

  function client(row: KindRow, { hangs = false, fault }: Partial<Meeting>, before: Holding[]) {
    const user = users.get(row.name)!
    return sensibleClient(sim, user, {
      hangs,
      /** What the fault has taken is given again. */
      async refill() {
        if (fault !== 'plan.stale by balance') return
        for (const [i, { wallet }] of (await holdings(user)).entries())
          for (const asset of tracked) {
            const missing = before[i]!.wallet[asset] - wallet[asset]
            if (missing > 0n) await user.fund(networks[i]!, asset, missing)
          }
      },
      /** First only for what is under way, then for what is due soon, then past every deadline, then without the fault. */
      async wait(round) {
        // Nothing moves a clock while a chain does not answer.
        if (round > 2 || fault === 'chain.down') await sim.faults.clear()
        await sim.clock.advance([0, 60, 700][round] ?? 0)
      },
    })
  }

  describe.each(rows.map((row) => [row.name, row] as const))('%s', (_, row) => {
    test.each(pairs.filter(([other]) => other === row).map(([, meeting]) => meeting))(
      'behavior: after $fault it is confirmed once, with the money where it belongs',
      async (meeting) => {
        const { fault, effect, match, drift = 'none' } = meeting
        const wanted = undisturbed.get(row.name) ?? (await withoutFault(row))
        undisturbed.set(row.name, wanted)
        const user = users.get(row.name)!
        await sim.restore(prepared)
        const before = await holdings(user)
        const confirmedBefore = await confirmedCount(user)
        const on = fault.split('.')[0]!
        const isStanding = persistent.includes(fault)
        const narrowed = {
          ...(isStanding || on === 'chain' ? {} : { account_id: user.id }),
          ...match?.(row),
        }
        await sim.faults.add({
          on,
          effect,
          ...(Object.keys(narrowed).length > 0 ? { match: narrowed } : {}),
          ...(isStanding ? {} : { times: 1 }),
        } as FaultRuleInput)
        const ending = await client(row, meeting, before)
          .want(row.path, row.body)
          // What stands must not stand in the way of the next test, either.
          .finally(() => sim.faults.clear())
        await sim.clock.advance(0)
        const story = ending.story.join('; ')
        expect(ending.status, story).toBe('confirmed')
        expect(await confirmedCount(user), story).toBe(confirmedBefore + 1)
        expectAlike(await holdings(user), wanted, drift, story)
      },
    )
  })

  async function confirmedCount(user: User): Promise<number> {
    const { body } = await user.api.get(`${user.path}/activities`)
    const { activities } = body as { activities: { activity_status: string }[] }
    expect(activities.filter(({ activity_status }) => activity_status === 'pending')).toEqual([])
    return activities.filter(({ activity_status }) => activity_status === 'confirmed').length
  }
}
