import { z } from 'zod'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { Token } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import { marketTokenOn } from '../assembly/funding.js'
import { tokenOn } from '../assembly/resolve.js'
import { type Claims, claimsOn, nothingToClaim, observeClaims } from '../markets/rewardClaims.js'
import { observeSwap, swapAction, swapProceeds, swapQuote } from '../markets/swapAction.js'
import {
  observeYield,
  vaultHasMarket,
  yieldMarket,
  yieldMarketField,
  yieldProtocolField,
  yieldReads,
} from '../markets/yield.js'
import { assetField, networkField } from '../model/fields.js'
import { type Action, definePlan, type PlanInput } from '../model/kind.js'
import { supplyIntent, swapIntents } from '../model/svcIntents.js'

const schema = z
  .object({
    asset: assetField('Supply asset to compound into.'),
    protocol: yieldProtocolField(),
    network: networkField,
    reward_assets: z
      .array(assetField('Reward asset to claim.', 'COMP'), {
        error: 'must be an array of reward asset symbols such as ["COMP"]',
      })
      .min(1, { error: 'must name at least one reward asset, such as ["COMP"]' })
      .max(32, { error: 'must name 32 reward assets at most' })
      .meta({ description: 'Reward assets to claim, each once.', example: ['COMP'] }),
    market: yieldMarketField(),
  })
  .refine(...vaultHasMarket())
  .meta({ id: 'ReinvestRewardsIntent' })

type ReinvestIntent = z.infer<typeof schema>

/**
 * `plan/reinvest_rewards` of interface.md: claims, swaps and supplies exactly the proceeds in one transaction. A swap sells what was owed when
 * the plan was made. What a Comet market owes beyond that at execution stays in the wallet, unless the reward is the supply asset.
 */
export const reinvestRewards = definePlan<ReinvestIntent>({
  kind: 'reinvestRewards',
  path: 'reinvest_rewards',
  summary: 'Plan to claim rewards and deposit them',
  description:
    'Builds a plan that claims reward assets on one network, swaps each into the supply asset (less 0.15 %) and deposits all of it, in one transaction. If a reward asset has nothing to claim there, the request returns `plan_failed`. A reward asset that is the supply asset is not swapped.',
  schema,
  example: { asset: 'USDC', protocol: 'compound', network: 'base', reward_assets: ['COMP'] },

  reads: (intent) => [
    ...new Set([...yieldReads(intent.protocol), 'comet' as const, 'morphoRewards' as const]),
  ],

  readsAllAssets: true,
  buys: (intent) => [intent.asset],

  assets: tokensOf,

  check(intent, world) {
    const { network, market, protocol } = intent
    const { supply, rewards } = tokensOf(intent, world.book)
    for (const reward of rewards)
      if (claimsOn(world, network, reward.symbol).amount === 0n)
        throw nothingToClaim(world, [network], reward.symbol)
    yieldMarket({ ...world, quotes: [] }, protocol, { network, token: supply, market })
  },

  quotesFrom(intent, world) {
    const { network } = intent
    const { supply: buy, swapped } = tokensOf(intent, world.book)
    return swapped.map((sell) => {
      const sellAmount = claimsOn(world, network, sell.symbol).amount
      return swapQuote({ network, sell, buy, sellAmount }, world.wallet)
    })
  },

  build(intent, input) {
    const { network, market, protocol } = intent
    const { supply } = tokensOf(intent, input.book)
    const legs = legsOf(intent, input)
    const received = legs.reduce((sum, leg) => sum + leg.received, 0n)
    const venue = yieldMarket(input, protocol, { network, token: supply, market })
    return {
      network,
      spends: [],
      actions: [...legs.flatMap((leg) => leg.actions), venue.supply({ received, besides: 0n })],
    }
  },

  svcIntent: ({ reward_assets }, contexts, wallet) => ({
    intent_type: 'compounder',
    intent: {
      claim_rewards_intents: reward_assets.map((asset_symbol) => ({
        claimer: wallet,
        asset_symbol,
      })),
      swap_intents: swapIntents(contexts, wallet),
      supply_intent: supplyIntent(contexts, wallet),
    },
  }),

  observe: (context, logs, book) => [
    ...observeClaims(context, logs, book),
    ...observeSwap(context, logs, book),
    ...observeYield(context, logs, book),
  ],
})

/** For each reward asset its claim, its swap if it needs one, and how much of the supply asset that should bring. */
function legsOf(
  intent: ReinvestIntent,
  input: PlanInput,
): { actions: Action[]; received: bigint }[] {
  const { network } = intent
  const { supply: buy, rewards, swapped } = tokensOf(intent, input.book)
  return rewards.map((sell) => {
    const claims: Claims = claimsOn(input, network, sell.symbol)
    const index = swapped.indexOf(sell)
    if (index < 0) return { actions: claims.actions, received: claims.amount }
    const quote = input.quotes[index]!
    const swap = swapAction(input, { network, sell, buy, quote })
    return { actions: [...claims.actions, swap], received: swapProceeds(quote) }
  })
}

/** The token that is supplied, the rewards, and those of them that must be swapped for it. */
function tokensOf(
  { asset, network, reward_assets }: ReinvestIntent,
  book: AddressBook,
): { supply: Token; rewards: Token[]; swapped: Token[] } {
  const supply = marketTokenOn(book, network, asset, 'asset')
  const rewards = reward_assets.map((symbol, i) =>
    tokenOn(book, network, symbol, `reward_assets.${i}`),
  )
  const repeated = rewards.findIndex((token, i) => rewards.indexOf(token) !== i)
  if (repeated >= 0)
    throw new ServiceError(
      'invalid_params',
      `reward_assets.${repeated}: ${JSON.stringify(reward_assets[repeated])} is listed twice; list each reward asset once`,
    )
  return { supply, rewards, swapped: rewards.filter((token) => token.address !== supply.address) }
}
