import { encodeFunctionData } from 'viem/utils'
import { z } from 'zod'
import type { Quote } from '../aggregator/quote.js'
import { feeRecipient } from '../chain/actors.js'
import type { AddressBook, NetworkBook, Token } from '../chain/addressBook.js'
import type { Log } from '../chain/node.js'
import type { NetworkSnapshot } from '../chain/snapshot.js'
import { ServiceError } from '../errors.js'
import { swapAbi } from '../generated/abis.js'
import { exactAmount } from './amount.js'
import { assetField, networkField } from './fields.js'
import { type ActionContext, definePlan } from './kind.js'
import { dollarValue, indexOf, transfersOf } from './observe.js'
import { canDeliver, deliverable, held } from './reach.js'
import { priceOf, snapshotOf, tokenOn } from './resolve.js'

const schema = z
  .object({
    sell_asset: assetField('Asset to sell.'),
    buy_asset: assetField('Asset to buy.', 'WETH'),
    network: networkField,
    sell_amount: exactAmount('Exact amount to sell; exclusive with buy_amount.').optional(),
    buy_amount: exactAmount('Exact amount to buy; exclusive with sell_amount.').optional(),
  })
  .refine((body) => (body.sell_amount === undefined) !== (body.buy_amount === undefined), {
    error: 'exactly one of sell_amount and buy_amount must be given',
    path: ['sell_amount'],
  })
  .meta({ id: 'SwapIntent' })

type SwapIntent = z.infer<typeof schema>

/** The service's fee on swaps: 15 basis points of the buy side (interface.md, "Limits"), rounded down. */
export function swapFee(buyAmount: bigint): bigint {
  return (buyAmount * 15n) / 10_000n
}

/** Slippage that a quote may suffer before the swap reverts: 1 % (service-facts section 15). */
const slippageBps = 100

