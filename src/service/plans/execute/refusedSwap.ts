import { formatUnits } from 'viem/utils'
import { poolAddress } from '../../../chain/funds/uniswapPools.js'
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
  /** The pool, in lower case, where it is on one. */
  pool?: string
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
function poolSwapOf(
  intent: Record<string, string> & { pool_fee?: number },
  book: AddressBook,
): RefusedSwap | undefined {
  const { exposure_asset = '', backing_asset = '', pool_fee } = intent
  const network = intent.network as NetworkName
  const [exposure, backing] = [exposure_asset, backing_asset].map((name) =>
    book.token(network, name),
  )
  if (!exposure || !backing) return undefined
  const isLoop = 'max_swap_backing_amount' in intent
  const [sell, buy] = isLoop ? [backing, exposure] : [exposure, backing]
  const { factory } = book.on(network).uniswap
  const pool = poolAddress(factory, sell.address, buy.address, Number(pool_fee))
  return { network, sell, buy, lacks: 'pool', now: 0n, asked: 0n, pool }
}

/** What a change is to blame for. `weight`: by how much it moved the price of the swap against the plan, or what it took from the exchange. Only shares are compared: no amount is computed from it. */
interface Move {
  entry: LedgerEntry
  touch: Touch
  weight: number
}

/**
 * Who is to blame, of the changes that are still there: each rule that keeps the exchange empty, or else each change that moved the price
 * against the plan or took from the exchange by a share that mattered, the largest first. None instead of a guess. Pure.
 */
export function swapCulprits(
  entries: readonly LedgerEntry[],
  swap: RefusedSwap,
): readonly { entry: LedgerEntry; touch: Touch }[] {
  const found =
    swap.lacks === 'holdings'
      ? takers(entries, swap)
      : swap.lacks === 'price'
        ? mattering([...spreadMoves(entries, swap), ...priceMoves(entries, swap)])
        : mattering(poolMoves(entries, swap))
  return found.length > 0 ? found : written(entries, swap)
}

/** Those against the plan, by at least a tenth of what all such moves did together. */
function mattering(moves: readonly Move[]): Move[] {
  const against = moves.filter(({ weight }) => weight > 0)
  const all = against.reduce((sum, { weight }) => sum + weight, 0)
  return against
    .filter(({ weight }) => weight * 10 >= all)
    .sort((one, other) => other.weight - one.weight || other.entry.position - one.entry.position)
}

/**
 * What moved the price of the plan's pool: a new price of an asset, which brings the pool there whatever was traded before, and the trades
 * since. Of these only what came after the price was last as good for the plan as at first.
 */
function poolMoves(entries: readonly LedgerEntry[], swap: RefusedSwap): Move[] {
  const { network, sell, buy, pool } = swap
  const isPriced = ({ touched }: LedgerEntry) => touched.some((touch) => isPriceOf(touch, swap))
  const isDearer = BigInt(buy.address) < BigInt(sell.address)
  const trades = entries.slice(entries.findLastIndex(isPriced) + 1).flatMap((entry): Move[] => {
    const own = entry.touched.flatMap((touch) =>
      touch.of === 'pool' && touch.network === network && touch.address === pool ? [touch] : [],
    )
    const [first, last] = [own[0]?.before, own.at(-1)?.after]
    if (first === undefined || last === undefined) return []
    // Logarithms add up to nothing where a trade was taken back.
    const weight = 20_000 * Math.log(Number(last) / Number(first)) * (isDearer ? 1 : -1)
    return [{ entry, touch: own[0]!, weight }]
  })
  return lasting([...priceMoves(entries, swap), ...trades])
}

/** What came after it was last as good for the plan as at first. */
function lasting(moves: readonly Move[]): Move[] {
  let sum = 0
  const sums = moves.map(({ weight }) => {
    sum += weight
    return sum
  })
  return sum < 1 ? [] : moves.slice(sums.findLastIndex((each) => each * 10 <= sum) + 1)
}

