import type { Address, Hex } from 'viem'
import { formatUnits } from 'viem/utils'

/**
 * What a field of an action's context holds. Older clients read contexts: numbers are decimal strings, prices have 8 decimals. Newer clients
 * read values: chain ids are integers, prices decimal fractions.
 */
export type ContextField =
  | 'address'
  | 'addresses'
  | 'amount'
  | 'amounts'
  | 'chain'
  | 'flag'
  | 'hash'
  | 'price'
  | 'prices'
  | 'text'
  | 'texts'

/** Fields by name: what types, documents and the newer generation's values are made from. */
export type Fields = Readonly<Record<string, ContextField>>

interface FieldTypes {
  address: Address
  addresses: Address[]
  amount: string
  amounts: string[]
  chain: string
  flag: boolean
  hash: Hex
  price: string
  prices: string[]
  text: string
  texts: string[]
}

export type FieldValues<Of extends Fields> = { -readonly [Name in keyof Of]: FieldTypes[Of[Name]] }

const asset = { amount: 'amount', asset_symbol: 'text', chain_id: 'chain' } as const
const priced = { price: 'price', token: 'address' } as const

const cometLoan = {
  ...asset,
  collateral_amounts: 'amounts',
  collateral_asset_symbols: 'texts',
  collateral_token_prices: 'prices',
  collateral_tokens: 'addresses',
  comet: 'address',
  ...priced,
} as const

const morphoLoan = {
  ...asset,
  collateral_amount: 'amount',
  collateral_asset_symbol: 'text',
  collateral_token: 'address',
  collateral_token_price: 'price',
  morpho: 'address',
  morpho_market_id: 'hash',
  ...priced,
} as const

const swap = {
  ...asset,
  fee_amounts: 'amounts',
  fee_asset_symbols: 'texts',
  fee_descriptions: 'texts',
  fee_token_prices: 'prices',
  fee_tokens: 'addresses',
  input_amount: 'amount',
  input_asset_symbol: 'text',
  input_token: 'address',
  input_token_price: 'price',
  is_buy: 'flag',
  is_capped_max: 'flag',
  is_exact_out: 'flag',
  output_amount: 'amount',
  output_asset_symbol: 'text',
  output_token: 'address',
  output_token_price: 'price',
  use_filler: 'flag',
} as const

const position = {
  ...asset,
  backing_asset_symbol: 'text',
  backing_token: 'address',
  backing_token_price: 'price',
  borrow_market_id: 'hash',
  borrow_venue: 'text',
  exposure_asset_symbol: 'text',
  exposure_token: 'address',
  exposure_token_price: 'price',
} as const

const loop = {
  ...position,
  exposure_amount: 'amount',
  fee_amount: 'amount',
  fee_asset_symbol: 'text',
  fee_token: 'address',
  fee_token_price: 'price',
  swap_venue: 'text',
} as const

const wrap = {
  ...asset,
  from_asset_symbol: 'text',
  to_asset_symbol: 'text',
  token: 'address',
} as const

const bridge = { bridge_type: 'text', recipient: 'address', token: 'address' } as const

/** The fields of every action's context besides `action_type` (service-facts 9.5). */
export const contextFields = {
  TRANSFER: { ...asset, ...priced, recipient: 'address' },
  COMET_SUPPLY: { ...asset, comet: 'address', ...priced },
  COMET_WITHDRAW: { ...asset, comet: 'address', ...priced },
  AAVE_SUPPLY: { ...asset, aave_pool: 'address', ...priced },
  AAVE_WITHDRAW: { ...asset, aave_pool: 'address', ...priced },
  MORPHO_VAULT_SUPPLY: { ...asset, morpho_vault: 'address', ...priced },
  MORPHO_VAULT_WITHDRAW: { ...asset, morpho_vault: 'address', ...priced },
  COMET_BORROW: cometLoan,
  COMET_REPAY: cometLoan,
  MORPHO_BORROW: morphoLoan,
  MORPHO_REPAY: morphoLoan,
  SWAP: swap,
  WRAP: wrap,
  UNWRAP: wrap,
  CLAIM_REWARDS: {
    ...asset,
    amounts: 'amounts',
    asset_symbols: 'texts',
    prices: 'prices',
    tokens: 'addresses',
  },
  LOOP_LONG: {
    ...loop,
    is_increase: 'flag',
    max_provided_backing_amount: 'amount',
    max_swap_backing_amount: 'amount',
  },
  UNLOOP_LONG: { ...loop, backing_amount_to_exit: 'amount', min_swap_backing_amount: 'amount' },
  ADD_BACKING_TOKEN: { ...position, is_short: 'flag' },
  WITHDRAW_BACKING_TOKEN: { ...position, is_short: 'flag' },
  BRIDGE: {
    ...asset,
    ...bridge,
    destination_asset_symbol: 'text',
    destination_chain_id: 'chain',
    input_amount: 'amount',
    output_amount: 'amount',
    price: 'price',
  },
  BRIDGE_MINT: {
    ...bridge,
    asset_symbol: 'text',
    chain_id: 'chain',
    input_amount: 'amount',
    max_fee: 'amount',
    output_amount: 'amount',
    source_chain_id: 'chain',
  },
  BRIDGE_REFUND: { ...asset, ...bridge, destination_chain_id: 'chain' },
  INBOUND_TRANSFER: { ...asset, ...priced, recipient: 'address', sender: 'address' },
  COMET_LIQUIDATION: { chain_id: 'chain' },
  MORPHO_LIQUIDATION: { chain_id: 'chain' },
} as const satisfies Record<string, Fields>

