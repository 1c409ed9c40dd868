import { sharedBlockMethod } from '../../chain/rpc/methods.js'
import type { ChainStep } from '../../chain/rpc/pipeline.js'
import type { FaultSeams } from '../engine/seams.js'

/** The seam `chain` around every request to a node: by its method when the service sends it, as `rpc` when it comes over `/rpc`. */
export function chainFaultStep(faults: FaultSeams): ChainStep {
  return (request, next) => {
    if (!faults.hasRules) return next(request)
    const { network, method: sent, by } = request
    // Transactions that share a block are one request, under the name that each has alone.
    const own = sent === sharedBlockMethod ? 'eth_sendTransactionSync' : sent
    const method = by === 'client' ? 'rpc' : own
    const call = { facts: { network, method }, method }
    return faults.intercept('chain.request', call, () => next(request)) as ReturnType<ChainStep>
  }
}
