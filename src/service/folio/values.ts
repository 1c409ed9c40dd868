import { keepNewest } from '../../lib/keepNewest.js'
import { type Held, positionsOf, worthOf } from './positions.js'

export interface ValuePoint {
  /** Unix milliseconds of the clock. */
  ms: number
  /** USD with 8 decimals; negative when debts exceed everything else. */
  usd: bigint
}

/** By account, oldest first. */
type Values = ReadonlyMap<string, readonly ValuePoint[]>

export type ValueHistory = ReturnType<typeof createValueHistory>

/** So many points of an account are kept; beyond that, every other one goes. */
const maxPoints = 400
const maxAccounts = 1_000

/** The values of accounts whenever the whole folio of one was read, by a client or by the dashboard. */
export function createValueHistory(now: () => number) {
  let values = new Map<string, readonly ValuePoint[]>()
  return {
    /** Call it before the folio is read, and the returned function afterwards: it records nothing after a restore in between. */
    begin() {
      const era = values
      return (accountId: string, folio: Held): void => {
        if (era !== values) return
        const point = { ms: now(), usd: worthOf(positionsOf(folio)) }
        const points = withPoint(values.get(accountId) ?? [], point)
        values.delete(accountId) // so that it is the newest
        values.set(accountId, points)
        keepNewest(values, maxAccounts)
      }
    },
    of: (accountId: string) => values.get(accountId) ?? [],
    latest: (): ReadonlyMap<string, ValuePoint> =>
      new Map([...values].flatMap(([id, points]) => points.slice(-1).map((last) => [id, last]))),
    save: (): Values => new Map(values),
    restore(saved: Values) {
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
