/**
 * The bodies of the service's answers. They describe the OpenAPI document; nothing parses with them at run time, but the
 * test client checks every answer against the document that comes out of them. Objects whose fields are all ours are
 * strict, so that a field that slips in is noticed; objects passed through from the planner are loose.
 */
import { z } from 'zod'
import { networkNames } from '../chain/networks.js'
import { chainId, count, decimals, unixSeconds } from './scalars.js'

const address = z.string().meta({ pattern: '^0x[0-9a-fA-F]{40}$' })
const hex = z.string().meta({ pattern: '^0x([0-9a-f]{2})*$' })
const hash = z.string().meta({ pattern: '^0x[0-9a-f]{64}$' })
const timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC.' })
const decimal = z.string().meta({ pattern: '^[0-9]+$' })
/** A factor or scale of a protocol with 18 decimals. JSON numbers carry it only roughly. */
const wad = z.number().min(0).max(1e18)

const number = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

function id(prefix: string): z.ZodString {
  return z.string().meta({ pattern: `^${prefix}_[0-9a-z]{12}$` })
}

/** A sub-account (interface.md, "Account"). */
export const accountSchema = z
  .strictObject({
    account_id: id('acc'),
    signer_type: z.literal('eoa'),
    signer_address: address.meta({ description: 'As it was sent.' }),
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
      pattern: '^0x[0-9a-f]{64}$',
      description: 'What borrow and repay take as `market`, loops and backing as `market_id`.',
    }),
    irm: address,
    lltv: wad.meta({ description: 'Loan to value of liquidation, in the scale of `wad`.' }),
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
      description: 'What earn, withdraw and migrate take as `market`.',
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
    market_base_currency: z.string().meta({ description: 'What the pool counts in.' }),
    ray_scale: z
      .number()
      .min(0)
      .max(1e27)
      .meta({ description: 'The scale of the pool’s rates: 10^27.' }),
    bps_scale: z.int().min(0).max(10_000).meta({ description: 'The scale of its factors: 10^4.' }),
    reserves: z.array(z.strictObject({ symbol: z.string(), decimals, underlying_asset: address })),
  })
  .meta({ id: 'AaveMarket' })

const activityType = z.enum(['svc_operation_executed', 'exogenous']).meta({
  description: '`svc_operation_executed`: an executed plan; `exogenous`: what came from outside.',
})

const activityStatus = z.enum(['pending', 'confirmed', 'failed'])

/** interface.md, "Event". */
export const eventSchema = z
  .strictObject({
    event_type: z.literal('activity_updated'),
    data: z.strictObject({
      activity_id: id('act'),
      activity_type: activityType,
      activity_status: activityStatus,
    }),
    timestamp: unixSeconds.meta({ description: 'Unix seconds.' }),
  })
  .meta({ id: 'Event' })

const operation = z
  .looseObject({
    nonce: hash,
    is_replayable: z.boolean(),
    script_address: address,
    script_calldata: hex,
    expiry: decimal.meta({ description: 'Unix seconds.' }),
  })
  .meta({ id: 'Operation' })

const actionContext = z
  .looseObject({
    action_type: z.string(),
    chain_id: decimal,
    amount: z.string().optional(),
    asset_symbol: z.string().optional(),
  })
  .meta({
    id: 'ActionContext',
    description: 'What the operation does. All numbers are decimal strings.',
  })

/** The answer of every plan-creation endpoint (interface.md, "Plan"). */
export const planSchema = z
  .strictObject({
    plan_id: id('pln'),
    details: z.looseObject({
      svc_operation_actions: z
        .array(
          z.looseObject({ operation, action: z.looseObject({ action_context: actionContext }) }),
        )
        .meta({ description: 'One element per operation, in the order of execution.' }),
      eip712_data: z.strictObject({
        digest: hash.meta({ description: 'What the signer of the account signs, as a hash.' }),
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

/** An activity in the shape of both generations of the service (service-facts 12.2 and 12.3). */
export const activitySchema = z
  .strictObject({
    id: number.meta({
      description: 'Grows over all activities. Paths take it like `activity_id`.',
    }),
    activity_id: id('act'),
    account_id: id('acc'),
    plan_id: id('pln').nullable(),
    svc_intent_id: id('qi').nullable(),
    activity_type: activityType,
    activity_status: activityStatus,
    status: z
      .enum(['pending', 'completed', 'failed'])
      .meta({ description: 'The same as `activity_status`, in the words of newer clients.' }),
    occurred_at: timestamp,
    updated_at: timestamp,
    activity_metadata: z
      .array(z.looseObject({ action_type: z.string().optional() }))
      .meta({ description: 'One item per operation or outside event.' }),
    executions: z.array(
      z.strictObject({
        execution_type: z.enum(['transaction', 'external']),
        chain_id: chainId.nullable(),
        transaction_hash: hash.nullable(),
        status: z.enum(['pending', 'executed', 'failed']),
        executed_at: timestamp.nullable(),
        reverted_at: timestamp.nullable(),
        actions: z.array(
          z.strictObject({
            action_type: z.string(),
            expected_values: z.looseObject({}),
            observed_values: z.looseObject({}),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'Activity' })

const networkReadiness = z.strictObject({
  chain_id: chainId,
  ready: z.boolean(),
  error: z.string().optional(),
  fork: z
    .strictObject({ host: z.string(), block: count, left_out: z.array(z.string()) })
    .optional()
    .meta({ description: 'Where a forked network is forked from, and what it lacks.' }),
})

/** The answer of `GET /health/ready`. */
export const readinessSchema = z
  .strictObject({
    status: z.enum(['ready', 'not_ready']),
    networks: z.strictObject(
      Object.fromEntries(networkNames.map((name) => [name, networkReadiness])),
    ),
  })
  .meta({ id: 'Readiness' })
