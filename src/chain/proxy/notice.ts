import type { NetworkName } from '../../deployments/networks.js'
import type { Node, Nodes } from '../rpc/node.js'
import { markWrite, writesState } from '../transactions/directWrites.js'
import type { RpcCall } from './proxy.js'

/** Requests of the simulator after which a chain may have other blocks. */
const moving = /^(eth_send|evm_mine|evm_revert|anvil_(mine|reorg|rollback))/

/** The nodes, and `notice` called with the network whenever one has answered a request that may have changed its chain. */
export function withNotice(nodes: Nodes, notice: (network: NetworkName) => void): Nodes {
  const wrapped = nodes.all().map((node): Node => {
    const request: Node['rpc']['request'] = async <T>(
      method: string,
      params?: readonly unknown[],
    ) => {
      const result = await node.rpc.request<T>(method, params)
      if (moving.test(method)) notice(node.network)
      return result
    }
    return { ...node, rpc: { ...node.rpc, request } }
  })
  const find = (network: NetworkName) => wrapped.find((node) => node.network === network)
  return { ...nodes, all: () => wrapped, get: (network) => find(network) ?? nodes.get(network) }
}

/** Requests of clients that may do anything to a chain; the other families only read. */
const changing = /^(eth_send|evm_|anvil_|hardhat_|tenderly_)/

/**
 * Notices what a client has done over JSON-RPC, once the node has answered: `notice` is called when its blocks may be others,
 * and what was written into the state is marked, so that a reorganisation does not lose it.
 */
export function noticeCall(
  nodes: Pick<Nodes, 'get'>,
  notice: (network: NetworkName) => void,
): (call: RpcCall) => Promise<void> {
  return async ({ network, methods }) => {
    if (methods.some((method) => changing.test(method))) notice(network)
    if (methods.some(writesState)) await markWrite(nodes.get(network))
  }
}
