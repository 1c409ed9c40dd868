import type { Address, Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import type { ChangeTracker } from './changeTracker.js'
import type { MiningWatch } from './miningWatch.js'
import type { NodeLifecycle } from './nodeLifecycle.js'
import type { ChainPipeline } from './pipeline.js'
import type { PostponedBlocks } from './postponedBlocks.js'
import type { Rpc } from './rpc.js'
import type { SnapshotGuard } from './snapshotGuard.js'

/** One running network, as everything above the process level sees it. */
export interface Node {
  readonly network: NetworkName
  readonly chainId: number
  /** The service's requests, through all steps of the pipeline. */
  readonly rpc: Rpc
  /** What every message to it passes through. Absent where somebody stands in for a node. */
  readonly pipeline?: ChainPipeline
  /** Path of its socket, the only way to it: what listens on TCP is ours (`unreachable.ts`). */
  readonly socket: string
  /** Tells whether it can have changed since it was last read, for those who keep its answers. */
  readonly changeTracker?: ChangeTracker
  readonly lifecycle: NodeLifecycle
  /** Tells when what waits in its pool may be mined, for those who wait for that. */
  readonly mining?: MiningWatch
  /** What its chain is still to mine; absent where every block is mined at once. */
  readonly postponed?: PostponedBlocks
  /** Keeps what a reset returns to. */
  readonly snapshots?: Pick<SnapshotGuard, 'keepStart' | 'hasEnded' | 'isNewest' | 'isSure'>
  /** Where it can be started over; there it also comes back when it dies. */
  readonly start?: NodeStart
  /** Where it is forked; undefined offline. */
  readonly fork?: ForkPoint
}

/** Where a node was forked from its network. */
export interface ForkPoint {
  /** The last block that it has in common with its network. */
  readonly block: number
  /** Tells that this fill is of a deposit that was made here: at the fork's block it had not happened, and nobody need be asked. */
  expectFill(relayHash: Hex): void
  /** Tells of a sub-account, both addresses in lower case: its wallet was derived here, so the network has nothing of it. */
  expectWallet(wallet: string, signer: string): void
}

/** A node that can begin anew. */
export interface NodeStart {
  /** Makes the present the state to which `again` returns. */
  keep(): void
  /** Ends its process, and starts one that is as it was when `keep` was called. Nothing is to be sent meanwhile. */
  again(): Promise<void>
}

/** The five running nodes. */
export interface Nodes {
  get(network: NetworkName): Node
  all(): readonly Node[]
  /** Resolves when every child is gone. Safe to call twice. */
  stop(): Promise<void>
}

/** A transaction sent by an account that the node acts for. Amounts in wei. */
export interface SendRequest {
  from: Address
  to?: Address
  data?: Hex
  value?: bigint
  /** Gas limit; the default leaves room for every operation the simulator sends. */
  gas?: bigint
  /** Begins something, and lets what is under way or due go first. */
  canWait?: boolean
  /** It has a block for itself. */
  alone?: boolean
}

export interface Log {
  /** Absent in logs of what was only simulated. */
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
