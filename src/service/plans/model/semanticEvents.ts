import type { Fields, FieldValues } from './contexts.js'

const worth = { token: 'address', amount: 'amount', dollar_value: 'price' } as const
const comet = { comet: 'address', ...worth } as const
const aave = { aave_pool: 'address', ...worth } as const
const vault = { morpho_vault: 'address', ...worth } as const
const morpho = { morpho: 'address', morpho_market_id: 'hash', ...worth } as const
const reward = { ...worth, rewards_contract: 'address' } as const
const fees = { bridge_fees: 'amount', bridge_fees_dollar_value: 'price', bridge: 'text' } as const

const loop = {
  borrow_market_id: 'hash',
  backing_token: 'address',
  backing_amount: 'amount',
  backing_dollar_value: 'price',
  exposure_token: 'address',
  exposure_amount: 'amount',
  exposure_dollar_value: 'price',
  swap_input_token: 'address',
  swap_input_amount: 'amount',
  swap_input_dollar_value: 'price',
  swap_output_token: 'address',
  swap_output_amount: 'amount',
  swap_output_dollar_value: 'price',
  swap_venue: 'text',
  borrow_venue: 'text',
} as const

const backing = {
  borrow_market_id: 'hash',
  borrow_venue: 'text',
  backing_token: 'address',
  backing_amount: 'amount',
  backing_dollar_value: 'price',
  exposure_token: 'address',
  is_short: 'flag',
} as const

/** The fields of `event_metadata` of every semantic event (service-facts 12.2). Dollar values have 8 decimals. */
export const eventFields = {
  comet_supply_base: comet,
  comet_supply_collateral: comet,
  comet_repay: comet,
  comet_withdraw_base: comet,
  comet_withdraw_collateral: comet,
  comet_borrow: comet,
  comet_liquidation_collateral_absorbed: comet,
  comet_liquidation_base_paid_out: comet,
  aave_supply: aave,
  aave_withdraw: aave,
  morpho_vault_supply: vault,
  morpho_vault_withdraw: vault,
  morpho_supply_collateral: morpho,
  morpho_withdraw_collateral: morpho,
  morpho_borrow: morpho,
  morpho_repay: morpho,
  morpho_liquidation: {
    morpho: 'address',
    morpho_market_id: 'hash',
    repaid_token: 'address',
    repaid_amount: 'amount',
    repaid_usd_value: 'price',
    seized_token: 'address',
    seized_amount: 'amount',
    seized_usd_value: 'price',
  },
  comet_claim_reward: reward,
  morpho_claim_reward: reward,
  swap: {
    input_token: 'address',
    input_amount: 'amount',
    input_dollar_value: 'price',
    output_token: 'address',
    output_amount: 'amount',
    output_dollar_value: 'price',
    swap_venue: 'text',
  },
  bridge_send: {
    ...worth,
    src_chain: 'chain',
    dst_chain: 'chain',
    ...fees,
    deposit_id: 'amount',
  },
  bridge_receive: { ...worth, dst_chain: 'chain', ...fees },
  bridge_refund: {
    ...worth,
    src_chain: 'chain',
    dst_chain: 'chain',
    bridge: 'text',
    deposit_id: 'amount',
  },
  outbound_transfer: { ...worth, recipient: 'address' },
  inbound_transfer: { ...worth, sender: 'address' },
  loop_long: loop,
  unloop_long: loop,
  add_backing_to_loop: backing,
  withdraw_backing_from_loop: backing,
} as const satisfies Record<string, Fields>

/** Entries of `semantic_events` in an activity's metadata (service-facts 12.2), of these types. */
export type SemanticEventOf<Type extends keyof typeof eventFields> = {
  [Each in Type]: {
    event_type: Each
    /** Within the block. */
    log_indices: number[]
    event_metadata: FieldValues<(typeof eventFields)[Each]>
  }
}[Type]

/** An entry of `semantic_events`. */
export type SemanticEvent = SemanticEventOf<keyof typeof eventFields>
