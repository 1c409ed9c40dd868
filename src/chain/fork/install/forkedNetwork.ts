import type { CometMarket, LeftOut } from '../../../deployments/markets.js'
import type { NetworkName } from '../../../deployments/networks.js'

/** A type of the library, so it must not refer to types of packages. */
export interface ForkedNetwork {
  /** Host of the upstream. The URL may hold a key and is not kept. */
  host: string
  block: number
  leftOut: readonly LeftOut[]
  /** Comet markets with the collaterals and limits that they have there. */
  comets: readonly CometMarket[]
  /** Whether a request to its upstream is in progress. */
  isAsked(): boolean
}

/** The forked networks; offline ones are absent. */
export type Forks = ReadonlyMap<NetworkName, ForkedNetwork>
