import { networkOfRpcPath, type RpcProxy } from '../chain/node/proxy.js'
import { foreignRpc, socketHasToken } from './guard.js'
import type { Face } from './listen.js'
import type { Bind } from './types.js'

/** Hands WebSockets over to the network's node: whoever may speak JSON-RPC may do so by WebSocket. */
export function rpcUpgrade(rpc: Pick<RpcProxy, 'handleUpgrade'>, bind: Bind): Face['upgrade'] {
  return (req, socket, head) => {
    const network = networkOfRpcPath(req.url)
    // Answered as a plain request, it hears why.
    if (!network || foreignRpc(req.headers, bind) || !socketHasToken(req, bind)) return false
    rpc.handleUpgrade(network, req, socket, head)
    return true
  }
}