/** The rules that keep the exchange empty, or else those that took what it had. */
function takers(
  entries: readonly LedgerEntry[],
  { network, buy, now, asked }: RefusedSwap,
): readonly { entry: LedgerEntry; touch: Touch }[] {
  const drains = touchesIn(
    entries,
    (each) => each.of === 'exchange' && each.network === network && each.symbol === buy.symbol,
  )
  if (drains.length > 0) return drains
  const exchange = svcAddresses.exchange.toLowerCase()
  const moves = touchesIn(
    entries,
    (each) =>
      each.of === 'balance' &&
      each.network === network &&
      each.symbol === buy.symbol &&
      each.address === exchange,
  )
  const taken = ({ touch }: Pick<Move, 'touch'>) =>
    touch.of === 'balance' && touch.delta !== undefined ? -BigInt(touch.delta) : undefined
  // Some do not say how much they took.
  const place = moves.findLastIndex((each) => taken(each) === undefined)
  const known = moves.slice(place + 1)
  const first = known.reduce((sum, each) => sum + taken(each)!, now)
  if (first < asked) return moves.slice(Math.max(place, 0), place + 1)
  return mattering(lasting(known.map((each) => ({ ...each, weight: Number(taken(each)) }))))
}

/** Each entry that has such a touch, with the first. */
function touchesIn(entries: readonly LedgerEntry[], isWanted: (touch: Touch) => boolean) {
  return entries.flatMap((entry) => {
    const touch = entry.touched.find(isWanted)
    return touch ? [{ entry, touch }] : []
  })
}

function spreadMoves(entries: readonly LedgerEntry[], { network }: RefusedSwap): Move[] {
  return entries.flatMap((entry) =>
    entry.touched.flatMap((touch) =>
      touch.of === 'exchange' && touch.network === network && touch.symbol === undefined
        ? [{ entry, touch, weight: Number(touch.after) - Number(touch.before) }]
        : [],
    ),
  )
}

/** How the price of each asset has moved since the plan was made. The one who moved it last is to blame. */
function priceMoves(entries: readonly LedgerEntry[], { sell, buy }: RefusedSwap): Move[] {
  return [sell, buy].flatMap((token) => {
    const moves = entries.flatMap((entry) =>
      entry.touched.flatMap((touch) =>
        touch.of === 'price' && touch.assets.includes(token.symbol) ? [{ entry, touch }] : [],
      ),
    )
    const last = moves.at(-1)
    if (!last) return []
    const [before, after] = [moves[0]!.touch.before, last.touch.after]
    const ratio = Number(after) / Number(before)
    const weight = ((token === buy ? ratio : 1 / ratio) - 1) * 10_000
    return [{ entry: last.entry, touch: { ...last.touch, before, after }, weight }]
  })
}

const isPriceOf = (touch: Touch, { sell, buy }: RefusedSwap) =>
  touch.of === 'price' && [sell, buy].some(({ symbol }) => touch.assets.includes(symbol))

/** Writes of clients do not say what they mean for the exchange; a reorganisation may have taken anything back. */
function written(
  entries: readonly LedgerEntry[],
  { network }: RefusedSwap,
): { entry: LedgerEntry; touch: Touch }[] {
  for (const entry of entries) {
    const { by } = entry.actor
    const touch = entry.touched.find((each) => each.of === 'state' && each.network === network)
    if (touch && (by === 'rpc' || by === 'reorganisation')) return [{ entry, touch }]
  }
  return []
}

/** A balance of a wallet, or what the exchange has to sell. */
export function balanceText({
  symbol,
  network,
  address,
}: Extract<Touch, { of: 'balance' }>): string {
  const isExchange = address === svcAddresses.exchange.toLowerCase()
  return isExchange ? holdingsText(symbol, network) : `${symbol} balance on ${network}`
}

const holdingsText = (symbol: string, network: string) =>
  `${symbol} holdings of the exchange on ${network}`

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
  const changed =
    symbol === undefined ? `spread of the exchange on ${network}` : holdingsText(symbol, network)
  return { changed, before: shown(before), after: shown(after) }
}
