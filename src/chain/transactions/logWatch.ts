import type { Hex } from 'viem'
import { toHex } from 'viem/utils'
import type { NetworkName } from '../../deployments/networks.js'
import type { Log, Node, Nodes } from '../rpc/node.js'
import { rpcAsItStands } from '../rpc/postponedBlocks.js'
import { subscribe } from './subscribe.js'

export type MinedLog = Log & { transactionHash: Hex; blockNumber: Hex }

/** Contracts of one network, and the first topics of their logs. */
export interface LogFilter {
  address: string | readonly string[]
  topic: string | readonly string[]
}

/** The block of each network up to which all logs have been reported. */
export type ReadUpTo = ReadonlyMap<NetworkName, number>

/**
 * Reports the logs of all networks while it is not paused. `resume` looks up the logs that were missed, so some logs are reported twice.
 * Late notifications of blocks that a restore has removed are dropped.
 */
export function createLogWatch(
  nodes: Nodes,
  filterOn: (network: NetworkName) => LogFilter,
  onLog: (network: NetworkName, log: MinedLog) => void,
) {
  let heard = new Map<NetworkName, number>()
  const catchUp = async (node: Node): Promise<void> => {
    const { network, rpc } = node
    // Postponed blocks have no logs.
    const latest = Number(await rpcAsItStands(node).request<Hex>('eth_blockNumber'))
    const known = heard.get(network) ?? latest
    if (latest > known) {
      const { address, topic } = filterOn(network)
      const fromBlock = toHex(known + 1)
      const filter = { address, topics: [topic], fromBlock, toBlock: 'latest' }
      const missed = await rpc.request<MinedLog[]>('eth_getLogs', [filter])
      for (const log of missed) onLog(network, log)
    }
    heard.set(network, latest)
  }
  const observe = (network: NetworkName, log: MinedLog): void => {
    // Logs come in the order of the chain, so those of earlier blocks have been reported.
    const before = Number(log.blockNumber) - 1
    if (before > (heard.get(network) ?? before)) heard.set(network, before)
    onLog(network, log)
  }
  const subscriptions = nodes.all().map((node) => {
    const { address, topic } = filterOn(node.network)
    const params = ['logs', { address, topics: [topic] }]
    const onEvent = (log: MinedLog): void => observe(node.network, log)
    return subscribe(node, params, onEvent, () => catchUp(node))
  })
  return {
    async pause(): Promise<void> {
      for (const subscription of subscriptions) subscription.pause()
    },
    async resume(): Promise<void> {
      await Promise.all(subscriptions.map((subscription) => subscription.resume()))
      await Promise.all(nodes.all().map(catchUp))
    },
    end(): void {
      for (const subscription of subscriptions) subscription.end()
    },
    /** Resolves when all mined logs have been reported. */
    async catchUp(): Promise<void> {
      await Promise.all(nodes.all().map(catchUp))
    },
    save: (): ReadUpTo => new Map(heard),
    restore(saved: ReadUpTo): void {
      heard = new Map(saved)
    },
  }
}
