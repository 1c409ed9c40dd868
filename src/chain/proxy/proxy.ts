import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import { type NetworkName, networkNames } from '../../deployments/networks.js'
import { type ProblemCode, problems, ServiceError } from '../../lib/errors.js'
import type { Method } from '../rpc/methods.js'
import type { Node } from '../rpc/node.js'
import { AnswerTimeout, type Channel, type NodeAnswer, openChannel } from '../rpc/nodeSocket.js'
import { ChainPipeline, type NodeRequest, nodeRequest, type PassOn } from '../rpc/pipeline.js'
import { createProcessIds } from './processIds.js'
import { maxMessageBytes, readBody, UnreadableBody } from './rpcBody.js'
import {
  judge,
  type ReadMessage,
  type RpcRequest,
  readMessage,
  subscriptionIn,
  unread,
} from './rpcMessage.js'
import {
  type SubscribedNode,
  senderOf,
  setAnswerHeaders,
  subscriptionsOf,
  webSocketServer,
} from './subscriptions.js'

/** Passes JSON-RPC on to the nodes, over HTTP and WebSocket. Who may call is decided before, by the HTTP layer. */
export interface RpcProxy {
  /**
   * Passes a request whose body nobody has read on to the network's node, and the answer back. 405 unless POST (HEAD is 200 without a body), 413 for a body over
   * 16 MiB, 502 when the node is down; what is wrong with a message is a JSON-RPC error.
   */
  handle(network: NetworkName, request: IncomingMessage, response: ServerResponse): void
  /**
   * For the server's `upgrade` event: opens a WebSocket whose messages go to the network's node. `headers` are on the answer, `name:
   * value` each, also where it refuses the handshake.
   */
  handleUpgrade(
    network: NetworkName,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    headers?: readonly string[],
  ): void
  /** Ends every WebSocket when the messages that it has sent are answered; resolves then. */
  drain(): Promise<void>
  /** Drops every connection that goes through here; the clients see theirs closed. Safe to call twice. */
  close(): void
}

/** What a message asks of a node. */
export interface RpcCall {
  network: NetworkName
  /** In the order of the message. */
  requests: readonly RpcRequest[]
  isBatch: boolean
}

/** Answers to the requests of a call, in order. */
export type RpcAnswers = readonly NodeAnswer[]

/** How messages are passed on. */
export interface RpcProxyOptions {
  /** Lets through what would take the ground from under the simulator, with gas without bounds. */
  isUnsafe?: boolean
  /** Runs around every message that is passed on. Not around subscriptions. */
  /** Runs around every message that is passed on. Not around subscriptions. */
  intercept?: (call: RpcCall, proceed: () => Promise<RpcAnswers>) => Promise<RpcAnswers>
  /** Answers requests of some methods instead of the node, each by itself and in the order of its batch. */
  instead?: { handles(method: string): boolean; answer(call: RpcCall): Promise<RpcAnswers> }
  /** After this time a message is answered with an error; 35 s, as a node itself waits 30 s for a transaction to be mined. */
  timeoutMs?: number
  /** So many bytes wait at most for a WebSocket's client to read them; 64 MiB. Then it is closed. */
  maxUnreadBytes?: number
}

/** The code with which a server closes a WebSocket because it ends (RFC 6455, 7.4.1). */
const goingAway = 1001

/** The parts of a node that the proxy uses. */
type ProxiedNode = SubscribedNode & Pick<Node, 'fork'>

