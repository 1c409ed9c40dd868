import type { Nodes } from '../../chain/rpc/node.js'
import { type MiningSwitch, miningSwitches } from '../../chain/transactions/mining.js'
import { jsonOrText } from '../../lib/json.js'
import type { Journal, RecordedRequest } from './journal.js'
import { livesOf } from './lives.js'

/** The networks whose mining a client has stopped or set to an interval, with the requests that did it. */
export function recordedSwitches(
  nodes: Pick<Nodes, 'all'>,
  journal: Pick<Journal, 'all' | 'marks'>,
): MiningSwitch[] {
  const { undoneBy } = livesOf(journal.marks())
  return miningSwitches(nodes).map((each) => {
    const request = journal.all().findLast((one) => hasSent(one, each) && !undoneBy(one.order))
    if (!request) return each
    const { requestId: by_request, ms } = request
    return { ...each, by_request, at: new Date(ms).toISOString() }
  })
}

function hasSent({ url, body }: RecordedRequest, { network, method, params }: MiningSwitch) {
  if (url !== `/rpc/${network}` || !body?.includes(method)) return false
  const sent = [jsonOrText(body)].flat() as Partial<MiningSwitch>[]
  return sent.some(
    (each) => each.method === method && JSON.stringify(each.params) === JSON.stringify(params),
  )
}
