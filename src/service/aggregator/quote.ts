import type { Address, Hex } from 'viem'
import { z } from 'zod'
import type { NetworkName } from '../../deployments/networks.js'
import type { TextAmounts } from '../../lib/textAmounts.js'

/** Exactly one amount is given, in that token's smallest unit; `0xeeee…eeee` is the native token. */
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

const digits = z
  .string()
  .regex(/^[0-9]{1,78}$/, 'must be a decimal integer string')
  .refine((text) => !/^[0-9]{1,78}$/.test(text) || BigInt(text) < 2n ** 256n, {
    message: 'must fit into 256 bits',
  })
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')

/** The query of `GET /quote`, shaped like the field's usual aggregators. Amounts in smallest units. */
export const quoteQuery = z
  .object({
    chainId: z.string().regex(/^[0-9]{1,9}$/, 'must be a chain id'),
    sellToken: address,
    buyToken: address,
    sellAmount: digits.optional(),
    buyAmount: digits.optional(),
    taker: address,
    slippageBps: z
      .string()
      .regex(/^[0-9]{1,4}$/, 'must be basis points, 0 to 9999')
      .optional(),
  })
  .refine((query) => (query.sellAmount === undefined) !== (query.buyAmount === undefined), {
    message: 'exactly one of sellAmount and buyAmount must be given',
  })

export const quoteAnswer = z.object({
  quoteId: z.string(),
  chainId: z.int(),
  /** Whole bought tokens per whole sold token, as a plain decimal. */
  price: z.string(),
  sellToken: address,
  buyToken: address,
  sellAmount: digits,
  buyAmount: digits,
  minBuyAmount: digits,
  maxSellAmount: digits,
  allowanceTarget: address,
  transaction: z.object({
    to: address,
    data: z.string().regex(/^0x([0-9a-fA-F]{2})*$/),
    value: digits,
    gas: digits,
  }),
  sources: z.array(z.object({ name: z.string(), proportionBps: z.string() })),
  /** Unix seconds. */
  expiresAt: z.int(),
})

export type QuoteAnswer = z.infer<typeof quoteAnswer>

/** Why there is no quote; the body of every answer that is not 200. */
export const quoteRefusal = z.object({
  code: z.enum([
    'INVALID_INPUT',
    'UNSUPPORTED_CHAIN',
    'NO_LIQUIDITY',
    'NODE_UNAVAILABLE',
    'NOT_FOUND',
  ]),
  reason: z.string(),
})

export type QuoteRefusal = z.infer<typeof quoteRefusal>
