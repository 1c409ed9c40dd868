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

/** Forwards JSON-RPC to the nodes, over HTTP and WebSocket. The HTTP layer has checked access before. */
export interface RpcProxy {
  /**
   * Forwards a request with an unread body to the node. Status 405 unless POST (HEAD gets 200), 413 for a body over 16 MiB, 502 when the node
   * is down; an invalid message gets a JSON-RPC error.
   */
  handle(network: NetworkName, request: IncomingMessage, response: ServerResponse): void
  /**
   * For the server's `upgrade` event: opens a WebSocket to the node. The response, even a refusal, has the given `headers`, each as
   * `name: value`.
   */
  handleUpgrade(
    network: NetworkName,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    headers?: readonly string[],
  ): void
  /** Closes every WebSocket after its messages have been answered; resolves when all are closed. */
  drain(): Promise<void>
  /** Drops all connections. Safe to call twice. */
  close(): void
}

export interface RpcCall {
  network: NetworkName
  /** In the order of the message. */
  requests: readonly RpcRequest[]
  isBatch: boolean
}

/** In the order of the requests. */
export type RpcAnswers = readonly NodeAnswer[]

export interface RpcProxyOptions {
  /** Allows methods that can break the simulation, and unbounded gas. */
  isUnsafe?: boolean
  /** Wraps every forwarded message, but not subscriptions. */
  /** Wraps every forwarded message, but not subscriptions. */
  intercept?: (call: RpcCall, proceed: () => Promise<RpcAnswers>) => Promise<RpcAnswers>
  /** Answers requests of some methods instead of the node, one by one in the order of the batch. */
  instead?: { handles(method: string): boolean; answer(call: RpcCall): Promise<RpcAnswers> }
  /** The time limit of a message; 35 s, because a node waits 30 s for a transaction to be mined. */
  timeoutMs?: number
  /** Closes a WebSocket whose client has more unread bytes; 64 MiB. */
  maxUnreadBytes?: number
}

/** The WebSocket close code of a server that stops (RFC 6455, 7.4.1). */
const goingAway = 1001

type ProxiedNode = SubscribedNode & Pick<Node, 'fork'>

/** Looks up the node for every message. */
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
  /** The answer; undefined for notifications. Rejects when the node does not accept the message. */
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
    // A client that does not read may never complete the close.
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
      // Until the library listens: the client may disconnect before that.
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

/** Separate connections to the nodes, so that many clients do not block the service. */
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

/** Whether it may run in parallel with others of a batch: it neither changes the node nor reads what others change. */
const isPlainRead = ({ effect, turn, id }: Method): boolean =>
  effect === 'read' && turn === undefined && id === undefined

/** Forwards requests one by one, because they may depend on each other; plain reads run in parallel. */
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

/** The network of `/rpc/<network>`, with an optional slash and query; undefined for other paths. */
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
  // The client may have disconnected, or a fault has cut the connection.
  if (response.destroyed) return
  response.statusCode = reply === undefined ? 204 : 200
  if (reply !== undefined) response.setHeader('content-type', 'application/json')
  response.end(reply)
}

function refuseMethod(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  // For tools that wait for a port.
  if (request.method === 'HEAD') return void response.writeHead(200).end()
  response.setHeader('allow', 'POST')
  const message = `JSON-RPC is sent with POST, not ${request.method}`
  answer(response, problems.method_not_allowed.status, 'method_not_allowed', message)
}

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