/** Creates the proxy; it looks the node up for every message. */
export function rpcProxy(
  nodes: { get(network: NetworkName): ProxiedNode },
  {
    isUnsafe = false,
    intercept = (_, proceed) => proceed(),
    instead,
    timeoutMs = 35_000,
    maxUnreadBytes = 64 * 1024 * 1024,
  }: RpcProxyOptions = {},
): RpcProxy {
  const ways = waysTo(nodes)
  const processIds = createProcessIds()
  const clients = new Set<WebSocket>()
  const answering = new Set<Promise<void>>()
  let server: Promise<WebSocketServer> | undefined
  /** The answer to a message; undefined when it wants none. Rejects when the node does not take it. */
  const ask = async (network: NetworkName, message: ReadMessage): Promise<string | undefined> => {
    const { lifecycle, fork } = nodes.get(network)
    const ids = processIds.of(network, lifecycle?.ends)
    const judged = judge(message, { isUnsafe, fork, refusalNow: ids.refusalOf })
    const { requests } = judged
    if (requests.length === 0) return judged.answer([])
    const isBatch = 'value' in message && Array.isArray(message.value)
    try {
      const pass = (call: RpcCall): Promise<RpcAnswers> =>
        intercept(call, () => inOrder(call, ways.to(network), timeoutMs))
      const answers = requests.some(({ method }) => instead?.handles(method))
        ? await oneByOne(requests, (request) => {
            const call = { network, requests: [request], isBatch: false }
            return instead!.handles(request.method) ? instead!.answer(call) : pass(call)
          })
        : await pass({ network, requests, isBatch })
      for (const [place, { method }] of requests.entries()) ids.note(method, answers[place]!)
      return judged.answer(answers)
    } catch (error) {
      if (error instanceof AnswerTimeout) return judged.failed(lateMessage(network, timeoutMs))
      if (error instanceof ServiceError) return judged.failed(error.message)
      throw error
    }
  }

  const serve = (network: NetworkName, client: WebSocket): void => {
    clients.add(client)
    // Closed, a client that does not read may never say so.
    const send = senderOf(client, maxUnreadBytes, () => subscriptions.close())
    const subscriptions = subscriptionsOf(client, network, () => nodes.get(network), send)
    client.on('message', (data) => {
      const message = readMessage(String(data))
      const subscription = subscriptionIn(message)
      if (subscription) {
        if (client.readyState === client.OPEN) subscriptions.send(subscription)
        return
      }
      const answered = ask(network, message)
        .catch((error: Error) =>
          judge(message, { isUnsafe }).failed(badGatewayMessage(network, error)),
        )
        .then(send, () => client.terminate())
      answering.add(answered)
      void answered.then(() => answering.delete(answered))
    })
    client.on('error', () => client.terminate())
    client.once('close', () => {
      clients.delete(client)
      subscriptions.close()
    })
  }

  return {
    handle(network, request, response) {
      if (request.method !== 'POST') return refuseMethod(request, response)
      void handleMessage(request, response, (text) => ask(network, readMessage(text))).catch(
        (error: Error) => answerBadGateway(response, network, error),
      )
    },
    handleUpgrade(network, request, socket, head, headers = []) {
      setAnswerHeaders(request, headers)
      // Before the library listens: a client may be gone by then.
      socket.on('error', () => socket.destroy())
      server ??= webSocketServer()
      void server.then((ready) =>
        ready.handleUpgrade(request, socket, head, (client) => serve(network, client)),
      )
    },
    async drain() {
      await Promise.all(answering)
      for (const client of clients) client.close(goingAway, 'the simulator is being stopped')
    },
    close() {
      ways.close()
      for (const client of clients) client.terminate()
    },
  }
}

/** The ways to the nodes, over connections of their own: many clients at once do not keep the service from its nodes. */
function waysTo(nodes: Parameters<typeof rpcProxy>[0]) {
  const channels = new Map<NetworkName, Channel>()
  return {
    to(network: NetworkName): PassOn {
      const { socket, pipeline } = nodes.get(network)
      const channel = channels.get(network) ?? openChannel(socket, 32)
      channels.set(network, channel)
      return (pipeline ?? new ChainPipeline(network, channel, {})).to(channel)
    },
    close() {
      for (const channel of channels.values()) channel.close()
    },
  }
}

