import { z } from 'zod'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { Token } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import { deliverable, held } from '../assembly/funding.js'
import { tokenOn } from '../assembly/resolve.js'
import {
  observeSwap,
  requireSold,
  type Swap,
  swapAction,
  swapQuote,
} from '../markets/swapAction.js'
import { assetField, exactAmount, larger, networkField, smaller } from '../model/fields.js'
import { definePlan, type PlanInput } from '../model/kind.js'
import { swapIntents } from '../model/svcIntents.js'

const schema = z
  .object({
    sell_asset: assetField('Asset to sell.'),
    buy_asset: assetField('Asset to buy.', 'WETH'),
    network: networkField,
    sell_amount: exactAmount('Exact amount to sell. Not with `buy_amount`.').optional(),
    buy_amount: exactAmount('Exact amount to buy. Not with `sell_amount`.').optional(),
  })
  .refine((body) => (body.sell_amount === undefined) !== (body.buy_amount === undefined), {
    error: 'must be given exactly when buy_amount is not',
    path: ['sell_amount'],
  })
  .meta({
    id: 'SwapIntent',
    description: 'Exactly one of `sell_amount` and `buy_amount` must be given.',
  })

type SwapIntent = z.infer<typeof schema>

/** Swaps one asset for another through the aggregator's best quote (interface.md, `plan/swap`). */
export const swap = definePlan<SwapIntent>({
  kind: 'swap',
  path: 'swap',
  summary: 'Plan a swap',
  description:
    'Builds a plan that swaps one asset for another at the aggregator’s quote. 0.15 % of the bought amount goes to the fee recipient, in the bought asset; the wallet keeps the rest.',
  schema,
  example: { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', sell_amount: '1000000' },

  spends: (intent) => [intent.sell_asset],
  buys: (intent) => [intent.buy_asset],

  assets: pairOf,

  quotes(intent, book, wallet) {
    const { network, sell_amount: sellAmount, buy_amount: buyAmount } = intent
    return [swapQuote({ network, ...pairOf(intent, book), sellAmount, buyAmount }, wallet)]
  },

  check(intent, world) {
    if (intent.sell_amount === undefined) return
    const { sell } = pairOf(intent, world.book)
    requireSold(world, intent.network, sell, intent.sell_amount)
  },

  build(intent, input) {
    const { network } = intent
    const { sell, buy } = pairOf(intent, input.book)
    const quote = input.quotes[0]!
    const most = mostSold(input, { network, sell, quote })
    return {
      network,
      spends: [{ token: sell, amount: most }],
      // A native token is sent along up to the most it may cost; of an ERC-20 only the cost is taken.
      actions: [
        swapAction(input, { network, sell, buy, quote, ...(sell.native && { maxSell: most }) }),
      ],
    }
  },

  svcIntent: (_intent, contexts, wallet) => ({
    intent_type: 'swap',
    intent: swapIntents(contexts, wallet)[0]!,
  }),

  observe: observeSwap,
})

/**
 * The amount that must be there to sell: for an exact buy amount, the quote and its slippage as far as the wallet has it. Only the quote
 * itself is worth a bridge.
 */
function mostSold(
  input: PlanInput,
  { network, sell, quote }: Pick<Swap, 'network' | 'sell' | 'quote'>,
): bigint {
  const { sellAmount, maxSellAmount } = quote
  const own = held(input, network, sell)
  const there = own >= sellAmount ? own : deliverable(input, network, sell)
  return larger(sellAmount, smaller(maxSellAmount, there))
}

function pairOf(intent: SwapIntent, book: AddressBook): { sell: Token; buy: Token } {
  const sell = tokenOn(book, intent.network, intent.sell_asset, 'sell_asset')
  const buy = tokenOn(book, intent.network, intent.buy_asset, 'buy_asset')
  if (sell.address === buy.address)
    throw new ServiceError(
      'invalid_params',
      `buy_asset: ${JSON.stringify(intent.buy_asset)} is also the asset to sell; sell_asset and buy_asset must differ`,
    )
  return { sell, buy }
}
