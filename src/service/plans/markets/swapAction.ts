import type { Address } from 'viem'
import { encodeFunctionData, toEventSelector } from 'viem/utils'
import type { Log } from '../../../chain/rpc/node.js'
import { feeRecipient } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { NetworkName, Token } from '../../../deployments/networks.js'
import { swapAbi } from '../../../generated/abis.js'
import type { Quote, QuoteRequest } from '../../aggregator/quote.js'
import { canDeliver, deliverable, InsufficientFunds } from '../assembly/funding.js'
import { networkStateOf, priceOf, type Readable } from '../assembly/resolve.js'
import type { ActionContext, ContextOf } from '../model/contexts.js'
import type { Action, PlanInput } from '../model/kind.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { dollarValue, indexOf, logsOf, transfersOf, wordOf } from '../observe/logs.js'

/** Slippage that a quote may suffer before the swap reverts: 1 % (service-facts section 15). */
const slippageBps = 100

/** The service's fee on swaps: 15 basis points of the buy side (interface.md, "Limits"), rounded down. */
export function swapFee(buyAmount: bigint): bigint {
  return (buyAmount * 15n) / 10_000n
}

/** The two assets, and one of the two amounts. */
export interface SwapRequest {
  network: NetworkName
  sell: Token
  buy: Token
  sellAmount?: bigint | undefined
  buyAmount?: bigint | undefined
}

export function swapQuote(
  { network, sell, buy, sellAmount, buyAmount }: SwapRequest,
  wallet: Address,
): QuoteRequest {
  const tokens = { sellToken: sell.address, buyToken: buy.address }
  return { network, ...tokens, sellAmount, buyAmount, taker: wallet, slippageBps }
}

/** `plan_failed` when that much of the sold asset cannot be brought to the network. */
export function requireSold(
  input: Readable,
  network: NetworkName,
  sell: Token,
  amount: bigint,
): void {
  if (canDeliver(input, network, sell, amount)) return
  const available = deliverable(input, network, sell)
  throw new InsufficientFunds(
    `insufficient balance of ${sell.symbol} on ${network}: required ${amount}, available ${available}`,
    { network, token: sell, needs: amount, available },
  )
}

export interface Swap extends Pick<SwapRequest, 'network' | 'sell' | 'buy'> {
  quote: Quote
  /** Most that may be taken of the sold token; the quote's own limit when absent. */
  maxSell?: bigint
  isMax?: boolean
}

/** What a swap adds to the wallet's bought token, should it settle as quoted: the fee is off. */
export function swapProceeds({ buyAmount }: Quote): bigint {
  return buyAmount - swapFee(buyAmount)
}

export function swapAction(input: PlanInput, swap: Swap): Action {
  const { network, sell, buy, quote } = swap
  return {
    network,
    script: input.scripts.swap,
    calldata: encodeFunctionData({
      abi: swapAbi,
      functionName: 'swap',
      args: [
        {
          target: quote.transaction.to,
          allowanceTarget: quote.allowanceTarget,
          sellToken: sell.address,
          maxSellAmount: swap.maxSell ?? quote.maxSellAmount,
          buyToken: buy.address,
          minBuyAmount: quote.minBuyAmount,
          feeAmount: swapFee(quote.buyAmount),
          feeRecipient,
          data: quote.transaction.data,
        },
      ],
    }),
    context: swapContext(input, swap),
  }
}

/** The SWAP context of service-facts 9.5; `amount` and `asset_symbol` are the sold side. */
function swapContext(
  input: PlanInput,
  { network, sell, buy, quote, isMax }: Swap,
): ContextOf<'SWAP'> {
  const networkState = networkStateOf(input, network)
  const sellPrice = priceOf(networkState, sell).toString()
  const buyPrice = priceOf(networkState, buy).toString()
  return {
    action_type: 'SWAP',
    amount: quote.sellAmount.toString(),
    asset_symbol: sell.symbol,
    chain_id: input.book.on(network).chainId.toString(),
    fee_amounts: [swapFee(quote.buyAmount).toString()],
    fee_asset_symbols: [buy.symbol],
    fee_descriptions: ['SVC_FEE'],
    fee_token_prices: [buyPrice],
    fee_tokens: [buy.address],
    input_amount: quote.sellAmount.toString(),
    input_asset_symbol: sell.symbol,
    input_token: sell.address,
    input_token_price: sellPrice,
    is_buy: quote.exactOut,
    is_capped_max: isMax ?? false,
    is_exact_out: quote.exactOut,
    output_amount: quote.buyAmount.toString(),
    output_asset_symbol: buy.symbol,
    output_token: buy.address,
    output_token_price: buyPrice,
    use_filler: false,
  }
}

const swappedTopic = toEventSelector('Swapped(address,address,address,uint256,uint256,address)')

export function observeSwap(
  context: ActionContext,
  logs: readonly Log[],
  book: NetworkBook,
): SemanticEvent[] {
  if (context.action_type !== 'SWAP') return []
  const settled = logsOf(logs, book.exchange, swappedTopic)
  const side = (name: 'input' | 'output', ends: { from?: string; to?: string }) => {
    const [token, price] =
      name === 'input'
        ? [context.input_token, context.input_token_price]
        : [context.output_token, context.output_token_price]
    const moved = transfersOf(logs, token, ends)
    // A native token moves without a log: the exchange logs both amounts.
    const word = name === 'input' ? 0 : 1
    const reported = settled.map((log) => wordOf(log, word))
    const amounts = moved.length > 0 ? moved.map((log) => BigInt(log.data)) : reported
    const amount = amounts.reduce((sum, each) => sum + each, 0n)
    return { token, moved, amount, dollars: dollarValue(book, token, amount, price) }
  }
  const input = side('input', { to: book.exchange })
  const output = side('output', { from: book.exchange })
  const event: SemanticEvent = {
    event_type: 'swap',
    log_indices: [...input.moved, ...output.moved, ...settled].map(indexOf),
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
  return [event]
}
