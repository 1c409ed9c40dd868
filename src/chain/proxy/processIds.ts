import type { NetworkName } from '../../deployments/networks.js'
import { keepNewest } from '../../lib/keepNewest.js'
import { methodOf } from '../rpc/methods.js'
import type { NodeAnswer } from '../rpc/nodeSocket.js'
import type { Refusal } from './rpcRefusals.js'

/** The most ids that are remembered. */
const maxIds = 10_000

/**
 * Ids of filters, which are lost when a node's process ends. The next process would silently return nothing for them, so requests with lost
 * ids are refused.
 */
export function createProcessIds() {
  /** The process (`ends`) of each id. */
  const given = new Map<string, number>()
  return {
    /** @param ends The number of earlier processes of the node. */
    of: (network: NetworkName, ends = 0) => ({
      /** A refusal if the request names an id of an earlier process. */
      refusalOf(method: string, params: unknown): Refusal | undefined {
        if (methodOf(method).id !== 'takes filter') return undefined
        const [id] = Array.isArray(params) ? (params as unknown[]) : []
        const giver = given.get(keyOf(network, String(id)))
        return giver === undefined || giver === ends ? undefined : gone(network)
      },
      /** Remembers the id of a new filter. */
      note(method: string, answer: NodeAnswer): void {
        // Do not parse other results, which may be large.
        if (methodOf(method).id !== 'makes filter') return
        const { result } = answer
        if (typeof result !== 'string') return
        const key = keyOf(network, result)
        given.delete(key) // so that it becomes the newest
        given.set(key, ends)
        keepNewest(given, maxIds)
      },
    }),
  }
}

/** The code and text of other restarted nodes, on which clients create the filter again. */
function gone(network: NetworkName): Refusal {
  const message = `filter not found: the ${network} node was started again after it was made. Make it again; eth_getLogs has the logs since`
  return { code: -32000, message }
}

function keyOf(network: NetworkName, id: string): string {
  return `${network} ${id.toLowerCase()}`
}
