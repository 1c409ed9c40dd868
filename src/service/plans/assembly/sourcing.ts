import type { AddressBook, NetworkBook } from '../../../deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../../deployments/networks.js'
import type { Token } from '../../../deployments/token.js'
import { ServiceError } from '../../../lib/errors.js'
import { type BridgeHint, bridgeHint, bridgeOutput } from '../../bridge/hints.js'
import { maxUint256, smaller } from '../model/amount.js'
import { networkStateOf, type Readable, tokenOn } from './resolve.js'

/** A bridge leg: `input` leaves the wallet on `hint.from`, `output` arrives on `hint.to`. */
export interface Leg {
  hint: BridgeHint
  input: bigint
  output: bigint
}

/** The wrapped form of the native token, or the native token of its wrapped form; undefined for any other token. */
export function otherForm(book: NetworkBook, token: Token): Token | undefined {
  if (token.native) return book.tokens.find((t) => t.symbol === book.wrappedNativeSymbol)
  if (token.symbol === book.wrappedNativeSymbol) return book.tokens.find((t) => t.native)
  return undefined
}

/**
 * The token in which markets deal in the asset that a request names: of a native one its wrapped form, which they take and
 * give in its place. 400 `invalid_params` for an asset that is not there.
 */
export function marketTokenOn(
  book: AddressBook,
  network: NetworkName,
  symbol: string,
  field: string,
): Token {
  const token = tokenOn(book, network, symbol, field)
  return (token.native && otherForm(book.on(network), token)) || token
}

/** The same of the request's only asset. */
export function marketAsset(
  { network, asset }: { network: NetworkName; asset: string },
  book: AddressBook,
): Token {
  return marketTokenOn(book, network, asset, 'asset')
}

/**
 * The form in which a bridge delivers, whichever of both is named: the native one instead of its wrapped form to a wallet that
 * has no code yet.
 */
export function arrivingAs(book: NetworkBook, token: Token, isDeployed: boolean): Token {
  const other = otherForm(book, token)
  return other && token.native === isDeployed ? other : token
}

/** The symbol under which a token can be bridged (ETH travels as WETH), or undefined. */
function bridgeSymbol(token: Token): 'USDC' | 'WETH' | undefined {
  if (token.symbol === 'USDC' || token.symbol === 'WETH') return token.symbol
  return token.native && token.symbol === 'ETH' ? 'WETH' : undefined
}

/** ETH travels between networks as WETH, which on some of them is not its wrapped form. */
const ether = ['ETH', 'WETH']

/** These symbols in upper case, and those under which their tokens are bridged. */
export function withOtherForms(symbols: readonly string[]): string[] {
  const named = symbols.map((symbol) => symbol.toUpperCase())
  return [...new Set([...named, ...(ether.some((each) => named.includes(each)) ? ether : [])])]
}

/** What the wallet holds of a token on a network, native and wrapped form together. */
export function held(input: Readable, network: NetworkName, token: Token): bigint {
  const { balances } = networkStateOf(input, network)
  const other = otherForm(input.book.on(network), token)
  return (balances.get(token.symbol) ?? 0n) + (other ? (balances.get(other.symbol) ?? 0n) : 0n)
}

/** The routes that could bring the token to the network, the cheapest first, with what the wallet could put into each. */
export function routes(input: Readable, network: NetworkName, token: Token) {
  const symbol = bridgeSymbol(token)
  if (!symbol) return []
  return networkNames
    .flatMap((from) => {
      const hint = bridgeHint(from, network, symbol)
      const source = input.book.token(from, symbol)
      if (!hint || !source || !hasBridge(input, from) || !hasBridge(input, network)) return []
      const balance = held(input, from, source)
      const sent = smaller(balance, hint.maxAmount)
      return sent < hint.minAmount ? [] : [{ hint, input: sent, output: bridgeOutput(hint, sent) }]
    })
    .filter((route) => route.output > 0n)
    .sort((a, b) => compare(costOf(a), costOf(b)))
}

/** A fork may lack the spoke pool. */
function hasBridge({ book }: Readable, network: NetworkName): boolean {
  return !book.on(network).leftOut.some(({ protocol }) => protocol === 'across')
}

function costOf({ input, output }: Leg): bigint {
  // Cost per unit delivered, scaled so that integers can be compared.
  return ((input - output) * 10n ** 18n) / output
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** How much of a token can be brought to a network: its own funds, native and wrapped form together, and what bridges deliver of the others'. */
export function deliverable(input: Readable, network: NetworkName, token: Token): bigint {
  return routes(input, network, token).reduce(
    (sum, route) => sum + route.output,
    held(input, network, token),
  )
}

/** Whether this much can be brought there. Looks at other networks only when the target's own funds are short. */
export function canDeliver(
  input: Readable,
  network: NetworkName,
  token: Token,
  amount: bigint,
): boolean {
  return held(input, network, token) >= amount || deliverable(input, network, token) >= amount
}

/** The asked amount, or everything deliverable when everything was asked. Nothing to deliver is `plan_failed`. */
export function amountOrDeliverable(
  input: Readable,
  network: NetworkName,
  token: Token,
  asked: bigint,
): bigint {
  if (asked !== maxUint256) return asked
  const available = deliverable(input, network, token)
  if (available > 0n) return available
  throw new ServiceError(
    'plan_failed',
    `insufficient resources: everything was asked of ${token.symbol} on ${network}, and nothing can be delivered there`,
    { hint: `fund the wallet with ${token.symbol} on ${network} and create the plan again` },
  )
}
