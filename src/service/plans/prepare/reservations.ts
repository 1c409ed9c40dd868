import type { NetworkState } from '../../../chain/state/networkState.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { NetworkName } from '../../../deployments/networks.js'
import type { ExecutionRecord } from '../../store/store.js'
import { contextsOf } from '../assembly/details.js'
import { otherForm } from '../assembly/funding.js'
import type { ActionContext } from '../model/contexts.js'
import { larger, smaller } from '../model/fields.js'
import { type BalanceChange, balanceChangesOf } from './balanceChanges.js'
import { arrivalsFor, type Done, openOperations } from './progress.js'

/**
 * What an execution under way still needs of the wallet on a network: funds that it will spend, parts of positions that it will take out, debt
 * that it will repay. It follows from the executions under way and the chains and is not stored, so it ends with the activity.
 */
export interface Reservation extends Omit<BalanceChange, 'amount'> {
  activityId: string
  network: NetworkName
  /** Above zero, in smallest units. */
  amount: bigint
}

/** Everything that the executions under way need on the network of a snapshot. */
export function reservationsOn(
  underWay: readonly ExecutionRecord[],
  state: NetworkState & { done: Done },
  book: NetworkBook,
): Reservation[] {
  const { network, done } = state
  return underWay.flatMap((execution) => {
    const open = openOperations(execution, network).filter(({ nonce }) => !done.has(nonce))
    if (open.length === 0) return []
    const { activityId } = execution.activity
    const { walletAddress } = execution.account
    const positions = open
      .map((operation) => contextOf(execution, operation.nonce))
      .flatMap((context) => [
        ...balanceChangesOf(context, state, walletAddress),
        ...loopDebtOf(context, state),
      ])
      .filter(({ kind, amount }) => amount < 0n && kind !== 'token')
      .map((effect) => ({ ...effect, amount: -effect.amount }))
    return [...fundsOf(execution, network, done, book), ...positions].map((reservation) => ({
      activityId,
      network,
      ...reservation,
    }))
  })
}

/** The debt that an operation on a leveraged position repays: `balanceChangesOf` does not list those. What a part of it repays depends on a swap. */
function loopDebtOf(context: ActionContext, { morphoMarkets }: NetworkState): BalanceChange[] {
  if (context.action_type !== 'ADD_BACKING_TOKEN' && context.action_type !== 'UNLOOP_LONG')
    return []
  const { borrow_market_id: market, backing_asset_symbol: symbol } = context
  const debt = (amount: bigint): BalanceChange[] => [
    { kind: 'debt', market, symbol, amount: -amount },
  ]
  if (context.action_type === 'ADD_BACKING_TOKEN')
    return context.is_short ? [] : debt(BigInt(context.amount))
  const state = morphoMarkets.find((each) => each.market.id === market)
  const isClose = state && BigInt(context.exposure_amount) >= state.collateral
  return isClose ? debt(state.borrowed) : []
}

/** What the plan spends on the network, without what its bridges have yet to bring. */
function fundsOf(
  execution: ExecutionRecord,
  network: NetworkName,
  done: Done,
  book: NetworkBook,
): BalanceChange[] {
  const spends = (execution.plan.spends ?? []).filter((spend) => spend.network === network)
  return spends.flatMap(({ symbol, amount }): BalanceChange[] => {
    const coming = arrivalsFor(execution, network, done)
      .filter((arrival) => bothForms(book, symbol).includes(arrival.symbol))
      .reduce((sum, arrival) => sum + arrival.amount, 0n)
    const rest = BigInt(amount) - coming
    return rest > 0n ? [{ kind: 'token', symbol, amount: rest }] : []
  })
}

function contextOf({ plan }: ExecutionRecord, nonce: string): ActionContext {
  return contextsOf(plan)[plan.operations.findIndex((operation) => operation.nonce === nonce)]!
}

/** The symbol, and that of its wrapped or native form. */
function bothForms(book: NetworkBook, symbol: string): string[] {
  const token = book.tokens.find((each) => each.symbol === symbol)
  const other = token && otherForm(book, token)
  return other ? [symbol, other.symbol] : [symbol]
}

