import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { effects } from '../../src/faults/effects/index.js'
import { seamOf } from '../../src/faults/rules/rules.js'
import { createSimulator, type FaultRuleInput, type SimulatorHandle } from '../../src/index.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { asksQuotes } from '../../src/service/plans/model/kind.js'
import { type KindRow, kindRows, prepare } from '../kit/kindRows.js'
import { type Holding, ledgerOf, tracked } from '../kit/ledger.js'
import { sensibleClient } from '../kit/sensibleClient.js'
import { openUser, type User } from '../kit/user.js'

/**
 * Every kind of plan meets every fault in the middle of it, and the client does the sensible next thing (plans again, asks
 * again, waits). It ends in one of two ways: confirmed once, with the money where it would be without the fault, or refused
 * with nothing moved.
 */

/** How far the end may be from that of a run without faults. */
type Drift =
  | 'none'
  /** Time goes by, and interest with it. */
  | 'time'
  /** Prices have moved, or an exchange settles worse. */
  | 'price'
  /** The bridge keeps half of what it should have delivered. */
  | 'loss'

interface Meeting {
  /** `seam.effect`, and a word where an effect is met in several ways. */
  fault: string
  effect: string | Record<string, object>
  /** What the rule is narrowed to, besides the account. */
  match?: (row: KindRow) => object
  /** Rows that meet it; all when absent. What does not touch the chains is met by the direct ones alone. */
  only?: 'bridged' | 'direct' | 'quoted'
  drift?: Drift
  /** Answers that never come are given up. */
  hangs?: boolean
}

const onPlan = ({ path }: KindRow) => ({ path: `/accounts/*/plan/${path}` })
const onExecute = () => ({ path: '/accounts/*/plan/execute' })
const onBase = () => ({ network: 'base' })

/** A fault of requests, met once by the plan and once by its execution. */
function bothWays(name: string, settings?: object, more: Partial<Meeting> = {}): Meeting[] {
  const effect = settings ? { [name]: settings } : name
  return [
    { fault: `request.${name} of the plan`, effect, match: onPlan, only: 'direct', ...more },
    { fault: `request.${name} of the execution`, effect, match: onExecute, ...more },
  ]
}

const meetings: readonly Meeting[] = [
  ...bothWays('latency', { ms: 1000 }, { hangs: true, drift: 'time' }),
  ...bothWays('hang', undefined, { hangs: true }),
  ...bothWays('respond', { error: 'internal_error' }),
  ...bothWays('reset_before'),
  ...bothWays('reset_after'),
  ...bothWays('truncate'),
  ...bothWays('rate_limit'),
  {
    fault: 'request.respond after the execution',
    effect: { respond: { error: 'internal_error', done: true } },
    match: onExecute,
  },
  { fault: 'folio.latency', effect: { latency: { ms: 1000 } }, hangs: true, drift: 'time' },
  { fault: 'folio.timeout', effect: 'timeout', only: 'direct' },
  { fault: 'folio.serve_stale', effect: 'serve_stale', only: 'direct' },
  { fault: 'quote.unavailable', effect: 'unavailable', only: 'quoted' },
  { fault: 'quote.http_error', effect: 'http_error', only: 'quoted' },
  { fault: 'quote.timeout', effect: 'timeout', only: 'quoted' },
  { fault: 'quote.malformed', effect: 'malformed', only: 'quoted' },
  { fault: 'quote.expired', effect: 'expired', only: 'quoted' },
  { fault: 'quote.slippage', effect: { slippage: { bps: 50 } }, only: 'quoted', drift: 'price' },
  {
    fault: 'quote.slippage beyond the tolerance',
    effect: { slippage: { bps: 500 } },
    only: 'quoted',
    drift: 'price',
  },
  { fault: 'quote.drain', effect: 'drain', only: 'quoted', drift: 'price' },
  { fault: 'plan.stale by nonce', effect: 'stale' },
  {
    fault: 'plan.stale by price',
    effect: { stale: { by: 'price' } },
    drift: 'price',
  },
  { fault: 'plan.stale by balance', effect: { stale: { by: 'balance' } }, drift: 'time' },
  { fault: 'plan.expire', effect: 'expire' },
  { fault: 'plan.fail', effect: 'fail' },
  { fault: 'plan.no_wallet', effect: 'no_wallet' },
  { fault: 'execute.reject_signature', effect: 'reject_signature' },
  { fault: 'execute.revert by nonce', effect: 'revert' },
  { fault: 'execute.revert by gas', effect: { revert: { by: 'gas' } } },
  { fault: 'execute.stuck', effect: { stuck: { seconds: 20 } }, drift: 'time' },
  { fault: 'execute.dropped', effect: 'dropped', drift: 'time' },
  { fault: 'execute.response_lost', effect: 'response_lost' },
  { fault: 'execute.duplicate', effect: 'duplicate' },
  { fault: 'bridge.delay', effect: { delay: { seconds: 30 } }, only: 'bridged', drift: 'time' },
  { fault: 'bridge.stuck', effect: 'stuck', only: 'bridged', drift: 'time' },
  { fault: 'bridge.refund', effect: 'refund', only: 'bridged' },
  { fault: 'bridge.partial', effect: 'partial', only: 'bridged', drift: 'loss' },
  { fault: 'chain.down', effect: 'down', match: onBase, drift: 'time' },
  { fault: 'chain.slow', effect: { slow: { ms: 20 } }, match: onBase },
  { fault: 'chain.reorg', effect: 'reorg', match: onBase, drift: 'time' },
  { fault: 'chain.halt', effect: 'halt', match: onBase, drift: 'time' },
  { fault: 'events.delay', effect: { delay: { seconds: 5 } }, drift: 'time' },
  { fault: 'events.duplicate', effect: 'duplicate', only: 'direct' },
  { fault: 'events.drop', effect: 'drop', only: 'direct' },
  { fault: 'events.reorder', effect: 'reorder', only: 'direct' },
]

/** Stand until they are removed, so they take no `times`. */
const standing = ['chain.down', 'chain.halt']

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
  for (const row of kindRows) {
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

function meets({ only }: Meeting, row: KindRow): boolean {
  const kind = planKinds.find(({ path }) => path === row.path)!
  const quoted = asksQuotes(kind)
  if (only === 'bridged') return row.isBridged === true
  if (only === 'direct') return row.isBridged !== true
  if (only === 'quoted') return quoted
  return true
}

describe.each(kindRows.map((row) => [row.name, row] as const))('%s', (_, row) => {
  test.each(meetings.filter((meeting) => meets(meeting, row)))(
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
      const isStanding = standing.includes(fault)
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

test('behavior: no effect is left out above', () => {
  const met = new Set(meetings.map(({ fault }) => fault.split(' ')[0]))
  const all = effects.map((effect) => `${seamOf(effect)}.${effect.name}`)
  expect(all.filter((name) => !met.has(name))).toEqual([])
})
