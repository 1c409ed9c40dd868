import type { Hex } from 'viem'
import type { MorphoState } from '../../../chain/state/marketReads.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { NetworkName, Token } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import type { Excess } from '../../context/requestContext.js'
import { marketTokenOn, unitsOf } from '../assembly/funding.js'
import { networkStateOf, priceOf } from '../assembly/resolve.js'
import type { ActionContext } from '../model/contexts.js'
import { assetField, marketIdField, networkField } from '../model/fields.js'
import { definePlan, type PlanInput, type PlanKind } from '../model/kind.js'
import { morphoOf, nameOf } from './morphoMarket.js'

/**
 * The loop and backing kinds call the asset that a Morpho Blue position bets on its exposure, the other its backing. A long position has
 * exposure as collateral and owes backing; a short one the reverse.
 */

export const positionFields = {
  exposure_asset: assetField('Asset of the exposure.', 'WETH'),
  backing_asset: assetField('Asset of the backing.'),
  market_id: marketIdField('The Morpho Blue market of the position.'),
  network: networkField,
}

export interface PositionIntent {
  exposure_asset: string
  backing_asset: string
  market_id: Hex
  network: NetworkName
}

export type PositionKind<Intent> = Omit<PlanKind<Intent>, 'reads' | 'assets'>

export function definePosition<Intent extends PositionIntent>(
  kind: PositionKind<Intent>,
): PlanKind {
  return definePlan<Intent>({
    ...kind,
    reads: ['morpho'],
    assets: positionTokens,
  })
}

export const positionExample = {
  exposure_asset: 'WETH',
  backing_asset: 'USDC',
  market_id: '0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda',
}

export function positionTokens(
  intent: PositionIntent,
  book: AddressBook,
): { exposure: Token; backing: Token } {
  return {
    exposure: marketTokenOn(book, intent.network, intent.exposure_asset, 'exposure_asset'),
    backing: marketTokenOn(book, intent.network, intent.backing_asset, 'backing_asset'),
  }
}

/** The market with the wallet's position, or `plan_failed`: unknown, or of another pair of tokens. */
export function positionOf(
  intent: PositionIntent,
  input: PlanInput,
  isShort: boolean,
): MorphoState {
  const { exposure, backing } = positionTokens(intent, input.book)
  const pair = isShort
    ? { loan: exposure, collateral: backing }
    : { loan: backing, collateral: exposure }
  return morphoOf(input, intent.network, intent.market_id, pair)
}

/** `plan_failed` when the wallet has nothing in the market. */
export function requirePosition({ market, borrowed, collateral }: MorphoState): void {
  if (borrowed > 0n || collateral > 0n) return
  throw new ServiceError(
    'plan_failed',
    `position not found: the wallet has neither collateral nor debt in ${nameOf(market)}`,
    { hint: 'loop-long with is_increase true opens a position' },
  )
}

/** `plan_failed`: the request asks for more than the position holds or the wallet owes. Amounts are in smallest units. */
export class BeyondPosition extends ServiceError {
  readonly wanted: Pick<Excess, 'market' | 'limit'> & { token: Token; asked: bigint; most: bigint }

  constructor(message: string, wanted: BeyondPosition['wanted'], hint?: string) {
    super('plan_failed', message, hint === undefined ? {} : { hint })
    this.wanted = wanted
  }
}

/** What a request asked too much of, by its error; undefined for other errors, and where the position is empty. */
export function excessOf(error: unknown): Excess | undefined {
  if (!(error instanceof BeyondPosition))
    return error instanceof ServiceError && error.cause ? excessOf(error.cause) : undefined
  const { market, limit, token, asked, most } = error.wanted
  if (most === 0n) return undefined
  return { market, limit, asked: unitsOf(asked, token), most: unitsOf(most, token) }
}

/** What `svc_intent` of all those kinds says about the position. */
export function positionIntent(contexts: readonly ActionContext[], sender: string) {
  const context = contexts.find((each) => 'borrow_market_id' in each)!
  return {
    chain_id: Number(context.chain_id),
    sender,
    exposure_asset_symbol: context.exposure_asset_symbol,
    backing_asset_symbol: context.backing_asset_symbol,
    market_id: context.borrow_market_id,
  }
}

/** What the contexts of all those kinds say about the position (service-facts 9.5). */
export function positionContext(intent: PositionIntent, input: PlanInput) {
  const { exposure, backing } = positionTokens(intent, input.book)
  const networkState = networkStateOf(input, intent.network)
  return {
    backing_asset_symbol: backing.symbol,
    backing_token: backing.address,
    backing_token_price: priceOf(networkState, backing).toString(),
    borrow_market_id: intent.market_id,
    borrow_venue: 'MORPHO_BLUE',
    chain_id: input.book.on(intent.network).chainId.toString(),
    exposure_asset_symbol: exposure.symbol,
    exposure_token: exposure.address,
    exposure_token_price: priceOf(networkState, exposure).toString(),
  }
}