/**
 * When several withdraw from a position, a market may round each withdrawal up by a smallest unit (Aave's and Comet's shares of the pool, a
 * vault's shares). That much stays there for them.
 */
const marketRounding = 2n

/** The snapshot as a new plan may see it. Of two forms, the one that is to be spent is reserved first. */
export function withoutReserved(
  networkState: NetworkState,
  reservations: readonly Reservation[],
  book: NetworkBook,
): NetworkState {
  if (reservations.length === 0) return networkState
  const balances = new Map(networkState.balances)
  for (const { kind, symbol, amount } of reservations) {
    if (kind !== 'token') continue
    let rest = amount
    for (const form of bothForms(book, symbol)) {
      const taken = smaller(rest, balances.get(form) ?? 0n)
      if (taken > 0n) balances.set(form, balances.get(form)! - taken)
      rest -= taken
    }
  }
  const reserved = (kind: BalanceChange['kind'], market: string, symbol: string): bigint =>
    reservations
      .filter((each) => each.kind === kind && each.market === market && each.symbol === symbol)
      .reduce((sum, each) => sum + each.amount, 0n)
  const left = (
    kind: BalanceChange['kind'],
    market: string,
    symbol: string,
    amount: bigint,
  ): bigint => larger(amount - reserved(kind, market, symbol), 0n)
  const supplyLeft = (market: string, symbol: string, supplied: bigint) => {
    const leaving = reserved('supplied', market, symbol)
    const rounding = leaving > 0n ? marketRounding : 0n
    return { supplied: larger(supplied - leaving - rounding, 0n), leaving }
  }
  const debtLeft = (market: string, symbol: string, borrowed: bigint) => ({
    borrowed: left('debt', market, symbol, borrowed),
    promised: reserved('debt', market, symbol),
  })
  return {
    ...networkState,
    balances,
    comets: networkState.comets.map((state) => ({
      ...state,
      ...supplyLeft(state.market.address, state.market.baseSymbol, state.supplied),
      ...debtLeft(state.market.address, state.market.baseSymbol, state.borrowed),
      collateral: state.market.collaterals.map(({ symbol }, i) =>
        left('collateral', state.market.address, symbol, state.collateral[i]!),
      ),
    })),
    aaveReserves: networkState.aaveReserves.map((state) => ({
      ...state,
      ...supplyLeft(book.aave.pool, state.reserve.symbol, state.supplied),
    })),
    vaults: networkState.vaults.map((state) => ({
      ...state,
      ...supplyLeft(state.vault.address, state.vault.assetSymbol, state.supplied),
    })),
    morphoMarkets: networkState.morphoMarkets.map((state) => ({
      ...state,
      ...debtLeft(state.market.id, state.market.loanSymbol, state.borrowed),
      collateral: left(
        'collateral',
        state.market.id,
        state.market.collateralSymbol,
        state.collateral,
      ),
    })),
  }
}

/** How a message for an account calls activities under way: by id, unless it is another prime account's, which may have the same wallet. */
export function activityNames(
  underWay: readonly ExecutionRecord[],
  { primeId }: { primeId: string },
): (activityId: string) => string {
  const own = underWay.filter(({ account }) => account.primeId === primeId)
  const ids = new Set(own.map(({ activity }) => activity.activityId))
  return (activityId) => (ids.has(activityId) ? activityId : 'an activity of another prime account')
}

/** Which activity holds how much of what, for a message. */
export function describeReservations(
  reservations: readonly Reservation[],
  nameOf: (activityId: string) => string,
): string {
  return reservations
    .map(({ activityId, network, kind, market, symbol, amount }) => {
      if (kind === 'debt')
        return `${nameOf(activityId)} is going to repay ${amount} of the ${symbol} owed to ${market} on ${network}`
      const where = kind === 'token' ? '' : ` from the wallet’s position in ${market}`
      return `${nameOf(activityId)} still needs ${amount} of ${symbol}${where} on ${network}`
    })
    .join('; ')
}
