/** Upper bounds of the buckets, in seconds. */
export const bucketBounds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const

export type Durations = ReturnType<typeof createDurations>

export interface DurationRow {
  labels: Record<string, string>
  /** How many ended within each of the bounds and not within the one before. */
  buckets: readonly number[]
  count: number
  /** Seconds. */
  sum: number
}

/**
 * A histogram for each set of labels. Each duration must come with the same labels, of few values. Ours instead of prom-client's, so that that is loaded only when metrics are read; adding costs a look in a
 * map and a few comparisons.
 */
export function createDurations() {
  const rows = new Map<string, DurationRow & { buckets: number[] }>()
  return {
    add(labels: Record<string, string>, seconds: number): void {
      const key = Object.values(labels).join(' ')
      let row = rows.get(key)
      if (!row) {
        row = { labels, buckets: bucketBounds.map(() => 0), count: 0, sum: 0 }
        rows.set(key, row)
      }
      const bucket = bucketBounds.findIndex((bound) => seconds <= bound)
      if (bucket >= 0) row.buckets[bucket]!++
      row.count++
      row.sum += seconds
    },
    rows: (): readonly DurationRow[] => [...rows.values()],
  }
}
