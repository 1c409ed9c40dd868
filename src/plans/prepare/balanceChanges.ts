import type { Address } from 'viem'
import type { NetworkState } from '../../chain/state/networkState.js'
import { maxUint256 } from '../model/amount.js'
import type { ActionContext } from '../model/contexts.js'

/** What an operation changes in one balance of the wallet once it has run, as it was planned. */
export interface BalanceChange {
  /** A token in the wallet, or a part of the wallet's position in a market. */
  kind: 'token' | 'supplied' | 'debt' | 'collateral'
  /** Address of the Comet, pool or vault, or id of the Morpho Blue market; absent for a token in the wallet. */
  market?: string
  symbol: string
  /** Signed, in smallest units. */
  amount: bigint
}

/**
 * The effects of an operation (the table of service-facts 8.3), read from its context. What takes out everything takes what the
 * snapshot says. A bridge only takes here; what it brings belongs to its fill. Kinds that the table does not list (loops and
 * their backing) have none.
 */
export function balanceChangesOf(
  context: ActionContext,
  networkState: NetworkState,
  wallet: Address,
): BalanceChange[] {
  const fields = context as Fields
  const effects = tableOf(fields.action_type)?.(fields, networkState, wallet) ?? []
  return effects.filter(({ amount }) => amount !== 0n)
}

/** What contexts may carry, by the name under which they do. */
interface Fields extends ActionContext {
  amount: string
  asset_symbol: string
  recipient?: string
  comet?: string
  aave_pool?: string
  morpho_vault?: string
  morpho_market_id?: string
  input_amount: string
  input_asset_symbol: string
  output_amount: string
  output_asset_symbol: string
  fee_amounts: string[]
  from_asset_symbol: string
  to_asset_symbol: string
  amounts: string[]
  asset_symbols: string[]
  collateral_amount: string
  collateral_asset_symbol: string
  collateral_amounts?: string[]
  collateral_asset_symbols?: string[]
}

type Table = (context: Fields, networkState: NetworkState, wallet: Address) => BalanceChange[]

function tableOf(type: string): Table | undefined {
  if (type.endsWith('_SUPPLY')) return supply
  if (type.endsWith('_WITHDRAW')) return withdraw
  if (type.endsWith('_BORROW')) return (context) => loan(context, 1n)
  if (type.endsWith('_REPAY')) return (context) => loan(context, -1n)
  return others[type]
}

const others: Partial<Record<string, Table>> = {
  TRANSFER: ({ asset_symbol, amount, recipient }, _, wallet) =>
    recipient?.toLowerCase() === wallet.toLowerCase() ? [] : [token(asset_symbol, -BigInt(amount))],
  BRIDGE: ({ asset_symbol, input_amount }) => [token(asset_symbol, -BigInt(input_amount))],
  SWAP: (swap) => {
    const fees = swap.fee_amounts.reduce((sum, fee) => sum + BigInt(fee), 0n)
    return [
      token(swap.input_asset_symbol, -BigInt(swap.input_amount)),
      token(swap.output_asset_symbol, BigInt(swap.output_amount) - fees),
    ]
  },
  WRAP: wrap,
  UNWRAP: wrap,
  CLAIM_REWARDS: ({ asset_symbols, amounts }) =>
    asset_symbols.map((symbol, i) => token(symbol, BigInt(amounts[i]!))),
}

function token(symbol: string, amount: bigint): BalanceChange {
  return { kind: 'token', symbol, amount }
}

function wrap({ from_asset_symbol, to_asset_symbol, amount }: Fields): BalanceChange[] {
  return [token(from_asset_symbol, -BigInt(amount)), token(to_asset_symbol, BigInt(amount))]
}

function supply({ asset_symbol: symbol, amount, ...rest }: Fields): BalanceChange[] {
  const market = (rest.comet ?? rest.aave_pool ?? rest.morpho_vault)!
  return [
    token(symbol, -BigInt(amount)),
    { kind: 'supplied', market, symbol, amount: BigInt(amount) },
  ]
}

function withdraw(
  { asset_symbol: symbol, amount: asked, ...rest }: Fields,
  networkState: NetworkState,
) {
  const market = (rest.comet ?? rest.aave_pool ?? rest.morpho_vault)!
  const amount =
    BigInt(asked) === maxUint256 ? suppliedTo(networkState, market, symbol) : BigInt(asked)
  const effects: BalanceChange[] = [
    token(symbol, amount),
    { kind: 'supplied', market, symbol, amount: -amount },
  ]
  return effects
}

/** Borrows (`sign` 1) or pays back (-1): collateral goes in or comes out, the loan comes or goes. */
function loan(context: Fields, sign: 1n | -1n): BalanceChange[] {
  const { asset_symbol: symbol } = context
  const market = (context.comet ?? context.morpho_market_id)!
  const amount = sign * BigInt(context.amount)
  const symbols = context.collateral_asset_symbols ?? [context.collateral_asset_symbol]
  const amounts = context.collateral_amounts ?? [context.collateral_amount]
  return [
    ...symbols.flatMap((each, i): BalanceChange[] => {
      const moved = sign * BigInt(amounts[i]!)
      return [token(each, -moved), { kind: 'collateral', market, symbol: each, amount: moved }]
    }),
    token(symbol, amount),
    { kind: 'debt', market, symbol, amount },
  ]
}

/** What the wallet has supplied to a market, by the market's address. */
function suppliedTo(
  { comets, aaves, vaults }: NetworkState,
  market: string,
  symbol: string,
): bigint {
  const comet = comets.find((state) => state.market.address === market)
  const vault = vaults.find((state) => state.vault.address === market)
  const reserve = aaves.find((state) => state.reserve.symbol === symbol)
  return (comet ?? vault ?? reserve)?.supplied ?? 0n
}
