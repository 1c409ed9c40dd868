import type { Address, Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'

/** Who changed something that plans read. */
export type Author =
  /** The execution of a plan. Its entry at consumption has no transaction; each mined transaction has an entry. */
  | { by: 'plan'; plan_id: string; activity_id: string; wallet: Address }
  | { by: 'faucet'; network: NetworkName; asset: string; amount: string }
  | FaultActor
  | { by: 'price' }
  | { by: 'clock' }
  | { by: 'reorganisation'; network: NetworkName; replaced: number; rule?: string }
  /** A write of a client over JSON-RPC. */
  | { by: 'rpc'; network: NetworkName; method: string; sender?: Address }
  | { by: 'bridge'; from: NetworkName; network: NetworkName }
  | { by: 'liquidation'; network: NetworkName }
  | { by: 'rewards'; network: NetworkName; asset: string; amount: string }

/** A fault rule that changed the world. */
export interface FaultActor {
  by: 'fault'
  rule: string
  effect: string
  /** The request had the rule in its header. */
  carried?: true
  /** The plan that it was aimed at; absent where it was aimed at none. */
  plan_id?: string
  /** The transactions that it sent; none where it wrote the state itself. */
  hashes?: readonly Hex[]
}

/** What an entry changed. Amounts are in smallest units, as decimal strings; addresses are in lower case. */
export type Touch =
  | {
      of: 'balance'
      network: NetworkName
      address: string
      symbol: string
      /** Absent where only one of the others, or none, is known. */
      delta?: string
      after?: string
    }
  /** Nonces of a wallet were used. */
  | { of: 'nonce'; network: NetworkName; address: string; nonces: readonly Hex[] }
  /** USD, as decimal strings. */
  | { of: 'price'; assets: readonly string[]; before: string; after: string }
  /** ISO 8601. */
  | { of: 'time' | 'expiry'; before: string; after: string }
  /** Blocks were mined without a transaction. */
  | { of: 'blocks'; network: NetworkName }
  /** Something of a contract or an account, or of the whole network. */
  | { of: 'state'; network: NetworkName; address?: string }

/** The transaction of an entry. Its block is unknown until it is known to be mined. */
export interface LedgerTransaction {
  network: NetworkName
  hash: Hex
  block?: number
}

/** One change, with its place, its time and the request that caused it. */
export interface LedgerEntry {
  position: number
  ms: number
  requestId: string | undefined
  actor: Author
  touched: readonly Touch[]
  transaction?: LedgerTransaction
}
