import type { AddressBook, CometMarket, Token } from '../chain/addressBook.js'
import type { NetworkName } from '../chain/networks.js'
import type { CometState, NetworkSnapshot } from '../chain/snapshot.js'
import { ServiceError } from '../errors.js'
import { maxUint256 } from './amount.js'
import type { PlanWorld } from './kind.js'

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

/** The snapshot of a network that the plan asked for. */
export function snapshotOf(
  world: Pick<PlanWorld, 'snapshots'>,
  network: NetworkName,
): NetworkSnapshot {
  const snapshot = world.snapshots.get(network)
  if (!snapshot) throw new Error(`the plan reads ${network} without having asked for its snapshot`)
  return snapshot
}

/** USD price with 8 decimals, or `plan_failed` when the asset has none there. */
export function priceOf(snapshot: NetworkSnapshot, token: Token): bigint {
  const price = snapshot.prices.get(token.symbol)
  if (price === undefined)
    throw new ServiceError(
      'plan_failed',
      `unpriced asset: the feed ${token.feed} of ${token.symbol} on ${snapshot.network} does not answer`,
    )
  return price
}

/** What of an asset the plan can bring to the network: what the wallet holds there. Bridges will add to it here. */
export function deliverable(
  world: Pick<PlanWorld, 'snapshots'>,
  network: NetworkName,
  token: Token,
): bigint {
  return snapshotOf(world, network).balances.get(token.symbol) ?? 0n
}

/** The asked amount, or everything deliverable when everything was asked. Nothing to deliver is `plan_failed`. */
export function amountOrDeliverable(
  world: Pick<PlanWorld, 'snapshots'>,
  network: NetworkName,
  token: Token,
  asked: bigint,
): bigint {
  if (asked !== maxUint256) return asked
  const available = deliverable(world, network, token)
  if (available > 0n) return available
  throw new ServiceError(
    'plan_failed',
    `insufficient resources: everything was asked of ${token.symbol} on ${network}, and the wallet holds none`,
    { hint: `fund the wallet with ${token.symbol} on ${network} and create the plan again` },
  )
}

/** The Comet market whose base asset this is, with the wallet's position, or `plan_failed`. */
export function cometOf(
  snapshot: NetworkSnapshot,
  token: Token,
  market: string | undefined,
): CometState {
  const found = snapshot.comets.find(
    (state) =>
      state.market.baseSymbol === token.symbol &&
      (market === undefined || state.market.address === market.toLowerCase()),
  )
  if (found) return found
  const bases = snapshot.comets.map((s) => describe(s.market)).join(', ')
  throw new ServiceError(
    'plan_failed',
    `comet market not found: no market for ${token.symbol}${market ? ` at ${market}` : ''} on ${snapshot.network}; there are ${bases || 'none'}`,
  )
}

function describe(market: CometMarket): string {
  return `${market.baseSymbol} (${market.address})`
}
