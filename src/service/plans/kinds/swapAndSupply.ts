import { z } from 'zod'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { Token } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import { amountOrDeliverable, marketTokenOn } from '../assembly/funding.js'
import { type Readable, tokenOn } from '../assembly/resolve.js'
import {
  observeSwap,
  requireSold,
  swapAction,
  swapProceeds,
  swapQuote,
} from '../markets/swapAction.js'
import {
  observeYield,
  vaultHasMarket,
  yieldMarket,
  yieldMarketField,
  yieldProtocolField,
  yieldReads,
} from '../markets/yield.js'
import { amountOrMax, assetField, maxUint256, networkField } from '../model/fields.js'
import { definePlan } from '../model/kind.js'
import { supplyIntent, swapIntents } from '../model/svcIntents.js'

const schema = z
  .object({
    sell_asset: assetField('Asset to sell.'),
    sell_amount: amountOrMax('Amount to sell, in the asset’s smallest unit.'),
    buy_asset: assetField('Asset to buy and supply.', 'WETH'),
    protocol: yieldProtocolField(),
    network: networkField,
    market: yieldMarketField(),
  })
  .refine(...vaultHasMarket())
  .meta({ id: 'SwapAndSupplyIntent' })

type SwapAndSupplyIntent = z.infer<typeof schema>

/**
 * `plan/swap-and-supply` of interface.md: swaps and supplies exactly the proceeds after the fee, in one transaction. The wallet keeps what it
 * held of the bought asset before.
 */
export const swapAndSupply = definePlan<SwapAndSupplyIntent>({
  kind: 'swapAndSupply',
  path: 'swap-and-supply',
  summary: 'Plan a swap whose proceeds are deposited',
  description:
    'Builds a plan that swaps one asset for another at the aggregator’s quote, then deposits everything bought, less the fee of 0.15 %, into a yield protocol. The two operations share one transaction. `max` sells everything that can be brought to the network.',
  schema,
  example: {
    sell_asset: 'USDC',
    sell_amount: '1000000',
    buy_asset: 'WETH',
    protocol: 'compound',
    network: 'base',
  },

  reads: (intent) => yieldReads(intent.protocol),

  spends: (intent) => [intent.sell_asset],
  buys: (intent) => [intent.buy_asset],

  assets: pairOf,

  // What "everything" is must be read first.
  quotes(intent, book, wallet) {
    const { network, sell_amount: sellAmount } = intent
    if (sellAmount === maxUint256) return []
    return [swapQuote({ network, ...pairOf(intent, book), sellAmount }, wallet)]
  },

  quotesFrom(intent, world) {
    const { network } = intent
    if (intent.sell_amount !== maxUint256) return []
    const pair = pairOf(intent, world.book)
    return [swapQuote({ network, ...pair, sellAmount: soldAmount(intent, world) }, world.wallet)]
  },

  check(intent, world) {
    const { network, market, protocol } = intent
    const { buy } = pairOf(intent, world.book)
    soldAmount(intent, world)
    yieldMarket({ ...world, quotes: [] }, protocol, { network, token: buy, market })
  },

  build(intent, input) {
    const { network } = intent
    const { sell, buy } = pairOf(intent, input.book)
    const quote = input.quotes[0]!
    const amount = soldAmount(intent, input)
    if (amount !== quote.sellAmount)
      throw new ServiceError(
        'plan_failed',
        `the whole amount of ${sell.symbol} was ${quote.sellAmount} for the quote, and is ${amount} now`,
      )
    const isMax = intent.sell_amount === maxUint256
    const market = yieldMarket(input, intent.protocol, {
      network,
      token: buy,
      market: intent.market,
    })
    return {
      network,
      spends: [{ token: sell, amount }],
      actions: [
        swapAction(input, { network, sell, buy, quote, isMax }),
        market.supply({ received: swapProceeds(quote), besides: 0n }),
      ],
    }
  },

  svcIntent: (_intent, contexts, wallet) => ({
    intent_type: 'swap_and_supply',
    intent: {
      swap_intent: swapIntents(contexts, wallet)[0]!,
      supply_intent: supplyIntent(contexts, wallet),
    },
  }),

  observe: (context, logs, book) => [
    ...observeSwap(context, logs, book),
    ...observeYield(context, logs, book),
  ],
})

function pairOf(intent: SwapAndSupplyIntent, book: AddressBook): { sell: Token; buy: Token } {
  const { network } = intent
  const sell = tokenOn(book, network, intent.sell_asset, 'sell_asset')
  const buy = marketTokenOn(book, network, intent.buy_asset, 'buy_asset')
  if (sell.address !== buy.address) return { sell, buy }
  throw new ServiceError(
    'invalid_params',
    `buy_asset: ${JSON.stringify(intent.buy_asset)} is supplied as ${buy.symbol}, the asset to sell; "earn" supplies without a swap`,
  )
}

/** The sold amount; `plan_failed` when it cannot be brought to the network. */
function soldAmount(intent: SwapAndSupplyIntent, input: Readable): bigint {
  const { network } = intent
  const sell = tokenOn(input.book, network, intent.sell_asset, 'sell_asset')
  const amount = amountOrDeliverable(input, network, sell, intent.sell_amount)
  requireSold(input, network, sell, amount)
  return amount
}
