import type { NetworkName } from './networks.js'
import type { Node, Nodes } from './node.js'

/** Requests after which the chain may have other blocks. */
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
