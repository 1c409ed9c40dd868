import type { NetworkName } from '../../deployments/networks.js'
import { keepNewest } from '../../lib/keepNewest.js'
import { methodOf } from '../rpc/methods.js'
import type { NodeAnswer } from '../rpc/nodeSocket.js'
import type { Refusal } from './rpcRefusals.js'

/**
 * The ids of filters that nodes have given to clients. They end with the process, and the next one returns nothing new for a filter that it
 * does not have; so clients that name one of before have to be told.
 */
export interface ProcessIds {
  /** For one message to a node; `ends` counts the processes that it has had before. */
  of(network: NetworkName, ends: number | undefined): MessageIds
}

/** The ids, as one message may use them. */
interface MessageIds {
  /** Why a request is not passed on that names an id of an earlier process; undefined for all others. */
  refusalOf(method: string, params: unknown): Refusal | undefined
  /** Keeps the id that an answer gives. */
  note(method: string, answer: NodeAnswer): void
}

/** So many are remembered; who has made more has let the oldest go long ago. */
const maxIds = 10_000

/** Nothing is known of ids that were given before. */
export function createProcessIds(): ProcessIds {
  /** Which of the node's processes gave an id. */
  const given = new Map<string, number>()
  return {
    of: (network, ends = 0) => ({
      refusalOf(method, params) {
        if (methodOf(method).id !== 'takes filter') return undefined
        const [id] = Array.isArray(params) ? (params as unknown[]) : []
        const giver = given.get(keyOf(network, String(id)))
        return giver === undefined || giver === ends ? undefined : gone(network)
      },
      note(method, answer) {
        // Of other answers the result is not read: large ones are passed on as text.
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

/** The words and the code are those of other nodes that have started again: clients make the filter anew by themselves. */
function gone(network: NetworkName): Refusal {
  const message = `filter not found: the ${network} node was started again after it was made. Make it again; eth_getLogs has the logs since`
  return { code: -32000, message }
}

function keyOf(network: NetworkName, id: string): string {
  return `${network} ${id.toLowerCase()}`
}
