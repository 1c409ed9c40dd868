import type { Hex } from 'viem'

/** A JSON-RPC connection to one node. Any number of requests may be under way at once. */
export interface Rpc {
  readonly url: string
  /** Sends one request. Rejects with `RpcError` when the node answers an error, `RpcTransportError` when it does not answer. */
  request<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>
  close(): void
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