async function oneByOne(
  requests: readonly RpcRequest[],
  answer: (request: RpcRequest) => Promise<RpcAnswers>,
): Promise<RpcAnswers> {
  const answers: NodeAnswer[] = []
  for (const request of requests) answers.push(...(await answer(request)))
  return answers
}

/** Whether others may go beside it: it neither changes the node nor reads what changes within a batch. */
const isPlainRead = ({ effect, turn, id }: Method): boolean =>
  effect === 'read' && turn === undefined && id === undefined

/** Passes requests on one after the other, since some may change what later ones ask about; plain reads go side by side. */
async function inOrder(
  { network, requests }: RpcCall,
  passOn: PassOn,
  timeoutMs: number,
): Promise<NodeAnswer[]> {
  const until = performance.now() + timeoutMs
  const all = requests.map(({ method, params }) => nodeRequest(network, 'client', method, params))
  const pass = (request: NodeRequest): Promise<NodeAnswer> => {
    const left = all.length === 1 ? timeoutMs : Math.max(1, until - performance.now())
    return passOn({ ...request, timeoutMs: left })
  }
  const answers: NodeAnswer[] = []
  while (answers.length < all.length) {
    const rest = all.slice(answers.length)
    const reads = rest.findIndex(({ about }) => !isPlainRead(about))
    const together = rest.slice(0, reads < 0 ? rest.length : Math.max(1, reads))
    answers.push(...(await Promise.all(together.map(pass))))
  }
  return answers
}

/** The network that `/rpc/<network>` names, with or without a slash and a query behind it; undefined for any other path. */
export function networkOfRpcPath(url: string | undefined): NetworkName | undefined {
  const [, name] = /^\/rpc\/([^/?#]+)\/?(?:[?#]|$)/.exec(url ?? '') ?? []
  return networkNames.find((network) => network === name)
}

async function handleMessage(
  request: IncomingMessage,
  response: ServerResponse,
  ask: (text: string) => Promise<string | undefined>,
): Promise<void> {
  const text = await readBody(request).catch((error: unknown) => {
    if (error instanceof UnreadableBody) return error
    throw error
  })
  if (text === undefined) {
    const limit = `${maxMessageBytes / 1024 / 1024} MiB`
    response.setHeader('connection', 'close')
    return answer(
      response,
      problems.payload_too_large.status,
      'payload_too_large',
      `A JSON-RPC message may have at most ${limit}`,
    )
  }
  const reply = text instanceof UnreadableBody ? unread(text.message) : await ask(text)
  // The client may have gone, or a fault cut the connection.
  if (response.destroyed) return
  response.statusCode = reply === undefined ? 204 : 200
  if (reply !== undefined) response.setHeader('content-type', 'application/json')
  response.end(reply)
}

function refuseMethod(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  // Tools that wait for a port ask so.
  if (request.method === 'HEAD') return void response.writeHead(200).end()
  response.setHeader('allow', 'POST')
  const message = `JSON-RPC is sent with POST, not ${request.method}`
  answer(response, problems.method_not_allowed.status, 'method_not_allowed', message)
}

/** The node did not take the message, or is gone. */
function answerBadGateway(response: ServerResponse, network: NetworkName, cause: Error): void {
  if (response.destroyed || response.headersSent) response.destroy()
  else answer(response, 502, 'internal_error', badGatewayMessage(network, cause))
}

function answer(response: ServerResponse, status: number, code: ProblemCode, message: string) {
  response.statusCode = status
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify({ error: code, message }))
}

function badGatewayMessage(network: NetworkName, cause: NodeJS.ErrnoException): string {
  return `The ${network} node does not answer (${cause.code ?? cause.message})`
}

function lateMessage(network: NetworkName, timeoutMs: number): string {
  return (
    `The ${network} node did not answer within ${timeoutMs / 1000} s, and may still be working. ` +
    'GET /health/ready tells whether it is well, GET /_sim/faults whether a rule holds it.'
  )
}
