import type { Node } from '../rpc/node.js'
import { ConnectionLost, type NodeLine, openLine } from '../rpc/nodeSocket.js'

/**
 * Calls back with everything that the node tells to an `eth_subscribe` with these parameters. Resolves to the stop function;
 * after it nothing is called back. Like all that a simulator listens to, it does not keep the program alive. When the node has
 * died and come back, it subscribes again, and then calls `onMissed`: there may be something that was not told.
 */
export async function subscribe<T>(
  node: Pick<Node, 'network' | 'socket' | 'lifecycle'>,
  params: readonly unknown[],
  onEvent: (event: T) => void,
  onMissed: () => Promise<void> | void,
): Promise<() => void> {
  let line: NodeLine | undefined
  let stopped = false
  const open = async (): Promise<void> => {
    line = await tellingLine<T>(node, params, (event) => {
      if (!stopped) onEvent(event)
    })
    if (stopped) line.close()
  }
  const unsubscribe = node.lifecycle.onBack(() => {
    if (line === undefined) return // the first one is still being opened
    // When that fails, the node is gone for good, and with it the simulator.
    void node.lifecycle
      .whileUp(open)
      .then(onMissed)
      .catch(() => {})
  })
  const stop = (): void => {
    stopped = true
    unsubscribe()
    line?.close()
  }
  try {
    await node.lifecycle.whileUp(open)
  } catch (error) {
    stop()
    throw error
  }
  return stop
}

/** A connection on which the node tells; resolves when it has taken the subscription. */
function tellingLine<T>(
  { network, socket }: Pick<Node, 'network' | 'socket'>,
  params: readonly unknown[],
  onEvent: (event: T) => void,
): Promise<NodeLine> {
  return new Promise((resolve, reject) => {
    const line = openLine(socket, {
      onLine(text) {
        const message = JSON.parse(text) as Message<T>
        if ('params' in message) return onEvent(message.params.result)
        if (message.error) {
          line.close()
          return reject(new Error(`the ${network} node tells nothing: ${message.error.message}`))
        }
        line.hold(false)
        resolve(line)
      },
      onClose: (cause) => reject(new ConnectionLost(cause)),
    })
    line.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
  })
}

/** The answer to the subscription, or a notification of it. */
type Message<T> = { error?: { message: string } } | { params: { result: T } }
