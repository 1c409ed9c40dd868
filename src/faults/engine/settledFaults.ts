import type { FaultRules } from '../rules/faultRules.js'

/** For callers in this process: they wait for what earlier requests left behind, like those who come over HTTP. */
export function settledFaults(faults: FaultRules, settled: () => Promise<unknown>): FaultRules {
  const first = <A extends unknown[], T>(change: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      await settled()
      return change(...args)
    }
  }
  return {
    list: faults.list,
    add: first(faults.add),
    set: first(faults.set),
    remove: first(faults.remove),
    clear: first(faults.clear),
  }
}
