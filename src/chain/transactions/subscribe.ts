import type { Node } from '../rpc/node.js'
import { ConnectionLost, type NodeFeed, openFeed } from '../rpc/nodeSocket.js'

/** A subscription to a node, which begins with the first `resume`. Like all that a simulator listens to, it does not keep the program alive. */
export interface Subscription {
  /** From now on nothing is called back. */
  pause(): void
  /** From now on every notification is; those from before are lost. Rejects when the node is gone for good. */
  resume(): Promise<void>
  /** After a pause: closes the connection. */
  end(): void
}

/**
 * Calls back with each notification of an `eth_subscribe` with these parameters. When the node has died and come back, it subscribes again,
 * and then calls `onMissed`, since notifications may have been lost. Late ones, of a world that a reset or restore has taken back, are dropped.
 */
export function subscribe<T>(
  node: Pick<Node, 'network' | 'socket' | 'lifecycle' | 'gate'>,
  params: readonly unknown[],
  onEvent: (event: T) => void,
  onMissed: () => Promise<void> | void,
): Subscription {
  const { lifecycle, gate } = node
  let isPaused = true
  /** What was open when it was paused, and where the node stood then. */
  let [line, pausedAt]: [NodeFeed | undefined, string | undefined] = [undefined, undefined]
  let opened = 0
  const close = (): void => {
    opened++
    line?.close()
    line = undefined
  }
  const open = async (): Promise<void> => {
    close()
    const own = opened
    const telling = await tellingLine<T>(node, params, (event) => {
      if (!isPaused && own === opened) onEvent(event)
    })
    if (own !== opened) return telling.close()
    line = telling
    if (isPaused) close()
  }
  let unsubscribe = (): void => {}
  return {
    pause() {
      isPaused = true
      pausedAt = gate?.mark()
      unsubscribe()
    },
    async resume() {
      isPaused = false
      unsubscribe = lifecycle.onBack(() => {
        if (line === undefined) return // the first one is still being opened
        // When that fails, the node is gone for good, and with it the simulator.
        void lifecycle
          .whileUp(open)
          .then(onMissed)
          .catch(() => {})
      })
      // Where nothing has happened since, no notification can be late.
      if (line && pausedAt !== undefined && pausedAt === gate?.mark()) return
      await lifecycle.whileUp(open)
    },
    end: close,
  }
}

/** A connection on which the node tells; resolves when it has taken the subscription. */
function tellingLine<T>(
  { network, socket }: Pick<Node, 'network' | 'socket'>,
  params: readonly unknown[],
  onEvent: (event: T) => void,
): Promise<NodeFeed> {
  return new Promise((resolve, reject) => {
    const line = openFeed(socket, {
      onMessage({ params: event, error }) {
        if (event) return onEvent(event.result as T)
        if (error) {
          line.close()
          return reject(new Error(`the ${network} node tells nothing: ${error.message}`))
        }
        line.hold(false)
        resolve(line)
      },
      onClose: (cause) => reject(new ConnectionLost(cause)),
    })
    line.send({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params })
  })
}
