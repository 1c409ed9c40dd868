import './promiseShim.js'
import { Instance, Pool } from 'prool'
import type { NetworkName } from '../../deployments/networks.js'
import type { AnvilProcesses } from './anvilProcesses.js'

/**
 * The nodes by network. The pool starts, restarts and stops them. It has each node from its first start until it is destroyed, and the
 * instance's status says whether its process runs.
 */
export type NodePool = Pool.Pool<NetworkName, ReturnType<typeof defineNode>>

/** An instance ends by itself in these ways only; prool's own timeouts would leave the process running, so none is set. */
const defineNode = Instance.define((processes: AnvilProcesses) => ({
  name: 'anvil',
  host: 'localhost',
  port: 0, // requests go through its socket
  async start(_, { emitter }) {
    await processes.start(({ code, signal }) => emitter.emit('exit', code, signal))
    emitter.emit('listening')
  },
  stop: () => processes.stop(),
}))

/** A pool without nodes yet. `start` a node with a port, or prool looks for a free one first, which nothing uses. */
export function createNodePool(processesOf: (network: NetworkName) => AnvilProcesses): NodePool {
  return Pool.define({ instance: (network: NetworkName) => defineNode(processesOf(network)) })
}
