import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import { maxMessageBytes } from './rpcBody.js'

/** The code with which a server closes a WebSocket for which it has no room; the client may come back (IANA's registry of RFC 6455). */
const tryAgainLater = 1013

/** Tells a client something while it is open; closes one for which more waits than `maxUnreadBytes`, and calls `onTooSlow`. */
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

/** Loaded with the first WebSocket: a start without one does not pay for it. */
export async function webSocketServer(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws')
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    // A browser closes the connection unless one of the protocols that it offered is chosen; one of them may be the token.
    handleProtocols: (protocols) => [...protocols][0]!,
  })
  server.on('headers', (lines, request) => lines.push(...(answerHeaders.get(request) ?? [])))
  server.on('wsClientError', refuseHandshake)
  return server
}

/** Further headers of the answers to upgrades. */
const answerHeaders = new WeakMap<IncomingMessage, readonly string[]>()

/** Has the answer to an upgrade carry further headers, `name: value` each, whether it is refused or not. */
export function setAnswerHeaders(request: IncomingMessage, headers: readonly string[]): void {
  answerHeaders.set(request, headers)
}

/** The library would answer plain text. */
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
