import { z } from 'zod'
import { amountOrDeliverable, marketAsset } from '../assembly/funding.js'
import {
  observeYield,
  protocolOrMorphoField,
  vaultHasMarket,
  yieldMarket,
  yieldMarketField,
  yieldReads,
} from '../markets/yield.js'
import { amountOrMax, assetField, maxUint256, networkField } from '../model/fields.js'
import { definePlan } from '../model/kind.js'
import { supplyIntent } from '../model/svcIntents.js'

const schema = z
  .object({
    amount: amountOrMax('Amount to deposit, in the asset’s smallest unit.'),
    asset: assetField('Asset to deposit.'),
    network: networkField,
    protocol: protocolOrMorphoField('the first vault of the asset in `GET /markets`'),
    market: yieldMarketField(),
  })
  .refine(...vaultHasMarket())
  .meta({ id: 'EarnIntent' })

/** Deposits into a yield protocol (interface.md, `plan/earn`): a Comet market, an Aave reserve or a vault. */
export const earn = definePlan<z.infer<typeof schema>>({
  kind: 'earn',
  path: 'earn',
  summary: 'Plan a deposit into a yield protocol',
  description:
    'Builds a plan that supplies an asset to a lending market or vault of the target network; a native asset is wrapped first.',
  schema,
  example: { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' },

  reads: (intent) => yieldReads(intent.protocol),

  spends: (intent) => [intent.asset],

  assets: marketAsset,

  build(intent, input) {
    const { network } = intent
    const token = marketAsset(intent, input.book)
    const market = yieldMarket(input, intent.protocol, { network, token, market: intent.market })
    const amount = amountOrDeliverable(input, network, token, intent.amount)
    return {
      network,
      spends: [{ token, amount }],
      actions: [market.supply({ amount, isCapped: intent.amount === maxUint256 })],
    }
  },

  svcIntent: (_intent, contexts, wallet) => ({
    intent_type: 'supply',
    intent: supplyIntent(contexts, wallet),
  }),

  observe: observeYield,
})
