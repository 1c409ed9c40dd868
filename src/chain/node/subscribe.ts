import type { Node } from './node.js'
import { openLine } from './nodeSocket.js'

/**
 * Calls back with everything that the node tells to an `eth_subscribe` with these parameters. Resolves to the stop function;
 * after it nothing is called back. Like all that a simulator listens to, it does not keep the program alive. When the node is
 * gone, so is the simulator: no connecting again.
 */
export function subscribe<T>(
  node: Pick<Node, 'network' | 'socket'>,
  params: readonly unknown[],
  onTold: (told: T) => void,
): Promise<() => void> {
  return new Promise((resolve, reject) => {
    let stopped = false
    const line = openLine(node.socket, {
      onLine(text) {
        if (stopped) return
        const message = JSON.parse(text) as Message<T>
        if ('params' in message) return onTold(message.params.result)
        if (message.error) {
          line.close()
          return reject(
            new Error(`the ${node.network} node tells nothing: ${message.error.message}`),
          )
        }
        line.hold(false)
        resolve(() => {
          stopped = true
          line.close()
        })
      },
      onClose: (cause) => reject(cause ?? new Error(`the ${node.network} node is gone`)),
    })
    line.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
  })
}

/** The answer to the subscription, or a notification of it. */
type Message<T> = { error?: { message: string } } | { params: { result: T } }
