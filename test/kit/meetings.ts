import { answerEffects } from '../../src/faults/effects/index.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { asksQuotes } from '../../src/service/plans/model/kind.js'
import { type KindRow, kindRows } from './kindRows.js'

/** Faults that every kind of plan meets in the middle of it. */

/** How far the end may be from that of a run without faults. */
export type Drift =
  | 'none'
  /** Time goes by, and interest with it. */
  | 'time'
  /** Prices have moved, or an exchange settles worse. */
  | 'price'
  /** The bridge keeps half of what it should have delivered. */
  | 'loss'

export interface Meeting {
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

export const meetings: readonly Meeting[] = [
  ...bothWays('latency', { ms: 1000 }, { hangs: true, drift: 'time' }),
  ...bothWays('hang', undefined, { hangs: true }),
  ...bothWays('respond', { error: 'internal_error' }),
  ...bothWays('reset_before'),
  ...bothWays('reset_after'),
  ...bothWays('truncate'),
  ...bothWays('rate_limit'),
  ...bothWays('outage', { ms: 1 }),
  ...bothWays('crash', undefined, { hangs: true }),
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
  ...answerEffects.map(
    ({ name }): Meeting => ({ fault: `answer.${name}`, effect: name, only: 'direct' }),
  ),
]

/** Stand until they are removed, so they take no `times`. */
export const persistent = ['chain.down', 'chain.halt']

/** A plan of this row, and the fault that it meets. */
export type Pair = readonly [row: KindRow, meeting: Meeting]

function meets({ only }: Meeting, row: KindRow): boolean {
  const kind = planKinds.find(({ path }) => path === row.path)!
  const quoted = asksQuotes(kind)
  if (only === 'bridged') return row.isBridged === true
  if (only === 'direct') return row.isBridged !== true
  if (only === 'quoted') return quoted
  return true
}

/** The whole product. */
export const allPairs: readonly Pair[] = kindRows.flatMap((row) =>
  meetings.filter((meeting) => meets(meeting, row)).map((meeting): Pair => [row, meeting]),
)

/** Each fault with one direct and one bridged row, each row with two faults at least: the same ones in every run. */
export function fewPairs(): Pair[] {
  const chosen: Pair[] = []
  const metBy = (row: KindRow): number => chosen.filter(([other]) => other === row).length
  for (const meeting of meetings)
    for (const isBridged of [false, true]) {
      const rows = kindRows.filter(
        (row) => meets(meeting, row) && (row.isBridged === true) === isBridged,
      )
      const [least] = rows.toSorted((a, b) => metBy(a) - metBy(b))
      if (least) chosen.push([least, meeting])
    }
  for (const [i, row] of kindRows.entries())
    while (metBy(row) < 2) {
      const others = allPairs.filter((pair) => pair[0] === row && !chosen.some(isSameAs(pair)))
      chosen.push(others[i % others.length]!)
    }
  return chosen
}

const isSameAs =
  ([row, meeting]: Pair) =>
  (pair: Pair): boolean =>
    pair[0] === row && pair[1] === meeting
