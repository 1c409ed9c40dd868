import type { IncomingMessage } from 'node:http'
import { mostBytes } from '../../chain/proxy/rpcBody.js'

/** The largest request body of the service and of the control API, in bytes as it is unpacked. */
export const bodyLimit = 1024 * 1024

/** The length that a request says its body has, in bytes; NaN when it says none. */
export function declaredBytes({ headers }: Pick<IncomingMessage, 'headers'>): number {
  return Number(headers['content-length'] ?? Number.NaN)
}

/** Whether the body that a request announces is going to be refused, whatever it is: JSON-RPC may be larger. */
export function isTooLarge(req: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  const isRpc = /^(\/worlds\/[^/]+)?\/rpc\//.test(req.url ?? '')
  return declaredBytes(req) > (isRpc ? mostBytes : bodyLimit)
}
