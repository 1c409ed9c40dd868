import type { Address } from 'viem'
import type { NetworkState } from '../../../chain/state/networkState.js'
import {
  type ActionContext,
  type ContextOf,
  isSupply,
  isWithdrawal,
  marketIn,
  type SupplyContext,
  type WithdrawalContext,
} from '../model/contexts.js'
import { maxUint256 } from '../model/fields.js'

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
 * The effects of an operation (the table of service-facts 8.3), read from its context. Taking out everything takes what the snapshot has. A
 * bridge only takes here; its delivery belongs to the fill. Kinds that the table does not list (loops and their backing) have none.
 */
export function balanceChangesOf(
  context: ActionContext,
  networkState: NetworkState,
  wallet: Address,
): BalanceChange[] {
  return allChangesOf(context, networkState, wallet).filter(({ amount }) => amount !== 0n)
}

function allChangesOf(
  context: ActionContext,
  networkState: NetworkState,
  wallet: Address,
): BalanceChange[] {
  if (isSupply(context)) return supply(context, BigInt(context.amount))
  if (isWithdrawal(context)) return supply(context, -withdrawn(context, networkState))
  switch (context.action_type) {
    case 'COMET_BORROW':
    case 'MORPHO_BORROW':
      return loan(context, 1n)
    case 'COMET_REPAY':
    case 'MORPHO_REPAY':
      return loan(context, -1n)
    case 'TRANSFER':
      if (context.recipient.toLowerCase() === wallet.toLowerCase()) return []
      return [token(context.asset_symbol, -BigInt(context.amount))]
    case 'BRIDGE':
      return [token(context.asset_symbol, -BigInt(context.input_amount))]
    case 'SWAP': {
      const fees = context.fee_amounts.reduce((sum, fee) => sum + BigInt(fee), 0n)
      return [
        token(context.input_asset_symbol, -BigInt(context.input_amount)),
        token(context.output_asset_symbol, BigInt(context.output_amount) - fees),
      ]
    }
    case 'WRAP':
    case 'UNWRAP':
      return [
        token(context.from_asset_symbol, -BigInt(context.amount)),
        token(context.to_asset_symbol, BigInt(context.amount)),
      ]
    case 'CLAIM_REWARDS':
      return context.asset_symbols.map((symbol, i) => token(symbol, BigInt(context.amounts[i]!)))
    case 'LOOP_LONG':
    case 'UNLOOP_LONG':
    case 'ADD_BACKING_TOKEN':
    case 'WITHDRAW_BACKING_TOKEN':
    // No operation of a plan has these.
    case 'BRIDGE_MINT':
    case 'BRIDGE_REFUND':
    case 'INBOUND_TRANSFER':
    case 'COMET_LIQUIDATION':
    case 'MORPHO_LIQUIDATION':
      return []
  }
}

function token(symbol: string, amount: bigint): BalanceChange {
  return { kind: 'token', symbol, amount }
}

/** Supplies, or with an amount below zero withdraws. */
function supply(context: SupplyContext | WithdrawalContext, amount: bigint): BalanceChange[] {
  const { asset_symbol: symbol } = context
  return [token(symbol, -amount), { kind: 'supplied', market: marketIn(context), symbol, amount }]
}

function withdrawn(context: WithdrawalContext, networkState: NetworkState): bigint {
  const amount = BigInt(context.amount)
  if (amount !== maxUint256) return amount
  return suppliedTo(networkState, marketIn(context), context.asset_symbol)
}

/** Borrows (`sign` 1) or pays back (-1): collateral goes in or comes out, the loan comes or goes. */
function loan(
  context: ContextOf<'COMET_BORROW' | 'COMET_REPAY' | 'MORPHO_BORROW' | 'MORPHO_REPAY'>,
  sign: 1n | -1n,
): BalanceChange[] {
  const { asset_symbol: symbol } = context
  const amount = sign * BigInt(context.amount)
  const [market, symbols, amounts] =
    'comet' in context
      ? [context.comet, context.collateral_asset_symbols, context.collateral_amounts]
      : [context.morpho_market_id, [context.collateral_asset_symbol], [context.collateral_amount]]
  return [
    ...symbols.flatMap((collateralSymbol, i): BalanceChange[] => {
      const moved = sign * BigInt(amounts[i]!)
      return [
        token(collateralSymbol, -moved),
        { kind: 'collateral', market, symbol: collateralSymbol, amount: moved },
      ]
    }),
    token(symbol, amount),
    { kind: 'debt', market, symbol, amount },
  ]
}

/** What the wallet has supplied to a market, by the market's address. */
function suppliedTo(
  { comets, aaveReserves, vaults }: NetworkState,
  market: string,
  symbol: string,
): bigint {
  const comet = comets.find((state) => state.market.address === market)
  const vault = vaults.find((state) => state.vault.address === market)
  const reserve = aaveReserves.find((state) => state.reserve.symbol === symbol)
  return (comet ?? vault ?? reserve)?.supplied ?? 0n
}
