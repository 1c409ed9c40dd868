import type { StaleCause } from '../../service/context/requestContext.js'
import { undoneCause } from '../../service/plans/execute/cause.js'
import { type Journal, type Mark, noteOf, type RecordedRequest } from './journal.js'
import { type Lives, livesOf } from './lives.js'

/**
 * How a plan ended that was not executed: a reset or restore took it, it was refused as stale, or its time is over (`at`). `by` is the rule that
 * ended its time early.
 */
export type PlanEnd =
  | { outcome: 'gone'; cause: StaleCause; account_id: string }
  | { outcome: 'stale'; cause: StaleCause; order: number; at: string }
  | { outcome: 'expired'; at: string; by?: { rule: string; effect: string; carried?: boolean } }

/** What happened to a plan after it was made. */
type Later = { order: number; note: ReturnType<typeof noteOf> }

const types = ['plan', 'stale', 'expiry', 'activity'].map((type) => `{"type":"${type}"`)

/** Of the newest plans of the journal, or of one, those that ended without having been executed. */
export function planEnds(
  journal: Pick<Journal, 'all' | 'marks'>,
  nowMs: number,
  { most = Number.POSITIVE_INFINITY, id = '' }: { most?: number; id?: string } = {},
): ReadonlyMap<string, PlanEnd> {
  const lives = livesOf(journal.marks())
  const later = new Map<string, Later[]>()
  const ends = new Map<string, PlanEnd | undefined>()
  for (const { order, text } of newestFirst(journal.all())) {
    if (ends.size >= most) break
    if (!text.includes(id) || !types.some((type) => text.startsWith(type))) continue
    const note = noteOf({ text })
    if (!('plan_id' in note)) continue
    const { plan_id } = note
    const known = later.get(plan_id) ?? []
    if (note.type !== 'plan') later.set(plan_id, [...known, { order, note }])
    // With a seed, an id comes again in the next life: the present plan goes first, then the newest.
    else if (!ends.has(plan_id) || !lives.undoneBy(order))
      ends.set(plan_id, endOf({ order, note }, known, lives, nowMs))
  }
  return new Map([...ends].flatMap(([planId, end]) => (end ? [[planId, end] as const] : [])))
}

function* newestFirst(exchanges: readonly RecordedRequest[]) {
  for (const { notes } of exchanges.toReversed()) yield* notes.toReversed()
}

function endOf(
  { order, note: made }: Later,
  later: readonly Later[],
  lives: Lives<Mark>,
  nowMs: number,
): PlanEnd | undefined {
  if (made.type !== 'plan') return undefined
  const undone = lives.undoneBy(order)
  const { plan_id, account_id, expires_at: at } = made
  if (undone) return { outcome: 'gone', cause: undoneCause(undone, plan_id), account_id }
  const present = later.filter((each) => !lives.undoneBy(each.order))
  const notes = present.map(({ note }) => note)
  if (notes.some(({ type }) => type === 'activity')) return undefined
  const refused = present.find(
    ({ note }) =>
      note.type === 'stale' && note.changed !== 'expiry' && !isOver.includes(note.cause),
  )
  const early = notes.find((note) => note.type === 'expiry')
  if (refused) {
    const { note, order } = refused
    return { outcome: 'stale', cause: note as StaleCause, order, at: early?.at ?? at }
  }
  if (early?.type === 'expiry') return { outcome: 'expired', at: early.at, by: early }
  return Date.parse(at) <= nowMs ? { outcome: 'expired', at } : undefined
}

/** The restore or reset that ended a life. */
export function endCause(end: Mark): StaleCause {
  const { type: _type, plan_id: _planId, ...cause } = undoneCause(end, '')
  return { ...cause, reason: '' }
}

/** Causes of a 404: the plan was no longer there to be refused. */
const isOver: readonly string[] = ['restore', 'reset', 'executed']
