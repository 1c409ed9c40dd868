import { z } from 'zod'
import { marketAsset } from '../assembly/funding.js'
import {
  observeYield,
  protocolOrMorphoField,
  vaultHasMarket,
  yieldMarket,
  yieldMarketField,
  yieldReads,
} from '../markets/yield.js'
import { amountOrMax, assetField, networkField } from '../model/fields.js'
import { definePlan } from '../model/kind.js'
import { withdrawIntent } from '../model/svcIntents.js'

const schema = z
  .object({
    amount: amountOrMax('Amount to withdraw, in the asset’s smallest unit.'),
    asset: assetField('Asset to withdraw.'),
    network: networkField,
    protocol: protocolOrMorphoField(
      'the vault of the asset in which the wallet has a position (`plan_failed` if there are several)',
    ),
    market: yieldMarketField(),
  })
  .refine(...vaultHasMarket())
  .meta({ id: 'WithdrawIntent' })

/** Withdraws from a yield position (interface.md, `plan/withdraw`): from that market on that network only. */
export const withdraw = definePlan<z.infer<typeof schema>>({
  kind: 'withdraw',
  path: 'withdraw',
  summary: 'Plan a withdrawal from a yield position',
  description:
    'Builds a plan that withdraws an asset from a lending market or vault of the network to the wallet; a native asset arrives in its wrapped form. `max` withdraws the whole position, including interest up to execution.',
  schema,
  example: { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' },
  digestOnly: true,

  reads: (intent) => yieldReads(intent.protocol),

  assets: marketAsset,

  build(intent, input) {
    const { network } = intent
    const token = marketAsset(intent, input.book)
    const market = yieldMarket(input, intent.protocol, {
      network,
      token,
      market: intent.market,
      isWithdrawal: true,
    })
    return { network, spends: [], actions: [market.withdraw(intent.amount)] }
  },

  svcIntent: (_intent, contexts, wallet) => ({
    intent_type: 'withdraw',
    intent: withdrawIntent(contexts, wallet),
  }),

  observe: observeYield,
})
