import type { Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import type { NodeLifecycle } from './nodeLifecycle.js'
import type { ChainStep } from './pipeline.js'

/** A command for a node, as the log has it. JSON-safe. */
export interface NodeCommand {
  method: string
  params: unknown
  /** Time of the block that it mines, in Unix seconds; absent when it mines none. */
  at?: number
  /** Hash of the latest block before it. */
  on?: Hex
  /** Present when the setting is temporary: if the process is killed meanwhile, the next start undoes it. */
  forNow?: true
}

/** A node as its command log sees it, before anything else uses it. */
export interface NodeHandle {
  network: NetworkName
  /** Path of its socket, which stays the same for every process of the node. */
  socket: string
  lifecycle: NodeLifecycle
  /**
   * Ends its process, if there is one, and starts another from this state; without a state, from the beginning of the fork. Resolves when
   * that listens. Rejects with `AnvilEnded` when it ends instead.
   */
  startFrom(loadState: string | undefined): Promise<void>
}

/** Logs the commands of a node, and brings the node back when it has died. */
export interface CommandLog {
  readonly step: ChainStep
  /**
   * Restarts the node and restores its latest state (`now`), or the one at the time of `keepStart`. Resolves to whether a command that
   * killed it was left out. Rejects with `ConnectionLost` or `AnvilEnded` when its process ends again, otherwise with the reason why it
   * cannot be restored.
   */
  readonly bringBack: (to: 'now' | 'start') => Promise<boolean>
  readonly keepStart: () => void
  /** What undoes the settings that are there only for a while. */
  readonly leftovers: () => readonly SettingLeft[]
  /** The command that has switched the node's mining off for good. */
  readonly switchedOff: () => NodeCommand | undefined
}

/** A setting that is there for a while, and what it is to be afterwards. */
export interface SettingLeft {
  method: 'evm_setAutomine' | 'anvil_autoImpersonateAccount'
  isOn: boolean
}
