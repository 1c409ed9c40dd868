import type { Address, Hex } from 'viem'
import type { Protocol } from '../../../chain/state/marketReads.js'
import type { NetworkName, Token } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import { networkStateOf, priceOf } from '../assembly/resolve.js'
import type { ActionType } from '../model/contexts.js'
import { maxUint256 } from '../model/fields.js'
import type { Action, PlanInput } from '../model/kind.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { BeyondPosition } from './position.js'

/** What a supply action supplies, in smallest units: an amount out of the wallet … */
export interface SupplyOfWallet {
  amount: bigint
  /** At most what the wallet holds when it runs, instead of failing when that is less. */
  isCapped: boolean
}

/**
 * Exactly what earlier actions of the same transaction brought in (withdrew, bought, claimed; contracts/scripts/Received.sol), and something
 * on top.
 */
export interface SupplyOfReceived {
  /** The expected amount; only for the context and the check of caps. */
  received: bigint
  /** On top, out of what the wallet held before. */
  besides: bigint
}

export type Supply = SupplyOfWallet | SupplyOfReceived

/** A market of a yield protocol for one asset, with the wallet's position in it and the actions that change that. */
export interface YieldMarket {
  network: NetworkName
  token: Token
  /** Of the Comet, the pool or the vault. Lower case. */
  address: Address
  /** For messages. */
  name: string
  /** What the wallet has in it, interest included, in smallest units. */
  supplied: bigint
  /** Throws `plan_failed` when the market takes no supplies, or less than that. */
  supply(supply: Supply): Action
  /**
   * With `maxUint256`, takes out everything there is at execution. Throws `plan_failed` when the position is smaller, or the market cannot
   * pay.
   */
  withdraw(amount: bigint): Action
}

export type MarketFacts = Omit<YieldMarket, 'supply' | 'withdraw'>

type ContextFields<Where> = ReturnType<typeof fieldsOf<Where & object>>

type MarketAction = Omit<Action, 'network'>

interface MarketActions<Where extends object> {
  /** The market's address by its name in contexts. */
  where: Where
  /** The amount that executions under way are going to take out. */
  leaving: bigint | undefined
  /** Throws `plan_failed` when the market does not take that much. */
  checkSupply?(total: bigint): void
  /** Throws `plan_failed` when the market cannot pay that out. */
  checkWithdrawal?(amount: bigint): void
  supply(supply: Supply, fields: ContextFields<Where>): MarketAction
  withdraw(amount: bigint, fields: ContextFields<Where>): MarketAction
}

export function marketOf<Where extends object>(
  input: PlanInput,
  market: MarketFacts,
  { where, leaving, checkSupply, checkWithdrawal, ...actions }: MarketActions<Where>,
): YieldMarket {
  const { network, supplied } = market
  return {
    ...market,
    supply(supply) {
      const total = totalOf(supply)
      checkSupply?.(total)
      return { network, ...actions.supply(supply, fieldsOf(input, market, where, total)) }
    },
    withdraw(requested) {
      requireSupply(market, requested)
      const amount = takenOut(input, { supplied, leaving }, requested)
      checkWithdrawal?.(amount)
      return { network, ...actions.withdraw(amount, fieldsOf(input, market, where, amount)) }
    },
  }
}

export function supplyCall(market: Address, token: Address, supply: Supply) {
  return 'received' in supply
    ? ({ functionName: 'supplyReceived', args: [market, token, supply.besides] } as const)
    : ({ functionName: 'supply', args: [market, token, supply.amount, supply.isCapped] } as const)
}

export interface MarketRequest {
  network: NetworkName
  token: Token
  market: string | undefined
  /** Whether the request takes funds out. Without `market` it then means the vault with a position, otherwise the default vault. */
  isWithdrawal?: boolean
}

/** The log of a market about an action: its event, which word of the event's data is the amount, and our name for it. */
interface MarketReport {
  topic: Hex
  amountAt: number
  type: SemanticEvent['event_type']
  /** The field of the context that has the market's address. */
  by: 'comet' | 'aave_pool' | 'morpho_vault'
  /** One market for all assets: its events name theirs first. */
  isShared?: boolean
}

/** A yield protocol: one file each, listed in `index.ts`. */
export interface YieldProtocol {
  /** The part of a snapshot that its markets are in. */
  reads: Protocol
  /** Throws `plan_failed` when there is no such market. */
  find(input: PlanInput, request: MarketRequest): YieldMarket
  /** How its markets report the actions that are theirs. */
  reports: Partial<Record<ActionType, MarketReport>>
}

function totalOf(supply: Supply): bigint {
  return 'received' in supply ? supply.received + supply.besides : supply.amount
}

/** `plan_failed` when the position holds nothing, or less than is to be taken out of it. */
function requireSupply({ supplied, token, name, network }: MarketFacts, amount: bigint): void {
  if (supplied === 0n)
    throw new ServiceError(
      'plan_failed',
      `route not found: the wallet has no ${token.symbol} position in ${name} on ${network}`,
    )
  if (amount !== maxUint256 && amount > supplied)
    throw new BeyondPosition(
      `insufficient balance: the position in ${name} on ${network} holds ${supplied} of ${token.symbol}, ${amount} was asked`,
      { market: name, limit: 'holds', token, asked: amount, most: supplied },
    )
}

/**
 * The amount that a withdrawal's script gets. While an execution under way is going to take a part of the position, "everything" becomes the
 * exact rest: with `maxUint256` the script would take that part too, and a Comet would lend it to the other. A plan that is built again keeps
 * its amount, since interest has changed the rest.
 */
function takenOut(
  { withdrawn }: Pick<PlanInput, 'withdrawn'>,
  { supplied, leaving = 0n }: { supplied: bigint; leaving: bigint | undefined },
  amount: bigint,
): bigint {
  if (amount !== maxUint256 || leaving === 0n) return amount
  return withdrawn !== undefined && withdrawn <= supplied ? withdrawn : supplied
}

/** `plan_failed` when a market has lent out the amount. `available` is what it can pay the wallet now. */
export function requireCash(
  { supplied, token, name, network }: MarketFacts,
  available: bigint,
  amount: bigint,
): void {
  const wanted = amount === maxUint256 ? supplied : amount
  if (wanted <= available) return
  throw new ServiceError(
    'plan_failed',
    `insufficient liquidity: ${name} on ${network} can pay out ${available} of ${token.symbol} now, ${wanted} was asked`,
    { hint: 'the rest is lent out; request less, or wait for repayments' },
  )
}

/** What the contexts of actions on markets say besides their type (service-facts 9.5); `where` has the market's address by its name in them. */
function fieldsOf<Where extends object>(
  input: PlanInput,
  { network, token }: MarketFacts,
  where: Where,
  amount: bigint,
) {
  return {
    amount: amount.toString(),
    asset_symbol: token.symbol,
    chain_id: input.book.on(network).chainId.toString(),
    ...where,
    price: priceOf(networkStateOf(input, network), token).toString(),
    token: token.address,
  }
}
