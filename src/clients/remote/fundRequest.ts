import type { NetworkName } from '../../deployments/networks.js'

/**
 * Funds to give; exactly one of `account_id` and `address`. `amount` in the asset's smallest unit: text, an integer up to 2^53-1, or
 * a `bigint`.
 */
export interface FundRequest {
  account_id?: string
  address?: string
  asset: string
  amount: string | number | bigint
  network: NetworkName
}
