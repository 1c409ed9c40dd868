import { currentScope, type RequestScope } from '../../service/context/requestContext.js'
import type { ActiveRule } from './activeRule.js'
import type { FaultFacts } from './effect.js'

/** What faults know of a request, for as long as it lives: also while the work goes on that it has left behind. */
interface RequestFaults {
  /** What fault rules can tell the request by; known only when there are any rules. */
  facts?: FaultFacts
  /** The rule that the request carries itself; void when its epoch has ended. */
  own?: { rule: ActiveRule; epoch: object }
  /** Whether the ids that are drawn for it have another form. */
  hasOtherIds?: boolean
}

const known = new WeakMap<RequestScope, RequestFaults>()

/** What is known of the request on whose behalf the caller runs. */
export function requestFaults(): RequestFaults {
  const scope = currentScope()
  return (scope && known.get(scope)) ?? {}
}

/** Adds to what is known of that request; for nobody when there is none. */
export function addRequestFaults(more: RequestFaults): void {
  const scope = currentScope()
  if (scope) known.set(scope, { ...known.get(scope), ...more })
}
