import fc, { type Arbitrary } from 'fast-check'
import type { Schedule } from './draw.js'

/** The smallest schedule that still fails, and how many runs it took to find it. */
export interface Shrunk {
  schedule: Schedule
  runs: number
}

/**
 * Shrinks the schedule of a seed, within so many runs. `fails` runs a schedule and says whether the same finding comes of it; it is asked no
 * more when the runs are used up.
 */
export async function shrink(
  schedule: Arbitrary<Schedule>,
  {
    seed,
    maxRuns,
    fails,
  }: {
    seed: number
    maxRuns: number
    fails(candidate: Schedule): Promise<boolean>
  },
): Promise<Shrunk> {
  let runs = 0
  let smallest: Schedule | undefined
  const known = new Map<string, boolean>()
  const property = fc.asyncProperty(schedule, async (candidate) => {
    // The first one is known to fail.
    if (smallest === undefined) {
      smallest = candidate
      return false
    }
    const text = JSON.stringify(candidate)
    const before = known.get(text)
    if (before !== undefined) return !before
    if (runs >= maxRuns) return true
    runs++
    const isFailing = await fails(candidate)
    known.set(text, isFailing)
    if (isFailing) smallest = candidate
    return !isFailing
  })
  await fc.check(property, { seed, numRuns: 1 })
  return { schedule: smallest!, runs }
}
