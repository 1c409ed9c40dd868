import type { LeftOut } from '../../../deployments/addressBook.js'
import type { NetworkName } from '../../../deployments/networks.js'
import type { CometMarket } from '../../../deployments/protocolBook.js'

/** A forked network as the rest of the program knows it. */
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
