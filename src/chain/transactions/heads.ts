import pTimeout from 'p-timeout'
import type { NetworkName } from '../../deployments/networks.js'
import type { Nodes } from '../rpc/node.js'

/** The latest block of a network. */
export interface Head {
  network: NetworkName
  /** Undefined when the node did not answer. */
  block: { number: number; unixSeconds: number } | undefined
}

/** A node that has not answered by then has no head. */
const answerWithinMs = 2_000

/** The latest block of every network. A node that is down or hangs keeps nobody waiting for long. */
export async function heads(nodes: Nodes): Promise<Head[]> {
  return Promise.all(
    nodes.all().map(async ({ network, rpc }) => {
      const asked = rpc
        .request<{ number: string; timestamp: string }>('eth_getBlockByNumber', ['latest', false])
        .then(
          ({ number, timestamp }) => ({ number: Number(number), unixSeconds: Number(timestamp) }),
          () => undefined,
        )
      const block = await pTimeout(asked, {
        milliseconds: answerWithinMs,
        fallback: () => undefined,
      })
      return { network, block }
    }),
  )
}
