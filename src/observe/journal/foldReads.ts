import { isPlainRead, type RecordedRequest } from './journal.js'

/** A moment of a timeline, with its position among all events. */
export interface OrderedMoment {
  order: number
  at: string
  request_id: string | null
  /** The order of its request: in another life, another request may have the same id. */
  of?: number
  type: string
  title: string
  details: Record<string, unknown>
}

/** So many equal reads between two other moments are listed one by one. */
const maxAlone = 2

/**
 * Folds repeated reads into one moment, so that a polling client does not push what it waits for off the timeline. Successful reads of one
 * path fold as long as nothing else happens between them; a read that brought events stays.
 */
export function foldReads(
  moments: readonly OrderedMoment[],
  exchanges: readonly RecordedRequest[],
): OrderedMoment[] {
  const bringing = new Set(moments.flatMap(({ details, of }) => (details.events ? [of] : [])))
  const reads = new Map(
    exchanges.flatMap((exchange) =>
      exchange.answer && isPlainRead(exchange) && !bringing.has(exchange.order)
        ? [[exchange.order, exchange] as const]
        : [],
    ),
  )
  const groups: RecordedRequest[][] = []
  let open = new Map<string, RecordedRequest[]>()
  for (const { type, of = 0 } of moments) {
    const read = reads.get(of)
    if (!read) open = new Map()
    else if (type === 'request') {
      const path = pathOf(read)
      const group = open.get(path)
      if (group) group.push(read)
      else {
        const begun = [read]
        open.set(path, begun)
        groups.push(begun)
      }
    }
  }
  const folded = groups.filter((group) => group.length > maxAlone)
  const gone = new Set(folded.flat().map(({ order }) => order))
  const kept = moments.filter(({ of = 0 }) => !gone.has(of))
  return [...kept, ...folded.map(foldedMoment)].sort((a, b) => a.order - b.order)
}

function pathOf({ url }: RecordedRequest): string {
  return url.split('?')[0]!
}

function foldedMoment(group: readonly RecordedRequest[]): OrderedMoment {
  const [first, last] = [group[0]!, group.at(-1)!]
  const [from, to] = [first, last].map(({ ms }) => new Date(ms).toISOString()) as [string, string]
  const what = `GET ${pathOf(first).replace(/^\/accounts\/acc_[0-9a-z]{12}\//, '')}`
  return {
    order: first.order,
    at: from,
    request_id: first.requestId,
    of: first.order,
    type: 'reads',
    title: `${what}, ${group.length} times, ${from.slice(11, 19)} to ${to.slice(11, 19)}`,
    details: { what, times: group.length, from, to, last_request_id: last.requestId },
  }
}
