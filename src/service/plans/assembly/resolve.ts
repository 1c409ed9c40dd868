import type { CometState } from '../../../chain/state/marketReads.js'
import type { NetworkState } from '../../../chain/state/networkState.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { LeftOut } from '../../../deployments/markets.js'
import type { NetworkName, Token } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import type { PlanInput } from '../model/kind.js'

/** The asset that a request names, or 400 `invalid_params` naming the field and what the network has. */
export function tokenOn(
  book: AddressBook,
  network: NetworkName,
  symbol: string,
  field: string,
): Token {
  const token = book.token(network, symbol)
  if (token) return token
  const here = book.on(network).tokens.map((t) => t.symbol)
  const known = book.symbols().some((s) => s.toLowerCase() === symbol.toLowerCase())
  throw new ServiceError(
    'invalid_params',
    `${field}: ${JSON.stringify(symbol)} is ${known ? `not on ${network}` : 'not a known asset'}; ${network} has ${here.join(', ')}`,
  )
}

export type Readable = Pick<PlanInput, 'states' | 'book'>

/**
 * A plan needs a network that was not read. Most need only their own; a shortfall makes the others necessary. The caller reads the rest and
 * builds again.
 */
export class MissingNetworkState extends Error {
  override name = 'MissingNetworkState'
  constructor(network: NetworkName) {
    super(`the state of ${network} has not been read`)
  }
}

/** The state of a network. Throws `MissingNetworkState` when it was not read. */
export function networkStateOf(
  input: Pick<PlanInput, 'states'>,
  network: NetworkName,
): NetworkState {
  const state = input.states.get(network)
  if (!state) throw new MissingNetworkState(network)
  return state
}

/** USD price with 8 decimals, or `plan_failed` when the asset has none there. */
export function priceOf(networkState: NetworkState, token: Token): bigint {
  const price = networkState.prices.get(token.symbol)
  if (price === undefined)
    throw new ServiceError(
      'plan_failed',
      `unpriced asset: the feed ${token.feed} of ${token.symbol} on ${networkState.network} does not answer`,
    )
  return price
}

/** Why a market that a request means is not there: it is missing on the fork. Empty when that is not the reason. */
export function leftOutNote(
  { leftOut = [], network }: NetworkState,
  protocol: LeftOut['protocol'],
  { symbol, id }: { symbol?: string | undefined; id?: string | undefined },
): string {
  const missing = leftOut.find(
    (market) =>
      market.protocol === protocol &&
      (id === undefined || market.id === id.toLowerCase()) &&
      (symbol === undefined || market.symbols.includes(symbol)),
  )
  return missing ? `; ${missing.name} is left out on the forked ${network}: ${missing.why}` : ''
}

/** The Comet market whose base asset this is, with the wallet's position, or `plan_failed`. */
export function cometOf(
  networkState: NetworkState,
  token: Token,
  market: string | undefined,
): CometState {
  const comet = networkState.comets.find(
    (state) =>
      state.market.baseSymbol === token.symbol &&
      (market === undefined || state.market.address === market.toLowerCase()),
  )
  if (comet) return comet
  throw new ServiceError(
    'plan_failed',
    `comet market not found: no market for ${token.symbol}${market ? ` at ${market}` : ''} on ${networkState.network}${leftOutNote(networkState, 'comet', { symbol: token.symbol, id: market })}; GET /markets lists them`,
  )
}
