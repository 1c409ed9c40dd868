import { z } from 'zod'

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

/** The answer of `GET /quote`. */
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
