import { getWebSocketRpcClient } from 'viem/utils'
import type { Node } from './node.js'

/** What `eth_subscribe` takes. `key` tells subscriptions of one node apart. */
export interface Subscription {
  key: string
  params: readonly unknown[]
}

/** Calls back with everything that the node tells. Resolves to the stop function; after it nothing is called back. */
export async function subscribe<T>(
  node: Pick<Node, 'url'>,
  { key, params }: Subscription,
  onTold: (told: T) => void,
): Promise<() => void> {
  let stopped = false
  // A connection per subscription; viem shares one per URL. Of two answers on one, the second would wait 40 ms for the first
  // to be acknowledged (Nagle's algorithm, and delayed acknowledgements).
  const url = `${node.url.replace('http', 'ws')}/?${key}`
  // No reconnecting: when the node is gone, so is the simulator.
  const client = await getWebSocketRpcClient(url, { reconnect: false })
  await new Promise<void>((resolve, reject) => {
    client.request({
      body: { method: 'eth_subscribe', params },
      onError: (error) => reject(error ?? new Error('the subscription was refused')),
      // Called first with the subscription's id, then with every notification.
      onResponse(response) {
        if (response.method !== 'eth_subscription') resolve()
        else if (!stopped) onTold(response.params.result as T)
      },
    })
  })
  return () => {
    stopped = true
    client.close()
  }
}
