import type { CometMarket, LeftOut } from '../../../deployments/markets.js'
import type { NetworkName } from '../../../deployments/networks.js'

/** A forked network as the rest of the program knows it. A type of the library: what it refers to names no package. */
export interface ForkedNetwork {
  /** Host of the upstream. The URL may hold a key and is not kept. */
  host: string
  block: number
  leftOut: readonly LeftOut[]
  /** Comet markets with the collaterals and limits that they have there. */
  comets: readonly CometMarket[]
  /** Whether its upstream is being asked something now. */
  isAsked(): boolean
}

/** By network; offline ones are not in it. */
export type Forks = ReadonlyMap<NetworkName, ForkedNetwork>
