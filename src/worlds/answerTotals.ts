/** How often each answer was given, by its key. */
type Counts = Iterable<readonly [key: string, count: number]>

/** What leased worlds have answered, those whose lease has ended included. */
export interface AnswerTotals {
  /** How often a world has given each answer so far; replaces what it reported before. */
  report(id: string, counts: Counts): void
  /** Its lease has ended, and its last report is on the way. */
  awaitLast(id: string): void
  /** Nothing more comes of it, also when it was lost before its last report. */
  over(id: string): void
  /** The sums, when every last report has come. */
  sums(): Promise<ReadonlyMap<string, number>>
}

export function createAnswerTotals(): AnswerTotals {
  const ended = new Map<string, number>()
  const running = new Map<string, Counts>()
  const awaited = new Map<string, { last: Promise<void>; resolve(): void }>()

  const over = (id: string): void => {
    awaited.get(id)?.resolve()
    awaited.delete(id)
  }
  return {
    report(id, counts) {
      running.set(id, counts)
      if (!awaited.has(id)) return
      add(ended, counts)
      running.delete(id)
      over(id)
    },
    awaitLast(id) {
      let resolve = (): void => {}
      const last = new Promise<void>((done) => {
        resolve = done
      })
      awaited.set(id, { last, resolve })
    },
    over,
    async sums() {
      await Promise.all([...awaited.values()].map(({ last }) => last))
      const sums = new Map(ended)
      for (const counts of running.values()) add(sums, counts)
      return sums
    },
  }
}

/** Adds counts to sums. */
function add(sums: Map<string, number>, counts: Counts): void {
  for (const [key, count] of counts) sums.set(key, (sums.get(key) ?? 0) + count)
}
