import { z } from 'zod'
import { ServiceError } from '../../../lib/errors.js'
import { marketAsset } from '../assembly/funding.js'
import { networkStateOf } from '../assembly/resolve.js'
import {
  observeYield,
  vaultHasMarket,
  yieldMarket,
  yieldMarketField,
  yieldProtocolField,
  yieldReads,
} from '../markets/yield.js'
import { amountOrMax, assetField, maxUint256, networkField } from '../model/fields.js'
import { definePlan } from '../model/kind.js'
import { supplyIntent, withdrawIntent } from '../model/svcIntents.js'

const schema = z
  .object({
    amount: amountOrMax('Amount to withdraw from the source, in the asset’s smallest unit.'),
    asset: assetField('Asset to migrate.'),
    from_protocol: yieldProtocolField('Protocol to withdraw from.'),
    to_protocol: yieldProtocolField('Protocol to deposit into.', 'aave'),
    network: networkField,
    from_market: yieldMarketField('from_protocol'),
    to_market: yieldMarketField('to_protocol'),
    migrate_only_supply_balances: z
      .boolean({ error: 'must be true or false' })
      .default(false)
      .meta({
        description:
          'When true, the wallet’s own balance of the asset stays in the wallet. When false, all of that balance on this network is deposited together with the withdrawn amount.',
        example: true,
      }),
  })
  .refine(...vaultHasMarket('from_protocol', 'from_market'))
  .refine(...vaultHasMarket('to_protocol', 'to_market'))
  .meta({ id: 'MigrateIntent' })

/** Moves a position from one yield market to another (interface.md, `plan/migrate`): two operations, one transaction. */
export const migrate = definePlan<z.infer<typeof schema>>({
  kind: 'migrate',
  path: 'migrate',
  summary: 'Plan a move from one yield protocol to another',
  description:
    'Builds a plan that withdraws from one market or vault and deposits exactly what came out into another one of the same network, in one transaction. `max` moves the whole position, including interest up to execution. Rewards are not claimed.',
  schema,
  example: {
    amount: '1000000',
    asset: 'USDC',
    from_protocol: 'compound',
    to_protocol: 'aave',
    network: 'base',
    migrate_only_supply_balances: true,
  },

  reads: (intent) => yieldReads(intent.from_protocol, intent.to_protocol),
  spends: ({ migrate_only_supply_balances, asset }) =>
    migrate_only_supply_balances ? [] : [asset],

  assets: marketAsset,

  build(intent, input) {
    const { amount, network } = intent
    const token = marketAsset(intent, input.book)
    const at = { network, token }
    const from = yieldMarket(input, intent.from_protocol, { ...at, market: intent.from_market })
    const to = yieldMarket(input, intent.to_protocol, { ...at, market: intent.to_market })
    if (from.address === to.address)
      throw new ServiceError(
        'plan_failed',
        `nothing to migrate: source and destination are both ${from.name} on ${network}`,
      )
    const held = networkStateOf(input, network).balances.get(token.symbol) ?? 0n
    const besides = intent.migrate_only_supply_balances ? 0n : held
    return {
      network,
      spends: besides > 0n ? [{ token, amount: besides }] : [],
      actions: [
        from.withdraw(amount),
        to.supply({
          received: amount === maxUint256 ? from.supplied : amount,
          besides,
        }),
      ],
    }
  },

  svcIntent: ({ migrate_only_supply_balances }, contexts, wallet) => ({
    intent_type: 'migrate_supplies',
    intent: {
      withdraw_intents: [withdrawIntent(contexts, wallet)],
      supply_intent: supplyIntent(contexts, wallet),
      migrate_only_supply_balances,
    },
  }),

  observe: observeYield,
})
