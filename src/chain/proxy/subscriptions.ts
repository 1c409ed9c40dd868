import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import type { NetworkName } from '../../deployments/networks.js'
import type { Node } from '../rpc/node.js'
import { type FeedMessage, type NodeFeed, openFeed } from '../rpc/nodeSocket.js'
import { fits, type LogQuery, type RemovalListener } from '../rpc/removedLogs.js'
import { maxMessageBytes } from './rpcBody.js'
import type { RpcRequest } from './rpcMessage.js'

/** The WebSocket close code of a server that restarts (IANA's registry of RFC 6455). */
const startingAgain = 1012

export type SubscribedNode = Pick<Node, 'socket' | 'pipeline' | 'postponed' | 'removedLogs'> & {
  lifecycle?: Pick<Node['lifecycle'], 'isDown' | 'ends'>
}

/** A client's own connection to the node for notifications. Closes the client's WebSocket when the node dies, which ends subscriptions. */
export function subscriptionsOf(
  client: WebSocket,
  network: NetworkName,
  node: () => SubscribedNode,
  onEvent: (text: string) => void,
): { send(request: RpcRequest): void; close(): void } {
  const reorgs = withRemovedLogs(onEvent)
  let opening: Promise<NodeFeed> | undefined
  const lose = (): void =>
    client.close(startingAgain, `the ${network} node is started again: subscribe again`)
  const open = async (): Promise<NodeFeed> => {
    const { socket, pipeline, postponed, removedLogs } = node()
    const release = postponed?.hold()
    const unwatch = removedLogs?.watch(reorgs.listener)
    const onClose = (): void => {
      release?.()
      unwatch?.()
      lose()
    }
    try {
      // Mine postponed blocks first, which the subscriber must not see as new.
      if (postponed && postponed.times.length > 0) await pipeline?.rpc().request('eth_blockNumber')
      return openFeed(socket, { onMessage: reorgs.onMessage, onClose })
    } catch (error) {
      onClose()
      throw error
    }
  }
  return {
    send(request) {
      // A node that is being restored would report old blocks.
      if (node().lifecycle?.isDown) return lose()
      reorgs.onSend(request)
      opening ??= open()
      void opening.then(
        (line) => {
          line.hold(false)
          line.send(request)
        },
        () => {}, // The client's WebSocket was closed.
      )
    },
    close: () => void opening?.then((line) => line.close()).catch(() => {}),
  }
}

/** Reports the logs that a reorganisation removes to each subscription of logs, before the new ones. */
function withRemovedLogs(onEvent: (text: string) => void) {
  /** Queries by the id of the request, until the id of the subscription is known. */
  const pendingQueries = new Map<string, LogQuery>()
  const queries = new Map<string, LogQuery>()
  let held: string[] | undefined
  const listener: RemovalListener = {
    before() {
      held ??= []
    },
    after(removed) {
      for (const [subscription, query] of queries)
        for (const result of removed.filter((log) => fits(log, query)))
          onEvent(
            JSON.stringify({
              jsonrpc: '2.0',
              method: 'eth_subscription',
              params: { subscription, result },
            }),
          )
      for (const line of held ?? []) onEvent(line)
      held = undefined
    },
  }
  return {
    listener,
    onSend({ id, method, params }: RpcRequest): void {
      const [first, query] = Array.isArray(params) ? (params as unknown[]) : []
      if (method === 'eth_unsubscribe') queries.delete(String(first))
      else if (first === 'logs') pendingQueries.set(JSON.stringify(id), (query ?? {}) as LogQuery)
    },
    onMessage({ id, result }: FeedMessage, text: string): void {
      const query = id === undefined ? undefined : pendingQueries.get(JSON.stringify(id))
      if (query) pendingQueries.delete(JSON.stringify(id))
      if (query && typeof result === 'string') queries.set(result, query)
      if (held) held.push(text)
      else onEvent(text)
    },
  }
}

/** The WebSocket close code "try again later" (IANA's registry of RFC 6455). */
const tryAgainLater = 1013

/** Sends text to an open client. Closes a client with more than `maxUnreadBytes` unread, and calls `onTooSlow`. */
export function senderOf(client: WebSocket, maxUnreadBytes: number, onTooSlow: () => void) {
  return (text: string | undefined): void => {
    if (text === undefined || client.readyState !== client.OPEN) return
    if (client.bufferedAmount <= maxUnreadBytes) {
      client.send(text)
      return
    }
    const most = `${maxUnreadBytes / 1024 / 1024} MiB`
    client.close(tryAgainLater, `more than ${most} wait to be read: read faster, and connect again`)
    onTooSlow()
  }
}

/** Loads the library on first use. */
export async function webSocketServer(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws')
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    // A browser requires that one of its offered protocols is chosen; one of them may be the token.
    handleProtocols: (protocols) => [...protocols][0]!,
  })
  server.on('headers', (lines, request) => lines.push(...(answerHeaders.get(request) ?? [])))
  server.on('wsClientError', refuseHandshake)
  return server
}

/** Additional headers of responses to upgrade requests. */
const answerHeaders = new WeakMap<IncomingMessage, readonly string[]>()

/** Adds headers, each as `name: value`, to the response to an upgrade, even to a refusal. */
export function setAnswerHeaders(request: IncomingMessage, headers: readonly string[]): void {
  answerHeaders.set(request, headers)
}

/** Responds with JSON; the library would send plain text. */
function refuseHandshake({ message }: Error, socket: Duplex, request: IncomingMessage): void {
  const body = JSON.stringify({
    error: 'invalid_params',
    message: `No WebSocket can be opened: ${message}`,
  })
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'sec-websocket-version: 13, 8',
    'connection: close',
    ...(answerHeaders.get(request) ?? []),
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
