import { WebSocket } from 'ws'
import type { Node } from './node.js'

/**
 * Calls back with everything that the node tells of a subscription, `params` being those of `eth_subscribe`. Resolves to the stop
 * function; after it nothing is called back. Like all that a simulator listens to, it does not keep the program alive.
 */
export async function subscribe<T>(
  node: Pick<Node, 'url'>,
  params: readonly unknown[],
  onTold: (told: T) => void,
): Promise<() => void> {
  let stopped = false
  // A connection per subscription. Of two answers on one, the second would wait 40 ms for the first to be acknowledged (Nagle's
  // algorithm, and delayed acknowledgements). No reconnecting: when the node is gone, so is the simulator.
  const socket = new WebSocket(node.url.replace('http', 'ws'))
  socket.once('upgrade', (response) => response.socket.unref())
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.once('close', () => reject(new Error(`${node.url} closed the connection`)))
    socket.once('open', () => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
    })
    // First comes the subscription's id, then every notification.
    socket.on('message', (data) => {
      const said = JSON.parse(String(data)) as Said<T>
      if (said.error) reject(new Error(`the subscription was refused: ${said.error.message}`))
      else if (said.method !== 'eth_subscription') resolve()
      else if (!stopped) onTold(said.params!.result)
    })
  })
  return () => {
    stopped = true
    socket.terminate()
  }
}

interface Said<T> {
  method?: 'eth_subscription'
  params?: { result: T }
  error?: { message: string }
}
