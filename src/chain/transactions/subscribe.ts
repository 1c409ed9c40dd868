import type { Node } from '../rpc/node.js'
import { ConnectionLost, type NodeFeed, openFeed } from '../rpc/nodeSocket.js'

/** A subscription that begins with the first `resume`. It does not keep the program alive. */
export interface Subscription {
  pause(): void
  /** Earlier notifications are lost. Rejects when the node is gone for good. */
  resume(): Promise<void>
  /** Closes the connection, after a pause. */
  end(): void
}

/**
 * Calls back with each notification of `eth_subscribe`. When the node has died and been restarted, subscribes again and calls `onMissed`,
 * because notifications may have been lost. Drops late notifications of blocks that a reset or restore has removed.
 */
export function subscribe<T>(
  node: Pick<Node, 'network' | 'socket' | 'lifecycle' | 'gate'>,
  params: readonly unknown[],
  onEvent: (event: T) => void,
  onMissed: () => Promise<void> | void,
): Subscription {
  const { lifecycle, gate } = node
  let isPaused = true
  /** The open connection, and the gate's mark at the last pause. */
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
        // A failure means that the node is gone for good, which ends the simulator.
        void lifecycle
          .whileUp(open)
          .then(onMissed)
          .catch(() => {})
      })
      // If nothing has changed since the pause, no notification can be late.
      if (line && pausedAt !== undefined && pausedAt === gate?.mark()) return
      await lifecycle.whileUp(open)
    },
    end: close,
  }
}

/** Resolves when the node has accepted the subscription. */
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
