/**
 * The bodies of the service's answers, for the OpenAPI document. Nothing parses with them at run time, but the test client checks every answer
 * against that document. Objects whose fields are all ours are strict, so that a stray field is noticed; objects passed through from the
 * planner are loose.
 */
import { z } from 'zod'
import { networkNames } from '../../deployments/networks.js'
import { address, chainId, count, decimals, hash, unixSecondsField } from '../../lib/scalars.js'
import { actionContextSchema, expectedActionSchema } from './actionSchemas.js'
import { activityStatus, activityTypeField, decimalField, hex, id, timestamp } from './fields.js'

/** A factor or scale of a protocol with 18 decimals. JSON numbers carry it only roughly. */
const wad = z.number().min(0).max(1e18)

/** A sub-account (interface.md, "Account"). */
export const accountSchema = z
  .strictObject({
    account_id: id('acc'),
    signer_type: z.literal('eoa'),
    signer_address: address.meta({ description: 'As the client sent it.' }),
    svc_wallet_address: address.meta({
      description: 'The same on every network; deterministic from the signer. Lower case.',
    }),
    created_at: timestamp,
  })
  .meta({ id: 'Account' })

/** The holder of an API key. */
export const primeAccountSchema = z
  .strictObject({ id: z.string(), name: z.string(), email: z.string(), created_at: timestamp })
  .meta({ id: 'PrimeAccount' })

/** interface.md, "Network". */
export const networkSchema = z
  .strictObject({
    name: z.enum(networkNames),
    chain_id: chainId,
    display_name: z.string(),
  })
  .meta({ id: 'Network' })

/** An asset: one entry of the map `assets`. */
export const assetSchema = z
  .strictObject({
    name: z.string(),
    decimals,
    networks: z.record(
      z.string(),
      z.strictObject({
        chain_id: chainId,
        address: address.meta({ description: 'Lower case; `0xeeee…eeee` for the native token.' }),
        native: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'Asset' })

/** A Comet market (service-facts section 7). */
export const cometMarketSchema = z
  .strictObject({
    protocol: z.literal('comet'),
    chain_id: chainId,
    name: z.string(),
    symbol: z.string(),
    base_asset: address,
    factor_scale: wad.meta({ description: 'The scale of factors and rates: 10^18.' }),
    comet_address: address,
    rewards_address: address,
    collateral_assets: z.array(z.strictObject({ asset: address, price_feed: address })),
  })
  .meta({ id: 'CometMarket' })

/** A Morpho Blue market (service-facts section 7). */
export const morphoMarketSchema = z
  .strictObject({
    protocol: z.literal('morpho_market'),
    chain_id: chainId,
    morpho: address,
    market_id: hash.meta({
      description:
        'Pass it as `market` to borrow and repay, and as `market_id` to the loop and backing plans.',
    }),
    irm: address,
    lltv: wad.meta({ description: 'Liquidation loan-to-value, in the scale of `wad`.' }),
    oracle: address,
    loan_token: address,
    collateral_token: address,
    wad: wad.meta({ description: '10^18.' }),
  })
  .meta({ id: 'MorphoMarket' })

/** A vault that lends on Morpho Blue (service-facts section 7). */
export const vaultMarketSchema = z
  .strictObject({
    protocol: z.literal('morpho_vault'),
    chain_id: chainId,
    name: z.string(),
    symbol: z.string(),
    vault: address.meta({
      description: 'Earn, withdraw and migrate accept it as `market`.',
    }),
    asset: address,
    wad: wad.meta({ description: '10^18.' }),
  })
  .meta({ id: 'VaultMarket' })

/** An Aave pool with its reserves (service-facts section 7). */
export const aaveMarketSchema = z
  .strictObject({
    protocol: z.literal('aave_market'),
    chain_id: chainId,
    name: z.string(),
    pool: address,
    ui_pool_data_provider: address,
    market_base_currency: z.string().meta({ description: 'The currency that the pool counts in.' }),
    ray_scale: z
      .number()
      .min(0)
      .max(1e27)
      .meta({ description: 'The scale of the pool’s rates: 10^27.' }),
    bps_scale: z.int().min(0).max(10_000).meta({ description: 'The scale of its factors: 10^4.' }),
    reserves: z.array(z.strictObject({ symbol: z.string(), decimals, underlying_asset: address })),
  })
  .meta({ id: 'AaveMarket' })

/** interface.md, "Event". */
export const eventSchema = z
  .strictObject({
    event_type: z.literal('activity_updated'),
    data: z.strictObject({
      activity_id: id('act'),
      activity_type: activityTypeField,
      activity_status: activityStatus,
    }),
    timestamp: unixSecondsField.meta({ description: 'Unix seconds.' }),
  })
  .meta({ id: 'Event' })

const operation = z
  .strictObject({
    nonce: hash,
    is_replayable: z.boolean(),
    script_address: address,
    script_sources: z.array(hex),
    script_calldata: hex,
    expiry: decimalField.meta({ description: 'Unix seconds.' }),
  })
  .meta({ id: 'Operation' })

const action = z
  .strictObject({
    chain_id: decimalField,
    svc_account: address,
    action_type: z.string(),
    action_context: actionContextSchema,
    nonce_secret: hash,
    total_plays: decimalField,
    execution_type: z
      .enum(['IMMEDIATE', 'CONTINGENT'])
      .meta({ description: '`CONTINGENT` runs after the bridges of the plan have delivered.' }),
  })
  .meta({ id: 'OperationAction' })

const stepOf = {
  chain_id: decimalField,
  expected_actions: z.array(expectedActionSchema),
  depends_on: z
    .array(count)
    .meta({ description: 'Positions in the list of the steps that must come first.' }),
}

const step = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('svc_operation'),
        operation_index: count,
        ...stepOf,
      })
      .meta({ id: 'OperationStep' }),
    z
      .strictObject({
        type: z.literal('exogenous'),
        execution_type: z.literal('bridge_receive'),
        ...stepOf,
      })
      .meta({ id: 'ExogenousStep' }),
  ])
  .meta({ id: 'PlanStep' })

/** The answer of every plan-creation endpoint (interface.md, "Plan"). */
export const planSchema = z
  .strictObject({
    plan_id: id('pln'),
    details: z.strictObject({
      version: z.string(),
      svc_operation_actions: z
        .array(z.strictObject({ operation, action }))
        .meta({ description: 'One element per operation, in the order of execution.' }),
      steps: z.array(step),
      eip712_data: z.strictObject({
        digest: hash.meta({ description: 'The hash that the signer of the account signs.' }),
        domain_separator: hash.optional(),
        hash_struct: hash.optional(),
      }),
    }),
    expires_at: timestamp,
  })
  .meta({ id: 'Plan' })

/** interface.md, "Execution result". */
export const executionSchema = z
  .strictObject({
    plan_id: id('pln'),
    svc_intent_id: id('qi'),
    activity_id: id('act'),
    status: z.literal('executing'),
  })
  .meta({ id: 'ExecutionResult' })
