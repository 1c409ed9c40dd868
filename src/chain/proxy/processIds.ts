import type { NetworkName } from '../../deployments/networks.js'
import { keepNewest } from '../../lib/keepNewest.js'
import { methodOf } from '../rpc/methods.js'
import { quantityForms, quantityOf, shownValue } from '../rpc/rpcValues.js'
import type { Refusal } from './rpcRefusals.js'

/**
 * The ids that nodes have given to clients, of what they keep beside their chain: filters, and snapshots of their own. They end with
 * the process. The next one counts its snapshots from the beginning again, and answers nothing new to a filter that it does not have;
 * so who names one of before has to be told.
 */
export interface ProcessIds {
  /** For one message to a node; `ends` counts the processes that it has had before. */
  of(network: NetworkName, ends: number | undefined): MessageIds
}

/** The ids, as one message may use them. */
interface MessageIds {
  /** Why a request is not passed on that names an id of an earlier process, or one of which that cannot be told; undefined for all others. */
  refusalOf(method: string, params: unknown): Refusal | undefined
  /** Keeps the ids that the answer gives. A batch is answered in its order. */
  note(methods: readonly string[], answer: string): void
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
        const use = methodOf(method).id
        if (!use?.startsWith('takes')) return undefined
        const isFilter = use === 'takes filter'
        const [first] = Array.isArray(params) ? (params as unknown[]) : []
        if (!isFilter && quantityOf(first) === undefined) return noId(method, first)
        const id = String(first)
        const giver = given.get(keyOf(network, isFilter, id))
        return giver === undefined || giver === ends ? undefined : gone(network, isFilter, id)
      },
      note(methods, answer) {
        const uses = methods.map((each) => methodOf(each).id)
        if (!uses.some((use) => use?.startsWith('makes'))) return
        const answers = [JSON.parse(answer) as Answer | Answer[]].flat()
        for (const [i, use] of uses.entries()) {
          const id = answers[i]?.result
          if (!use?.startsWith('makes') || typeof id !== 'string') continue
          const key = keyOf(network, use === 'makes filter', id)
          given.delete(key) // so that it becomes the newest
          given.set(key, ends)
        }
        keepNewest(given, maxIds)
      },
    }),
  }
}

interface Answer {
  result?: unknown
}

/** The words and the code for filters are those of other nodes that have started again: clients make the filter anew by themselves. */
function gone(network: NetworkName, isFilter: boolean, id: string): Refusal {
  const restart = `the ${network} node was started again after it was made`
  const message = isFilter
    ? `filter not found: ${restart}. Make it again; eth_getLogs has the logs since`
    : `snapshot ${id} is gone: ${restart}. Nothing was changed; take another, or use POST /_sim/reset`
  return { code: -32000, message }
}

/** It is missing, or the node may read it as the id of a snapshot that is not the client's. */
function noId(method: string, value: unknown): Refusal {
  const message = `${method}: the id of a snapshot must be ${quantityForms}, but is ${shownValue(value)}`
  return { code: -32602, message }
}

/** Snapshots are numbers, which may be written in several ways. */
function keyOf(network: NetworkName, isFilter: boolean, id: string): string {
  return isFilter
    ? `${network} filter ${id.toLowerCase()}`
    : `${network} snapshot ${quantityOf(id) ?? id}`
}
