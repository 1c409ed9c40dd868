import type { NetworkName } from '../../deployments/networks.js'
import type { Node, Nodes } from './node.js'
import type { ChainSteps } from './pipeline.js'

/** The same nodes, with more steps in their pipelines. */
export function withSteps(nodes: Nodes, stepsOf: (node: Node) => ChainSteps): Nodes {
  const all = nodes.all().map((node): Node => {
    const pipeline = node.pipeline?.with(stepsOf(node))
    return pipeline ? { ...node, pipeline, rpc: pipeline.rpc() } : node
  })
  const find = (network: NetworkName) => all.find((node) => node.network === network)
  return { ...nodes, all: () => all, get: (network) => find(network) ?? nodes.get(network) }
}