/** Swaps one asset for another through the aggregator's best quote (interface.md, `plan/swap`). */
export const swap = definePlan<SwapIntent>({
  kind: 'swap',
  path: 'swap',
  summary: 'Plan a swap',
  description:
    'Builds a plan that swaps one asset for another at the aggregator’s quote. 0.15 % of the bought amount goes to the fee recipient, in the bought asset; the wallet keeps the rest.',
  schema,
  example: { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', sell_amount: '1000000' },
  errors: ['invalid_params', 'plan_failed', 'no_wallet', 'timeout', 'swap_quote_failed'],

  assets: (intent) => [intent.sell_asset, intent.buy_asset],

  networks(intent, book) {
    pairOf(intent, book)
    return [intent.network]
  },

  quotes(intent, book, wallet) {
    const { sell, buy } = pairOf(intent, book)
    return [
      {
        network: intent.network,
        sellToken: sell.address,
        buyToken: buy.address,
        sellAmount: intent.sell_amount,
        buyAmount: intent.buy_amount,
        taker: wallet,
        slippageBps,
      },
    ]
  },

  check(intent, world) {
    if (intent.sell_amount === undefined) return
    const { sell } = pairOf(intent, world.book)
    if (canDeliver(world, intent.network, sell, intent.sell_amount)) return
    throw new ServiceError(
      'plan_failed',
      `insufficient balance of ${sell.symbol} on ${intent.network}: required ${intent.sell_amount}, available ${deliverable(world, intent.network, sell)}`,
    )
  },

  build(intent, world) {
    const { network } = intent
    const { sell, buy } = pairOf(intent, world.book)
    const quote = world.quotes[0]!
    const available = held(world, network, sell)
    const fee = swapFee(quote.buyAmount)
    // Exact out may cost more than quoted, but never more than the wallet holds.
    const maxSell =
      quote.exactOut && quote.maxSellAmount > available && available >= quote.sellAmount
        ? available
        : quote.maxSellAmount
    return {
      network,
      // A native token is sent along, up to the most it may cost; of an ERC-20 only the cost is taken.
      spends: [{ token: sell, amount: sell.native ? maxSell : quote.sellAmount }],
      actions: [
        {
          network,
          script: world.scripts.swap,
          calldata: encodeFunctionData({
            abi: swapAbi,
            functionName: 'swap',
            args: [
              {
                target: quote.transaction.to,
                allowanceTarget: quote.allowanceTarget,
                sellToken: sell.address,
                maxSellAmount: maxSell,
                buyToken: buy.address,
                minBuyAmount: quote.minBuyAmount,
                feeAmount: fee,
                feeRecipient,
                data: quote.transaction.data,
              },
            ],
          }),
          context: swapContext(snapshotOf(world, network), world.book.on(network), {
            sell,
            buy,
            quote,
            fee,
          }),
        },
      ],
    }
  },

  observe: (context, logs, book) => [observeSwap(context, logs, book)],
})

function pairOf(intent: SwapIntent, book: AddressBook): { sell: Token; buy: Token } {
  const sell = tokenOn(book, intent.network, intent.sell_asset, 'sell_asset')
  const buy = tokenOn(book, intent.network, intent.buy_asset, 'buy_asset')
  if (sell.address === buy.address)
    throw new ServiceError(
      'invalid_params',
      `buy_asset: ${JSON.stringify(intent.buy_asset)} is the asset that is sold; sell_asset and buy_asset must differ`,
    )
  return { sell, buy }
}

/** The SWAP context of service-facts 9.5; `amount` and `asset_symbol` are the sold side. */
export function swapContext(
  snapshot: NetworkSnapshot,
  book: NetworkBook,
  { sell, buy, quote, fee }: { sell: Token; buy: Token; quote: Quote; fee: bigint },
): ActionContext {
  const sellPrice = priceOf(snapshot, sell).toString()
  const buyPrice = priceOf(snapshot, buy).toString()
  return {
    action_type: 'SWAP',
    amount: quote.sellAmount.toString(),
    asset_symbol: sell.symbol,
    chain_id: book.chainId.toString(),
    fee_amounts: [fee.toString()],
    fee_asset_symbols: [buy.symbol],
    fee_descriptions: ['SVC_FEE'],
    fee_token_prices: [buyPrice],
    fee_tokens: [buy.address],
    input_amount: quote.sellAmount.toString(),
    input_asset_symbol: sell.symbol,
    input_token: sell.address,
    input_token_price: sellPrice,
    is_buy: quote.exactOut,
    is_capped_max: false,
    is_exact_out: quote.exactOut,
    output_amount: quote.buyAmount.toString(),
    output_asset_symbol: buy.symbol,
    output_token: buy.address,
    output_token_price: buyPrice,
    use_filler: false,
  }
}

function observeSwap(context: ActionContext, logs: readonly Log[], book: NetworkBook) {
  const side = (name: 'input' | 'output', ends: { from?: string; to?: string }) => {
    const token = context[`${name}_token`] as string
    const moved = transfersOf(logs, token, ends)
    // A native token moves without a log: then the planned amount is the best that is known.
    const amount =
      moved.length > 0
        ? moved.reduce((sum, log) => sum + BigInt(log.data), 0n)
        : BigInt(context[`${name}_amount`] as string)
    const price = context[`${name}_token_price`] as string
    return { token, moved, amount, dollars: dollarValue(book, token, amount, price) }
  }
  const input = side('input', { to: book.exchange })
  const output = side('output', { from: book.exchange })
  return {
    event_type: 'swap',
    log_indices: [...input.moved, ...output.moved].map(indexOf),
    event_metadata: {
      input_token: input.token,
      input_amount: input.amount.toString(),
      input_dollar_value: input.dollars,
      output_token: output.token,
      output_amount: output.amount.toString(),
      output_dollar_value: output.dollars,
      swap_venue: 'AGGREGATOR',
    },
  }
}
