import { Agent, type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createProxyServer } from 'httpxy'
import type { ProblemCode } from '../errors.js'
import { problems } from '../errors.js'
import { type NetworkName, networkNames } from './networks.js'
import type { Nodes } from './node.js'

/**
 * Passes JSON-RPC on to the nodes, over HTTP and WebSocket. Who may call is decided before, by the HTTP layer. The nodes
 * send no CORS headers (`--no-cors`), so a page from elsewhere could not read an answer either.
 */
export interface RpcProxy {
  /** Streams a request whose body nobody has read to the network's node, and the answer back. 405 unless POST, 502 when the node is down. */
  handle(network: NetworkName, request: IncomingMessage, response: ServerResponse): void
  /** For the server's `upgrade` event: connects the WebSocket to the network's node. */
  handleUpgrade(
    network: NetworkName,
    request: IncomingMessage,
    socket: Duplex,
    head: Uint8Array,
  ): void
  /** Drops every connection that goes through here; the clients see theirs closed. Safe to call twice. */
  close(): void
}

/**
 * Creates the proxy; it looks the node up for every request. `onAnswer` is called whenever a node has said something to a
 * client, before the client hears it: what it did, it did by then.
 */
export function rpcProxy(
  nodes: Pick<Nodes, 'get'>,
  onAnswer: (network: NetworkName) => void = () => {},
): RpcProxy {
  const agent = new Agent({ keepAlive: true, noDelay: true })
  const proxy = createProxyServer({ ignorePath: true })
  const sockets = new Set<Duplex>()
  proxy.on('error', (cause, _request, target) => {
    if (target instanceof ServerResponse) answerBadGateway(target, cause)
    else target?.end(badGatewayText(cause))
  })
  const track = (socket: Duplex) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  proxy.on('open', (socket) => {
    socket.unref()
    track(socket)
  })
  const tell = ({ url }: IncomingMessage): void => {
    const network = networkOfRpcPath(url)
    if (network) onAnswer(network)
  }
  proxy.on('proxyRes', (_answer, request) => tell(request))
  proxy.on('proxyReqWs', (asking, request) =>
    asking.once('upgrade', (_answer, nodeSocket: Duplex) =>
      nodeSocket.on('data', () => tell(request)),
    ),
  )

  return {
    handle(network, request, response) {
      if (request.method !== 'POST') return refuseMethod(request, response)
      // The promise settles with the connection; what goes wrong comes as the `error` event.
      void proxy.web(request, response, { target: nodes.get(network).url, agent })
    },
    handleUpgrade(network, request, socket, head) {
      track(socket)
      // Node's HTTP server hands over a net.Socket, although its type promises only a Duplex.
      void proxy.ws(request, socket as Socket, { target: nodes.get(network).url }, head)
    },
    close() {
      agent.destroy()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The network that `/rpc/<network>` names, with or without a query; undefined for any other path. */
export function networkOfRpcPath(url: string | undefined): NetworkName | undefined {
  const [, name] = /^\/rpc\/([^/?#]+)(?:[?#]|$)/.exec(url ?? '') ?? []
  return networkNames.find((network) => network === name)
}

function refuseMethod(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  response.setHeader('allow', 'POST')
  const message = `JSON-RPC is sent with POST, not ${request.method}`
  answer(response, problems.method_not_allowed.status, 'method_not_allowed', message)
}

/** The node did not take the request, or broke off. Once the answer has begun, all that is left is to break off too. */
function answerBadGateway(response: ServerResponse, cause: Error): void {
  if (response.headersSent) response.destroy()
  else answer(response, 502, 'internal_error', badGatewayMessage(cause))
}

function answer(response: ServerResponse, status: number, code: ProblemCode, message: string) {
  response.statusCode = status
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify({ error: code, message }))
}

/** The same as a raw response, for a socket that asked to become a WebSocket. */
function badGatewayText(cause: Error): string {
  const body = JSON.stringify({ error: 'internal_error', message: badGatewayMessage(cause) })
  return [
    'HTTP/1.1 502 Bad Gateway',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}

function badGatewayMessage(cause: Error): string {
  return `The network's node does not answer: ${cause.message}`
}
