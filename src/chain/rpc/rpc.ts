import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import type { Hex } from 'viem'
import { ServiceError } from '../../lib/errors.js'
import { openChannel } from './nodeSocket.js'

/** A JSON-RPC connection to one node. Any number of requests may be under way at once. */
export interface Rpc {
  /** Sends one request. Rejects with `RpcError` when the node answers an error, `RpcTransportError` when it does not answer. */
  request<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>
  /** Drops the connections; what is under way rejects with `RpcTransportError`. Safe to call twice. */
  close(): void
}

/** What a node sends back: one of `result` and `error`. */
interface RpcAnswer {
  result?: unknown
  error?: { code?: number; message?: string; data?: unknown }
}

/**
 * Connects to a node's socket, past every step of a pipeline. A few kept connections carry one request each; it takes a tenth of
 * what HTTP takes.
 *
 * @param who For messages, for example `base node`.
 */
export function createSocketRpc(who: string, path: string): Rpc {
  const channel = openChannel(path)
  const ask = async (text: string) => parseAnswer(await channel.request(text))
  return createRpcOver(`The ${who}`, ask, channel.close)
}

/**
 * Connects to a node over `node:http` with kept-alive sockets (no `fetch`, no stream wrappers).
 *
 * At most 16 sockets are open at once; further requests wait in the agent's queue in order of arrival.
 *
 * @param url `http://HOST:PORT[/path]` of the node.
 */
export function createRpc(url: string): Rpc {
  const target = new URL(url)
  const where = `${target.protocol}//${target.host}` // without path and credentials, which may hold a key
  const agent = new Agent({ keepAlive: true, maxSockets: 16, noDelay: true })
  let lastId = 0
  const ask = (body: string) => post(target, agent, body)
  return createRpcOver(
    `The node at ${where}`,
    ask,
    () => agent.destroy(),
    () => ++lastId,
  )
}

/**
 * Requests over anything that takes JSON-RPC text.
 *
 * @param who For messages, for example `The base node`.
 * @param nextId Where each message has a connection for itself, all may have the same id, and equal requests are equal texts.
 */
export function createRpcOver(
  who: string,
  ask: (text: string, method: string) => Promise<RpcAnswer>,
  drop: () => void,
  nextId: () => number = () => 1,
): Rpc {
  let closed = false
  return {
    async request<T>(method: string, params: readonly unknown[] = []) {
      if (closed) throw new RpcTransportError(`${who} is closed (${method}).`)
      const body = JSON.stringify({ jsonrpc: '2.0', id: nextId(), method, params })
      let answer: RpcAnswer
      try {
        answer = await ask(body, method)
      } catch (cause) {
        // The node was not asked.
        if (cause instanceof ServiceError) throw cause
        const why = cause instanceof Error ? cause.message : String(cause)
        throw new RpcTransportError(`${who} did not answer ${method}: ${why}`, { cause })
      }
      if (answer.error) throw toRpcError(answer.error)
      return answer.result as T
    },
    close() {
      closed = true
      drop()
    },
  }
}

/** Posts one body and parses the answer; rejects when the connection breaks or the answer is not JSON-RPC. */
function post(target: URL, agent: Agent, body: string): Promise<RpcAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        agent,
        host: target.hostname.replace(/^\[|\]$/g, ''), // URL keeps the brackets of an IPv6 address, sockets want none
        port: target.port,
        path: target.pathname + target.search,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        readAll(response)
          .then((text) => resolve(parseAnswer(text, `HTTP ${response.statusCode}`)))
          .catch(reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

function readAll(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    response.on('error', reject)
  })
}

/** Reads an answer; throws when it is not JSON-RPC. */
export function parseAnswer(text: string, what = 'an answer'): RpcAnswer {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    answer = undefined
  }
  if (typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer)) {
    return answer as RpcAnswer
  }
  throw new Error(`${what} with a body that is not JSON-RPC: ${text.slice(0, 200)}`)
}

/** What a node has answered, as an error to throw. */
export function toRpcError(error: NonNullable<RpcAnswer['error']>): Error {
  const mark = error.message?.indexOf(upstreamMark) ?? -1
  if (mark >= 0) return new UpstreamError(error.message!.slice(mark + upstreamMark.length))
  return new RpcError(
    error.message ?? 'unknown error',
    error.code ?? -32603,
    revertData(error.data),
  )
}

/** Revert data stands in `error.data`, or one or more `data` levels deeper. */
function revertData(data: unknown): Hex | undefined {
  if (typeof data === 'string') return /^0x[0-9a-f]*$/i.test(data) ? (data as Hex) : undefined
  if (typeof data === 'object' && data !== null && 'data' in data) return revertData(data.data)
  return undefined
}

/** The node answered an error. `data` carries the revert data of a reverted call, when there is some. */
export class RpcError extends Error {
  readonly code: number
  readonly data: Hex | undefined
  constructor(message: string, code: number, data?: Hex) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

/** The node did not answer: it is down, or the connection broke. */
export class RpcTransportError extends Error {
  override name = 'RpcTransportError'
}

/** Begins what the proxy of a forked network says in its upstream's place; the node wraps it into words of its own. */
export const upstreamMark = '[svc-sim upstream] '

/** The node of a forked network could not read what it needed there; the message names the network and what to do. */
export class UpstreamError extends RpcTransportError {
  override name = 'UpstreamError'
}
