import type { ChainStep } from '../../chain/rpc/pipeline.js'
import type { FaultSeams } from '../engine/seams.js'

/** The seam `chain` around every message to a node: by its method when the service sends it, as `rpc` when it comes over `/rpc`. */
export function chainFaultStep(faults: FaultSeams): ChainStep {
  return (message, next) => {
    if (!faults.armed) return next(message)
    const { network, methods, by } = message
    const method = by === 'client' ? 'rpc' : methods[0]!
    const call = { facts: { network, method }, method }
    return faults.around('chain.request', call, () => next(message)) as Promise<string>
  }
}
