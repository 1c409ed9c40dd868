import { formatUnits } from 'viem/utils'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { NetworkName, Token } from '../../../deployments/networks.js'
import { svcAddresses } from '../../../generated/svc.js'
import type { LedgerEntry, Touch } from '../../context/changes.js'
import type { StaleCause } from '../../context/requestContext.js'
import type { PlanRecord } from '../../store/store.js'

/** A swap of a plan that the exchange or a pool would not carry out now, and what it would do instead. Amounts in smallest units. */
export interface RefusedSwap {
  network: NetworkName
  sell: Token
  buy: Token
  /** What is wrong: the exchange has too little of what is bought, or its price or a pool's is beyond the plan's tolerance. */
  lacks: 'holdings' | 'price' | 'pool'
  /** What the exchange has to sell, gives, or takes now. */
  now: bigint
  /** What it would have to sell. */
  asked: bigint
  /** In words, where the kind of the plan has none. */
  says?: string
}

const revert = /(InsufficientLiquidity|InsufficientOutput|ExcessiveInput)\(([\w, ]+)\)/

const onPool = /^(SwapCostTooHigh|SwapYieldTooLow|NotEnoughLiquidity|ProceedsBelowDebt)\(/

/** Undefined where the revert is not that of a swap of the plan. */
export function refusedSwapOf(
  reason: string,
  { quotes, intent }: Pick<PlanRecord, 'quotes' | 'intent'>,
  book: AddressBook,
): RefusedSwap | undefined {
  if (onPool.test(reason)) return poolSwapOf(intent as Record<string, string>, book)
  const [, error, values = ''] = revert.exec(reason) ?? []
  const [first = '', second = '', third = ''] = values.split(', ')
  const quote = quotes.find(({ exactOut, buyToken, minBuyAmount, maxSellAmount }) => {
    if (error === 'InsufficientOutput') return !exactOut && minBuyAmount === second
    if (error === 'ExcessiveInput') return exactOut && maxSellAmount === second
    return error !== undefined && buyToken.toLowerCase() === first.toLowerCase()
  })
  if (!quote) return undefined
  const { network, sellAmount, buyAmount, minBuyAmount, maxSellAmount } = quote
  const tokenAt = (wanted: string) =>
    book.on(network).tokens.find(({ address }) => address.toLowerCase() === wanted.toLowerCase())
  const [sell, buy] = [tokenAt(quote.sellToken), tokenAt(quote.buyToken)]
  if (!sell || !buy) return undefined
  const sold = (amount: string) => `${formatUnits(BigInt(amount), sell.decimals)} ${sell.symbol}`
  const bought = (amount: string) => `${formatUnits(BigInt(amount), buy.decimals)} ${buy.symbol}`
  // True of another time as well.
  const quoted = `at the exchange on ${network}, where the plan was quoted`
  const common = { network, sell, buy, asked: 0n }
  if (error === 'InsufficientOutput') {
    const says = `${bought(first)} for ${sold(sellAmount)} ${quoted} ${bought(buyAmount)} and takes no less than ${bought(minBuyAmount)}`
    return { ...common, lacks: 'price', now: BigInt(first), says }
  }
  if (error === 'ExcessiveInput') {
    const says = `${sold(first)} for ${bought(buyAmount)} ${quoted} ${sold(sellAmount)} and pays no more than ${sold(maxSellAmount)}`
    return { ...common, lacks: 'price', now: BigInt(first), says }
  }
  const says = `${bought(third)} to buy ${quoted} ${bought(buyAmount)}`
  return { ...common, lacks: 'holdings', now: BigInt(third), asked: BigInt(second), says }
}

/** The swap of a loop or an unloop. */
function poolSwapOf(intent: Record<string, string>, book: AddressBook): RefusedSwap | undefined {
  const { exposure_asset = '', backing_asset = '' } = intent
  const network = intent.network as NetworkName
  const [exposure, backing] = [exposure_asset, backing_asset].map((name) =>
    book.token(network, name),
  )
  if (!exposure || !backing) return undefined
  const isLoop = 'max_swap_backing_amount' in intent
  const [sell, buy] = isLoop ? [backing, exposure] : [exposure, backing]
  return { network, sell, buy, lacks: 'pool', now: 0n, asked: 0n }
}

/** Who is to blame, of the changes that are still there. Undefined instead of a guess. Pure. */
export function swapCulprit(entries: readonly LedgerEntry[], swap: RefusedSwap) {
  const find = { holdings: lastTaker, price: mostMoved, pool: mostTraded }[swap.lacks]
  return find(entries, swap) ?? written(entries, swap)
}

/** Who took most of what is bought out of a pool of the pair, for the other asset. */
function mostTraded(entries: readonly LedgerEntry[], { network, sell, buy }: RefusedSwap) {
  const trades = entries.flatMap((entry) =>
    entry.touched.flatMap((touch) => {
      if (touch.of !== 'pool' || touch.network !== network) return []
      const moved = ({ symbol }: Token) =>
        entry.touched.reduce((sum, each) => {
          const isOfPool = each.of === 'balance' && each.address === touch.address
          return isOfPool && each.symbol === symbol ? sum + BigInt(each.delta ?? 0) : sum
        }, 0n)
      const taken = -moved(buy)
      return taken > 0n && moved(sell) > 0n ? [{ entry, touch, taken }] : []
    }),
  )
  const [most] = trades.sort((one, other) => (one.taken < other.taken ? 1 : -1))
  return most && { entry: most.entry, touch: most.touch }
}

/** The rule that keeps the exchange empty, or else the one after which it had too little. */
function lastTaker(entries: readonly LedgerEntry[], { network, buy, now, asked }: RefusedSwap) {
  for (const entry of entries) {
    const touch = entry.touched.find(
      (each) => each.of === 'exchange' && each.network === network && each.symbol === buy.symbol,
    )
    if (touch) return { entry, touch }
  }
  let after = now
  for (const entry of entries.toReversed()) {
    const touch = entry.touched.find(
      (each) =>
        each.of === 'balance' &&
        each.network === network &&
        each.symbol === buy.symbol &&
        each.address === svcAddresses.exchange.toLowerCase(),
    )
    if (touch?.of !== 'balance') continue
    const before = touch.delta === undefined ? asked : after - BigInt(touch.delta)
    if (after < asked && before >= asked) return { entry, touch }
    after = before
  }
  return undefined
}

/**
 * What moved the price of the swap most against the plan: the price of an asset, from when the plan was made until now, or a spread. The
 * culprit is whoever moved that last.
 */
function mostMoved(entries: readonly LedgerEntry[], { network, sell, buy }: RefusedSwap) {
  const spreads = entries.flatMap((entry) =>
    entry.touched.flatMap((touch) =>
      touch.of === 'exchange' && touch.network === network && touch.symbol === undefined
        ? [{ entry, touch, bps: Number(touch.after) - Number(touch.before) }]
        : [],
    ),
  )
  const prices = [sell, buy].flatMap((token) => {
    const moves = entries.flatMap((entry) =>
      entry.touched.flatMap((touch) =>
        touch.of === 'price' && touch.assets.includes(token.symbol) ? [{ entry, touch }] : [],
      ),
    )
    const last = moves.at(-1)
    if (!last) return []
    const [before, after] = [moves[0]!.touch.before, last.touch.after]
    const ratio = Number(after) / Number(before)
    const bps = ((token === buy ? ratio : 1 / ratio) - 1) * 10_000
    return [{ entry: last.entry, touch: { ...last.touch, before, after }, bps }]
  })
  const [most] = [...spreads, ...prices]
    .filter(({ bps }) => bps > 0)
    .sort((one, other) => other.bps - one.bps || other.entry.position - one.entry.position)
  return most && { entry: most.entry, touch: most.touch }
}

/** Writes of clients do not say what they mean for the exchange; a reorganisation may have taken anything back. */
function written(entries: readonly LedgerEntry[], { network }: RefusedSwap) {
  for (const entry of entries) {
    const { by } = entry.actor
    const touch = entry.touched.find((each) => each.of === 'state' && each.network === network)
    if (touch && (by === 'rpc' || by === 'reorganisation')) return { entry, touch }
  }
  return undefined
}

/** What a rule changed of the exchange, as people read it. */
export function exchangeChange(
  { network, symbol, before, after }: Extract<Touch, { of: 'exchange' }>,
  book: AddressBook,
): Pick<StaleCause, 'changed' | 'before' | 'after'> {
  // A second rule finds the exchange empty.
  if (before === after) return {}
  const token = symbol === undefined ? undefined : book.token(network, symbol)
  const shown = (value: string) =>
    token
      ? `${formatUnits(BigInt(value), token.decimals)} ${token.symbol}`
      : `${Number(value) / 100} %`
  const changed = `${symbol === undefined ? 'spread' : `${symbol} holdings`} of the exchange on ${network}`
  return { changed, before: shown(before), after: shown(after) }
}
