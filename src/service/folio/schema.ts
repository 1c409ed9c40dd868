/** Service-facts section 8.1: ten maps, each with its own kind of value. Keys are paths joined by slashes; addresses in them are lower case. */
import { z } from 'zod'
import { hash, unixSecondsField } from '../../lib/scalars.js'

const amount = z.string().meta({
  pattern: '^[0-9]+(\\.[0-9]+)?e[0-9]+$',
  description: 'Whole units and the asset’s decimals: `1.5e6` is 1500000 in the smallest unit.',
})
const signedAmount = z.string().meta({
  pattern: '^-?[0-9]+(\\.[0-9]+)?e[0-9]+$',
  description: 'The amount to add; negative to subtract.',
})
const price = z.string().meta({
  pattern: '^[0-9]+(\\.[0-9]+)?$',
  description: 'USD for a whole unit.',
})
const fraction = z.string().meta({
  pattern: '^[0-9]+(\\.[0-9]+)?$',
  description: 'A plain fraction: `0.025` is 2.5 %.',
})
const cap = amount.nullable().meta({ description: 'Null when there is no cap.' })

const yieldMarket = z
  .strictObject({
    supply_apr: fraction,
    supply_rewards_apr: fraction,
    supply_cap: cap,
    total_supply: amount,
  })
  .meta({ id: 'FolioYieldMarket', description: 'A market that pays yield on supplied assets.' })

const collateral = z
  .strictObject({
    borrow_collateral_factor: fraction,
    liquidate_collateral_factor: fraction,
    liquidation_factor: fraction,
    supply_cap: cap,
    total_supply: amount
      .nullable()
      .meta({ description: 'Null where the protocol keeps no total.' }),
    usd_price: price.nullable().meta({ description: 'Null when the price feed does not respond.' }),
  })
  .meta({ id: 'FolioCollateral' })

const borrowMarket = z
  .strictObject({
    borrow_apr: fraction,
    borrow_rewards_apr: fraction,
    borrow_cap: cap,
    total_borrow: amount,
    base_borrow_min: amount,
    collaterals: z.record(z.string(), collateral).meta({ description: 'By asset symbol.' }),
  })
  .meta({ id: 'FolioBorrowMarket', description: 'A market to borrow from, with its collaterals.' })

const reward = z
  .strictObject({
    proof: z
      .discriminatedUnion('proof_type', [
        z.strictObject({ proof_type: z.literal('none') }).meta({ id: 'NoProof' }),
        z
          .strictObject({
            proof_type: z.literal('morpho_reward'),
            proof: z.array(hash),
            proof_amount: amount,
          })
          .meta({ id: 'MorphoRewardProof' }),
      ])
      .meta({ id: 'RewardProof' }),
  })
  .meta({ id: 'FolioReward', description: 'What is needed to claim a reward.' })

const swapHint = z
  .strictObject({
    exchange_rate: fraction,
    min_amount: amount,
    max_amount: amount.nullable().meta({ description: 'Null when there is no limit.' }),
  })
  .meta({ id: 'FolioSwapHint' })

const bridgeHint = z
  .strictObject({
    estimated_fill_time_sec: z.int().min(0).max(86_400),
    fixed_cost: amount,
    max_amount: amount,
    max_amount_instant: amount,
    min_amount: amount,
    rate: fraction,
  })
  .meta({ id: 'FolioBridgeHint', description: 'Output = input x rate - fixed cost.' })

const patch = z
  .strictObject({
    target: z.string().meta({ description: 'The key in `balances` that will change.' }),
    delta: signedAmount,
    operation_id: z.string().optional(),
    metadata: z
      .strictObject({ operation_type: z.string(), estimated_eta: unixSecondsField })
      .optional(),
  })
  .meta({ id: 'FolioPatch', description: 'A pending change to a balance.' })

/** What the values of a section are, with the form of its keys. */
function section<Value extends z.ZodType>(value: Value, keys: string) {
  return z.record(z.string(), value).meta({ description: keys })
}

/** A portfolio: all sections, each a map of slash-joined keys. */
export const folioSchema = z
  .strictObject({
    balances: section(
      amount,
      '`token/{net}/{symbol}/{wallet}`, `yield_market/...`, `borrow_market/...`, `borrow_market_collateral/...`, `reward/...` and `locked_reward/...`. A missing key means zero.',
    ),
    prices: section(price, '`token/{symbol}`'),
    yield_markets: section(yieldMarket, '`{comet, aave or morpho_vault}/{net}/{address}/{symbol}`'),
    borrow_markets: section(
      borrowMarket,
      '`{comet or aave}/{net}/{address}/{symbol}` or `morpho/{net}/{collateral}/{loan}`',
    ),
    rewards: section(
      reward,
      '`comet_reward/{net}/{comet}/{symbol}/{contract}/{wallet}` or `morpho_reward/{net}/{symbol}/{distributor}/{wallet}`',
    ),
    swap_hints: section(swapHint, '`wrapper/{net}/{symbol}/{net}/{wrapped symbol}`'),
    bridge_hints: section(bridgeHint, '`across/{source net}/{symbol}/{destination net}/{symbol}`'),
    hex_data: section(hash, '`nonce_secret/{net}/{wallet}`: the next nonce of the wallet there'),
    completion_statuses: section(
      z.boolean(),
      '`svc_nonce/{wallet}/{nonce}` or `across_fill/{wallet}/{relay hash}`: whether it is complete',
    ),
    patches: section(
      z.array(patch),
      'Per key of a completion status: the balance changes still to come, until it turns true',
    ),
  })
  .meta({ id: 'Folio' })

export type Folio = z.infer<typeof folioSchema>

/** The sections of a folio, always all present (service-facts section 8.1). */
export const folioSections = Object.keys(folioSchema.shape) as (keyof Folio)[]
