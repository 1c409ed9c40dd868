import type { Address, Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import type { SettingLeft } from './commandLog.js'
import type { Gate } from './gate.js'
import type { NodeLifecycle } from './nodeLifecycle.js'
import type { ChainPipeline, ChainSteps } from './pipeline.js'
import type { PostponedBlocks } from './postponedBlocks.js'
import type { RemovedLogs } from './removedLogs.js'
import type { Rpc } from './rpc.js'

/** One running network, as seen by everything above the process level. */
export interface Node {
  readonly network: NetworkName
  readonly chainId: number
  /** The service's requests, through all steps of the pipeline. */
  readonly rpc: Rpc
  /** The pipeline of every message to it. Absent in stand-ins for a node. */
  readonly pipeline?: ChainPipeline
  /** Path of its socket, the only way to it: its TCP port cannot be reached (`unreachable.ts`). */
  readonly socket: string
  /** Who may use it at the same time, and what changes. Absent in stand-ins for a node. */
  readonly gate?: Gate
  readonly lifecycle: NodeLifecycle
  /** Blocks that are still to be mined; absent where every block is mined at once. */
  readonly postponed?: PostponedBlocks
  /** Reports the logs of blocks that are taken back; absent in stand-ins. */
  readonly removedLogs?: Pick<RemovedLogs, 'watch'>
  /** Present if the node can be started over; such a node is also brought back when it dies. */
  readonly start?: NodeStart
  /** The fork; undefined for an offline chain. */
  readonly fork?: ForkPoint
}

/** The point at which a node was forked from its network. */
export interface ForkPoint {
  /** The last block that it has in common with its network. */
  readonly block: number
  /** Marks this fill as belonging to a deposit made here: it cannot exist at the fork's block, so the upstream need not be asked. */
  expectFill(relayHash: Hex): void
  /** Announces a sub-account, both addresses in lower case: its wallet was derived here, so the upstream has nothing about it. */
  expectWallet(wallet: string, signer: string): void
}

/** A node that can be started over. */
export interface NodeStart {
  /** Makes the present state the one that `restart` restores. */
  keep(): void
  /** Replaces its process by one with the state of the last `keep`. Nothing may be sent meanwhile. */
  restart(): Promise<void>
  /** What undoes the settings that are there only for a while. After a start nobody else undoes those of a run that was killed. */
  leftovers(): readonly SettingLeft[]
}

/** The five running nodes. */
export interface Nodes {
  get(network: NetworkName): Node
  all(): readonly Node[]
  /** Resolves when every child is gone. Safe to call twice. */
  stop(): Promise<void>
}

/** Requests that set a node differently for a while: what they set does not outlive the process. */
export function rpcForNow({ rpc, pipeline }: Pick<Node, 'rpc' | 'pipeline'>): Rpc {
  return pipeline?.rpc({ forNow: true }) ?? rpc
}

/** The same nodes, with other steps in their pipelines. */
export function withSteps(nodes: Nodes, stepsOf: (node: Node) => ChainSteps): Nodes {
  const all = nodes.all().map((node): Node => {
    const pipeline = node.pipeline?.with(stepsOf(node))
    return pipeline ? { ...node, pipeline, rpc: pipeline.rpc() } : node
  })
  const find = (network: NetworkName) => all.find((node) => node.network === network)
  return { ...nodes, all: () => all, get: (network) => find(network) ?? nodes.get(network) }
}

/** A transaction sent by an account that the node acts for. Amounts in wei. */
export interface SendRequest {
  from: Address
  to?: Address
  data?: Hex
  value?: bigint
  /** Gas limit; the default leaves room for every operation the simulator sends. */
  gas?: bigint
  /** Whether it begins something new, so that work under way or due may go first. */
  canWait?: boolean
  /** Whether it gets a block of its own. */
  alone?: boolean
}

export interface Log {
  /** Absent in logs of a simulated call. */
  transactionHash?: Hex
  blockHash?: Hex
  address: Address
  topics: Hex[]
  data: Hex
  logIndex: Hex
}

/** The part of a mined receipt that the simulator uses; quantities as the node sends them (hex). */
export interface Receipt {
  transactionHash: Hex
  status: '0x1' | '0x0'
  blockNumber: Hex
  gasUsed: Hex
  effectiveGasPrice: Hex
  logs: Log[]
  contractAddress?: Address | null
}
