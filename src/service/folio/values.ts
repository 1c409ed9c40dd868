import { keepNewest } from '../../lib/keepNewest.js'
import type { Stateful } from '../../lib/lifecycle.js'
import { type Held, positionsOf, worthOf } from './positions.js'

export interface ValuePoint {
  /** Unix milliseconds of the clock. */
  ms: number
  /** USD with 8 decimals; negative when debts exceed everything else. */
  usd: bigint
}

/** By account, oldest first. */
type Values = ReadonlyMap<string, readonly ValuePoint[]>

/** What accounts were worth whenever the whole folio of one was read, by a client or by the dashboard. */
export interface ValueHistory extends Stateful<Values> {
  /** Call it before the folio is read, and what it returns when it has been: a restore in between makes it count for nothing. */
  begin(): (accountId: string, folio: Held) => void
  of(accountId: string): readonly ValuePoint[]
  latest(): ReadonlyMap<string, ValuePoint>
}

/** So many points of an account are kept; beyond that, every other one goes. */
const maxPoints = 400
const maxAccounts = 1_000

export function createValueHistory(now: () => number): ValueHistory {
  let values = new Map<string, readonly ValuePoint[]>()
  return {
    begin() {
      const era = values
      return (accountId, folio) => {
        if (era !== values) return
        const point = { ms: now(), usd: worthOf(positionsOf(folio)) }
        const points = withPoint(values.get(accountId) ?? [], point)
        values.delete(accountId) // so that it is the newest
        values.set(accountId, points)
        keepNewest(values, maxAccounts)
      }
    },
    of: (accountId) => values.get(accountId) ?? [],
    latest: () =>
      new Map([...values].flatMap(([id, points]) => points.slice(-1).map((last) => [id, last]))),
    save: () => new Map(values),
    restore(saved) {
      values = new Map(saved)
    },
  }
}

/** A value that stays the same has two points: since when, and until when. */
function withPoint(points: readonly ValuePoint[], point: ValuePoint): readonly ValuePoint[] {
  const [before, last] = points.slice(-2)
  const isSame = before?.usd === point.usd && last?.usd === point.usd
  const kept = isSame || last?.ms === point.ms ? points.slice(0, -1) : points
  const all = [...kept, point]
  return all.length <= maxPoints ? all : all.filter((_, i) => i % 2 === 0 || i === all.length - 1)
}
