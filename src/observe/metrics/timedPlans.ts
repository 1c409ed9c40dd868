import { ServiceError } from '../../lib/errors.js'
import type { PlanAround } from '../../service/plans/pipeline.js'
import type { Durations } from './durations.js'

/** Records how long each plan and each execute takes until it is answered: `ok`, or the code of its error. */
export function planTiming({
  planned,
  executed,
}: {
  planned: Durations
  executed: Durations
}): PlanAround['timing'] {
  return {
    create: (kind, work) =>
      timed(work, (result, seconds) => planned.add({ kind, result }, seconds)),
    execute: (work) => timed(work, (result, seconds) => executed.add({ result }, seconds)),
  }
}

async function timed<T>(
  work: () => Promise<T>,
  record: (result: string, seconds: number) => void,
): Promise<T> {
  const begun = performance.now()
  let result = 'ok'
  try {
    return await work()
  } catch (error) {
    result = error instanceof ServiceError ? error.code : 'internal_error'
    throw error
  } finally {
    record(result, (performance.now() - begun) / 1000)
  }
}
