import { networkOfRpcPath, type RpcProxy } from '../../chain/proxy/proxy.js'
import type { Ids } from '../../lib/ids.js'
import type { ApiKey } from '../core/apiKeys.js'
import { requestIdHeader } from '../core/headers.js'
import type { Bind } from '../core/types.js'
import { foreignRpc, ownSecrets, socketHasToken } from '../pipeline/guard.js'
import type { HttpHandler } from '../server/listen.js'
import { isKeyOfOver, type WorldLookup } from './worldOf.js'

/** Hands WebSockets over to the network's node: whoever may speak JSON-RPC may do so by WebSocket. */
export function rpcUpgrade(
  rpc: Pick<RpcProxy, 'handleUpgrade'>,
  { bind, worlds }: { bind: Bind; worlds?: WorldLookup },
  ids: Pick<Ids, 'request'>,
  keys: readonly ApiKey[] = [],
): HttpHandler['upgrade'] {
  const own = ownSecrets(keys, bind)
  return (req, socket, head) => {
    const network = networkOfRpcPath(req.url)
    // Answered as a plain request, it hears why.
    if (!network || foreignRpc(req.headers, bind) || !socketHasToken(req, bind)) return false
    if (worlds && isKeyOfOver(req, worlds, own)) return false
    rpc.handleUpgrade(network, req, socket, head, [`${requestIdHeader}: ${ids.request()}`])
    return true
  }
}
