import type { RpcProxyOptions } from '../../chain/proxy/proxy.js'
import type { Node, Nodes } from '../../chain/rpc/node.js'
import type { Rpc } from '../../chain/rpc/rpc.js'
import { markWrite, writesState } from '../../chain/transactions/directWrites.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { Faults } from '../engine/engine.js'

/** The nodes with the seam `chain` around every request to them. */
export function withChainFaults(nodes: Nodes, faults: Faults): Nodes {
  const wrapped = new Map(
    nodes.all().map((node): [NetworkName, Node] => {
      const { network, rpc } = node
      const through: Rpc['request'] = <T>(method: string, params?: readonly unknown[]) => {
        const proceed = () => rpc.request<T>(method, params)
        if (!faults.armed) return proceed()
        const call = { facts: { network, method }, method }
        return faults.around('chain.request', call, proceed) as Promise<T>
      }
      const request: Rpc['request'] = async (method, params) => {
        const result = await through(method, params)
        if (writesState(method)) await markWrite(joined)
        return result as never
      }
      const joined: Node = { ...node, rpc: { ...rpc, request } }
      return [network, joined]
    }),
  )
  const all = [...wrapped.values()]
  return { ...nodes, get: (network) => wrapped.get(network) ?? nodes.get(network), all: () => all }
}

/** The seam `chain` around every message that comes over JSON-RPC. */
export function rpcFaults(faults: Faults): NonNullable<RpcProxyOptions['around']> {
  return (call, proceed) => {
    if (!faults.armed) return proceed()
    const facts = { network: call.network, method: 'rpc' }
    return faults.around('chain.request', { facts, method: 'rpc' }, proceed) as ReturnType<
      typeof proceed
    >
  }
}