const loss = {
  repaid_tokens: 'addresses',
  repaid_amounts: 'amounts',
  seized_tokens: 'addresses',
  seized_amounts: 'amounts',
} as const

/** Observed facts of actions that no plan contains, beside the fields of their context. */
export const observedFields = {
  COMET_LIQUIDATION: loss,
  MORPHO_LIQUIDATION: loss,
} as const satisfies Partial<Record<ActionType, Fields>>

/** The actions of plans, and what happens to a wallet from outside. */
export type ActionType = keyof typeof contextFields

/** The wire form of what actions of these types do: `action_type` first, all numbers as decimal strings (service-facts 9.5). */
export type ContextOf<Type extends ActionType> = {
  [Each in Type]: { action_type: Each } & FieldValues<(typeof contextFields)[Each]>
}[Type]

export type ActionContext = ContextOf<ActionType>

/** The wire form of what an action of a plan does; the others happen to a wallet from outside. */
export type PlannedContext = ContextOf<
  Exclude<
    ActionType,
    | 'BRIDGE_MINT'
    | 'BRIDGE_REFUND'
    | 'INBOUND_TRANSFER'
    | 'COMET_LIQUIDATION'
    | 'MORPHO_LIQUIDATION'
  >
>

export type SupplyContext = ContextOf<Extract<ActionType, `${string}_SUPPLY`>>
export type WithdrawalContext = ContextOf<Extract<ActionType, `${string}_WITHDRAW`>>

export function isSupply(context: ActionContext): context is SupplyContext {
  return context.action_type.endsWith('_SUPPLY')
}

export function isWithdrawal(context: ActionContext): context is WithdrawalContext {
  return context.action_type.endsWith('_WITHDRAW')
}

/** The address of the Comet market, the Aave pool or the vault. */
export function marketIn(context: SupplyContext | WithdrawalContext): Address {
  if ('comet' in context) return context.comet
  return 'aave_pool' in context ? context.aave_pool : context.morpho_vault
}

/** The context of an executed action, with its observed facts. */
export type ObservedContext = {
  [Each in ActionType]: ContextOf<Each> &
    (Each extends keyof typeof observedFields ? FieldValues<(typeof observedFields)[Each]> : object)
}[ActionType]

/** What the contexts hold in the words of newer clients, in which chain ids are integers. */
type ActionValues = {
  [Each in ActionType]: NewerValues<(typeof contextFields)[Each]>
}[ActionType]

type NewerValues<Of extends Fields> = {
  -readonly [Name in keyof Of]: Of[Name] extends 'chain' ? number : FieldTypes[Of[Name]]
}

/** A context in the words of newer clients: `{ amount: '5', chain_id: 8453, price: '0.9998' }`. */
export function valuesOf({ action_type, ...context }: ActionContext): ActionValues {
  const fields: Fields = contextFields[action_type]
  const values = Object.entries(context).map(([name, value]) => [
    name,
    newerForm(fields[name], value),
  ])
  return Object.fromEntries(values)
}

function newerForm(field: ContextField | undefined, value: string | string[] | boolean): unknown {
  if (field === 'chain') return Number(value)
  if (field === 'price' && typeof value === 'string') return dollars(value)
  return field === 'prices' && Array.isArray(value) ? value.map(dollars) : value
}

/** A price of 8 decimals as a decimal fraction: `99980000` is `0.9998`. */
function dollars(price: string): string {
  return formatUnits(BigInt(price), 8)
}

type Fill = Pick<ContextOf<'BRIDGE_MINT'>, 'source_chain_id' | 'chain_id' | 'input_amount'>
type Deposit = Pick<ContextOf<'BRIDGE'>, 'chain_id' | 'destination_chain_id' | 'input_amount'>

/** Whether a fill belongs to a deposit: same networks, same amount. */
export function isFillOf(fill: Fill, deposit: Deposit): boolean {
  return (
    fill.source_chain_id === deposit.chain_id &&
    fill.chain_id === deposit.destination_chain_id &&
    fill.input_amount === deposit.input_amount
  )
}
