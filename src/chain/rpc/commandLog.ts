import type { NetworkName } from '../../deployments/networks.js'
import type { NodeLifecycle } from './nodeLifecycle.js'
import type { ChainStep } from './pipeline.js'

/** A node as its command log gets it, before everybody else. */
export interface NodeHandle {
  network: NetworkName
  /** Path of its socket, whichever process answers there. */
  socket: string
  lifecycle: NodeLifecycle
  /**
   * Ends its process, if there is one, and starts another from this state, a fork as it begins without one; resolves when that listens. Rejects with `AnvilEnded`
   * when it ends instead.
   */
  startFrom(loadState: string | undefined): Promise<void>
}

/** What stands between a node and everybody else, and brings it back when it has died. */
export interface CommandLog {
  readonly step: ChainStep
  /**
   * Starts the node again, and makes it what it was (`now`), or what it was when `keepStart` was called. Resolves to whether a command
   * was left out that it has died of. Rejects with `ConnectionLost` or `AnvilEnded` when its process ends once more, or else with the
   * reason why it cannot be done.
   */
  readonly bringBack: (to: 'now' | 'start') => Promise<boolean>
  readonly keepStart: () => void
}
