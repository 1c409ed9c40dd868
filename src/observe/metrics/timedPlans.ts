import { ServiceError } from '../../lib/errors.js'
import type { PlanService } from '../../service/plans/service.js'
import type { Durations } from './durations.js'

/** The plan service, with how long each plan and each execute takes until it is answered: `ok`, or the code of its error. */
export function withPlanTimes<P extends PlanService>(
  plans: P,
  { planned, executed }: { planned: Durations; executed: Durations },
): P {
  return {
    ...plans,
    create: (kind, account, intent) =>
      timed(
        () => plans.create(kind, account, intent),
        (result, seconds) => planned.add({ kind, result }, seconds),
      ),
    execute: (account, request) =>
      timed(
        () => plans.execute(account, request),
        (result, seconds) => executed.add({ result }, seconds),
      ),
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
