import { answered, controlApi } from '../../api/session.js'
import type { Fault } from '../../api/types.js'

/** Adds a fault rule. What was typed goes as it is: the simulator says what is wrong with it. */
export function addRule(rule: unknown): Promise<Fault> {
  return answered(controlApi.POST('/_sim/faults', { body: rule as never }))
}
