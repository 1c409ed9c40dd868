import { z } from 'zod'
import { pascalCase } from '../../../lib/pascalCase.js'
import { address, count, hash } from '../../../lib/scalars.js'
import {
  type ActionContext,
  type ContextOf,
  isSupply,
  isWithdrawal,
  marketIn,
  type SupplyContext,
  type WithdrawalContext,
} from './contexts.js'

/**
 * The request behind an executed plan, as newer clients read it in `svc_intent` (service-facts 12.3). Amounts are decimal strings, 2^256-1
 * means everything; chain ids and times are integers.
 */
const amount = z.string().meta({ pattern: '^[0-9]+$' })
const symbol = z.string()
const chain_id = count
const asset = { chain_id, asset_symbol: symbol, token: address, amount }

const market = {
  market_type: z.enum(['COMET', 'AAVE', 'MORPHO']),
  market: address.meta({ description: 'Address of the Comet market, the Aave pool or the vault.' }),
}
const supply = z.strictObject({ ...asset, ...market, sender: address }).meta({ id: 'SvcSupply' })
const withdraw = z
  .strictObject({ ...asset, ...market, withdrawer: address })
  .meta({ id: 'SvcWithdrawal' })
const swap = z
  .strictObject({
    chain_id,
    sell_token: address,
    sell_amount: amount,
    buy_token: address,
    buy_amount: amount,
    swap_quote_sell_amount: amount,
    swap_quote_buy_amount: amount,
    fee_token: address,
    fee_amount: amount,
    sender: address,
    is_exact_out: z.boolean(),
    is_buy: z.boolean(),
  })
  .meta({ id: 'SvcSwap' })
const claim = z
  .strictObject({ claimer: address, asset_symbol: symbol })
  .meta({ id: 'SvcRewardClaim' })
const loan = { ...asset, collateral_amount: amount, collateral_asset_symbol: symbol }
const position = {
  chain_id,
  sender: address,
  exposure_asset_symbol: symbol,
  backing_asset_symbol: symbol,
  market_id: hash,
}
const backing = { ...position, amount, is_short: z.boolean() }
const pool_fee = count

const shapes = {
  transfer: { ...asset, sender: address, recipient: address },
  supply: supply.shape,
  withdraw: withdraw.shape,
  swap: swap.shape,
  swap_and_supply: { swap_intent: swap, supply_intent: supply },
  comet_borrow: { ...loan, comet: address, borrower: address },
  comet_repay: { ...loan, comet: address, repayer: address },
  morpho_borrow: { ...loan, market_id: hash, borrower: address },
  morpho_repay: { ...loan, market_id: hash, repayer: address },
  migrate_supplies: {
    withdraw_intents: z.array(withdraw),
    supply_intent: supply,
    migrate_only_supply_balances: z.boolean(),
  },
  compounder: {
    claim_rewards_intents: z.array(claim),
    swap_intents: z.array(swap),
    supply_intent: supply,
  },
  claim_rewards: claim.shape,
  loop_long: {
    ...position,
    is_increase: z.boolean(),
    exposure_amount: amount,
    max_swap_backing_amount: amount,
    max_provided_backing_amount: amount,
    pool_fee,
  },
  unloop_long: {
    ...position,
    exposure_amount: amount,
    backing_amount_to_exit: amount,
    min_swap_backing_amount: amount,
    pool_fee,
  },
  add_backing_token: backing,
  withdraw_backing_token: backing,
} as const

type Shapes = typeof shapes

/** What a plan kind adds about an intent of its own. */
export type SvcIntent = {
  [Type in keyof Shapes]: { intent_type: Type; intent: z.infer<z.ZodObject<Shapes[Type]>> }
}[keyof Shapes]

/** The same with what all of them have, as it is kept and answered. */
export type RecordedIntent = { planner_version: string } & SvcIntent & {
    intent: { block_timestamp: number }
  }

const variants = Object.entries(shapes).map(([intent_type, shape]) =>
  z
    .strictObject({
      id: count.min(1).meta({ description: 'Increases over all intents.' }),
      planner_version: z.string().meta({ description: '`version` of the plan’s details.' }),
      intent_type: z.literal(intent_type),
      intent: z
        .strictObject({
          ...shape,
          block_timestamp: count.meta({ description: 'Unix seconds of the plan.' }),
        })
        .meta({ id: `${pascalCase(intent_type)}SvcIntentData` }),
    })
    .meta({ id: `${pascalCase(intent_type)}SvcIntent` }),
)

export const svcIntentSchema = z
  .discriminatedUnion('intent_type', variants as [(typeof variants)[number]])
  .meta({ id: 'SvcIntent', description: 'The request behind the executed plan.' })

type IntentOf<Type extends keyof Shapes> = z.infer<z.ZodObject<Shapes[Type]>>

/** The intent of the supply among a plan's actions. */
export function supplyIntent(
  contexts: readonly ActionContext[],
  sender: string,
): IntentOf<'supply'> {
  const context = contexts.find(isSupply)!
  return { ...assetOf(context), ...marketOf(context), sender }
}

/** The intent of the withdrawal among a plan's actions. */
export function withdrawIntent(
  contexts: readonly ActionContext[],
  withdrawer: string,
): IntentOf<'withdraw'> {
  const context = contexts.find(isWithdrawal)!
  return { ...assetOf(context), ...marketOf(context), withdrawer }
}

/** The intents of the swaps among a plan's actions, at their quotes. */
export function swapIntents(
  contexts: readonly ActionContext[],
  sender: string,
): IntentOf<'swap'>[] {
  const swaps = contexts.filter((context) => context.action_type === 'SWAP')
  return swaps.map((context) => ({
    chain_id: Number(context.chain_id),
    sell_token: context.input_token,
    sell_amount: context.input_amount,
    buy_token: context.output_token,
    buy_amount: context.output_amount,
    swap_quote_sell_amount: context.input_amount,
    swap_quote_buy_amount: context.output_amount,
    fee_token: context.fee_tokens[0]!,
    fee_amount: context.fee_amounts[0]!,
    sender,
    is_exact_out: context.is_exact_out,
    is_buy: context.is_buy,
  }))
}

/** Network, asset and amount of an action. */
export function assetOf({
  chain_id,
  asset_symbol,
  token,
  amount,
}: ContextOf<'TRANSFER'> | SupplyContext | WithdrawalContext) {
  return { chain_id: Number(chain_id), asset_symbol, token, amount }
}

function marketOf(context: SupplyContext | WithdrawalContext) {
  const market_type = 'comet' in context ? 'COMET' : 'aave_pool' in context ? 'AAVE' : 'MORPHO'
  return { market_type, market: marketIn(context) } as const
}
