import type { Hex } from 'viem'
import { ServiceError } from '../../lib/errors.js'
import { type NodeAnswer, openChannel } from './nodeSocket.js'

/** A JSON-RPC connection to one node, for any number of requests at once. */
export interface Rpc {
  /** Sends one request. Rejects with `RpcError` when the node answers with an error, with `RpcTransportError` when it does not answer. */
  request<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>
  /** Closes the connections; pending requests reject with `RpcTransportError`. Safe to call twice. */
  close(): void
}

/** Sends one request to a node; resolves to its result. */
export type AskNode = <T = unknown>(method: string, ...params: unknown[]) => Promise<T>

/**
 * Connects to a node's socket, bypassing the pipeline. Each of a few kept connections carries one request at a time, in a tenth of
 * the time that HTTP takes.
 *
 * @param who For messages, for example `The base node`.
 */
export function createSocketRpc(who: string, path: string): Rpc {
  const channel = openChannel(path)
  return createRpcOver(who, channel.request, channel.close)
}

/**
 * Requests over anything that takes them to a node.
 *
 * @param who For messages, for example `The base node`.
 */
export function createRpcOver(
  who: string,
  ask: (method: string, params: readonly unknown[]) => Promise<NodeAnswer>,
  drop: () => void,
): Rpc {
  let closed = false
  return {
    async request<T>(method: string, params: readonly unknown[] = []) {
      if (closed) throw new RpcTransportError(`${who} is closed (${method}).`)
      let answer: NodeAnswer
      try {
        answer = await ask(method, params)
      } catch (cause) {
        // A step of the pipeline refused it, so the node did not see it.
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

/** The error of an answer, to throw. */
export function toRpcError(error: NonNullable<NodeAnswer['error']>): Error {
  for (const [mark, Marked] of marked) {
    const at = error.message?.indexOf(mark) ?? -1
    if (at >= 0) return new Marked(error.message!.slice(at + mark.length))
  }
  return new RpcError(
    error.message ?? 'unknown error',
    error.code ?? -32603,
    revertData(error.data),
  )
}

/** Revert data is in `error.data`, or one or more `data` levels deeper. */
function revertData(data: unknown): Hex | undefined {
  if (typeof data === 'string') return /^0x[0-9a-f]*$/i.test(data) ? (data as Hex) : undefined
  if (typeof data === 'object' && data !== null && 'data' in data) return revertData(data.data)
  return undefined
}

/** The node answered with an error. `data` is the revert data of a reverted call, if there is any. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  readonly data: Hex | undefined
  constructor(message: string, code: number, data?: Hex) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The node did not answer: it is down, or the connection broke. */
export class RpcTransportError extends Error {
  override name = 'RpcTransportError'
}

/** A forked node could not read from its upstream; the message names the network and what to do. */
export class UpstreamError extends RpcTransportError {
  override name = 'UpstreamError'
}

/** A forked node without an upstream needs what was never recorded, so the same fails again. */
export class NotRecordedError extends UpstreamError {
  override name = 'NotRecordedError'
}

/** Precede errors that the upstream proxy of a fork reports; the node wraps them in a message of its own. */
const marked = [
  ['[svc-sim not recorded] ', NotRecordedError],
  ['[svc-sim upstream] ', UpstreamError],
] as const

/** The text by which `toRpcError` tells an error of the upstream proxy from the node's own. */
export function upstreamText(error: Error): string {
  const [mark] = marked.find(([, Marked]) => error instanceof Marked) ?? marked[1]
  return `${mark}${error.message}`
}
