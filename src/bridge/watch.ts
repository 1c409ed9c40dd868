import { getWebSocketRpcClient } from 'viem/utils'
import type { Log, Node } from '../chain/node.js'

/** Calls back for every log of these contracts with such a first topic, as its block is mined. Resolves to the stop function. */
export async function watchLogs(
  node: Node,
  filter: { address: string | readonly string[]; topic: string | readonly string[] },
  onLog: (log: Log) => void,
): Promise<() => void> {
  // No reconnecting: when the node is gone, so is the simulator.
  const client = await getWebSocketRpcClient(node.url.replace('http', 'ws'), { reconnect: false })
  await new Promise<void>((resolve, reject) => {
    client.request({
      body: {
        method: 'eth_subscribe',
        params: ['logs', { address: filter.address, topics: [filter.topic] }],
      },
      onError: (error) => reject(error ?? new Error('the subscription was refused')),
      // Called first with the subscription's id, then with every notification.
      onResponse(response) {
        if (response.method === 'eth_subscription') onLog(response.params.result as Log)
        else resolve()
      },
    })
  })
  return () => client.close()
}
