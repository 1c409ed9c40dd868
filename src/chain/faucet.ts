import type { Address } from 'viem'
import type { NetworkName } from './networks.js'

/** Gives funds. Amounts in the asset's smallest unit. */
export interface Faucet {
  /** Adds `amount` of the asset to the address; resolves to the balance after it. Rejects with `ServiceError` `invalid_params` when the asset is not on that network. */
  fund(request: {
    address: Address
    asset: string
    amount: bigint
    network: NetworkName
  }): Promise<{ address: Address; asset: string; network: NetworkName; balance: bigint }>
}
