import type { Address, Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import type { TextAmounts } from '../../lib/textAmounts.js'

/** What is asked of the aggregator. Exactly one amount is given, in that token's smallest unit; `0xeeee…eeee` is the native token. */
export interface QuoteRequest {
  network: NetworkName
  sellToken: Address
  buyToken: Address
  sellAmount?: bigint | undefined
  buyAmount?: bigint | undefined
  /** Who will swap and receive: the wallet. */
  taker: Address
  slippageBps: number
}

/** A priced offer. Amounts in smallest units. */
export interface Quote {
  network: NetworkName
  sellToken: Address
  buyToken: Address
  sellAmount: bigint
  buyAmount: bigint
  /** Least that may arrive: the bought amount less the slippage, rounded down (exact out: the bought amount itself). */
  minBuyAmount: bigint
  /** Most that may be taken: the sold amount plus the slippage, rounded up (exact in: the sold amount itself). */
  maxSellAmount: bigint
  /** Contract that must be allowed to take the sold token. */
  allowanceTarget: Address
  /** The call that settles the quote. `value` in wei. */
  transaction: { to: Address; data: Hex; value: bigint }
  quoteId: string
  /** Unix seconds. */
  expiresAt: number
  exactOut: boolean
}

/** A quote as a plan stores it. */
export function quoteFromText(stored: TextAmounts<Quote>): Quote {
  return {
    ...stored,
    sellAmount: BigInt(stored.sellAmount),
    buyAmount: BigInt(stored.buyAmount),
    minBuyAmount: BigInt(stored.minBuyAmount),
    maxSellAmount: BigInt(stored.maxSellAmount),
    transaction: { ...stored.transaction, value: BigInt(stored.transaction.value) },
  }
}
