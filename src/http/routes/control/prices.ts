import { z } from 'zod'
import { highestPrice, lowestPrice } from '../../../control/priceBoard.js'
import { decimal } from '../../../service/folio/numbers.js'
import { controlRoute, type Route } from '../../core/route.js'
import { minesNothing } from './wallets.js'

const usdError =
  'must be a price in USD per whole token, from 0.00000001 to 1000000000, as a decimal such as "2500" or "0.9998" with at most 8 places and without an exponent'

/** A JSON number as a decimal without an exponent, which the shortest form of very small ones has. */
function decimalText(value: string | number): string {
  const text = String(value)
  return typeof value === 'number' && text.includes('e-')
    ? value.toFixed(20).replace(/0+$/, '')
    : text
}

/** A price in USD: decimal text, or a JSON number; inside with 8 decimals. */
const usdField = z
  .union(
    [z.string(), z.number().min(0.00000001, { error: usdError }).max(1e9, { error: usdError })],
    { error: usdError },
  )
  .transform(decimalText)
  .refine((text) => /^(0|[1-9][0-9]{0,9})(\.[0-9]{1,8})?$/.test(text), { error: usdError })
  .transform((text) => {
    const [whole = '0', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(8, '0'))
  })
  .refine((usdE8) => usdE8 >= lowestPrice && usdE8 <= highestPrice, { error: usdError })
  .meta({
    description:
      'USD per whole token, from 0.00000001 to 1000000000, with at most 8 decimal places and without an exponent. Anything else is refused, and no price moves.',
  })

const pricesAnswer = z
  .strictObject({ prices: z.record(z.string(), z.string().meta({ pattern: '^[0-9.]+$' })) })
  .meta({ id: 'Prices' })

export const priceRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'listPrices',
    method: 'get',
    path: '/_sim/prices',
    summary: 'List the prices',
    description: 'The price of every asset in USD per whole token; the same on all networks.',
    answer: {
      description: 'Decimal strings by asset symbol.',
      schema: pricesAnswer,
    },
    async handler({ deps }) {
      return { prices: pricesWire(await deps.control.prices.all()) }
    },
  }),
  controlRoute({
    operationId: 'setPrice',
    method: 'put',
    path: '/_sim/prices/:asset',
    summary: 'Move a price',
    description:
      'Sets a new price. Feeds, Aave and Morpho oracles, aggregator quotes and Uniswap pools move together, on all networks. Assets that are a claim on this one (ETH and WETH) move with it. Returns when everything has moved. Positions that become unsafe stay until they are liquidated.',
    body: { schema: z.object({ usd: usdField }).meta({ id: 'Price' }) },
    answer: {
      description: 'The new price, and every asset that has it now.',
      schema: z
        .strictObject({ asset: z.string(), usd: z.string(), moved: z.array(z.string()) })
        .meta({ id: 'PriceMoved' }),
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'the asset has no price, or usd is malformed or out of range; no price has moved',
      },
      minesNothing('a network mines no blocks'),
    ],
    async handler({ deps, req, body }) {
      const asset = String(req.params.asset)
      const { moved } = await deps.control.prices.set(asset, body.usd)
      const named = moved.find((symbol) => symbol.toLowerCase() === asset.toLowerCase())
      return { asset: named ?? asset, usd: decimal(body.usd, 8), moved }
    },
  }),
]

/** As they are answered: decimal texts by symbol. */
export function pricesWire(all: Record<string, bigint>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).map(([symbol, e8]) => [symbol, decimal(e8, 8)]))
}
