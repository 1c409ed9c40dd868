import { z } from 'zod'
import type { AddressBook } from '../../../deployments/addressBook.js'
import { networkNames } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import { claimsOn, nothingToClaim, observeClaims } from '../markets/rewardClaims.js'
import { assetField } from '../model/fields.js'
import { definePlan } from '../model/kind.js'

const schema = z
  .object({ asset: assetField('Reward asset to claim.', 'COMP') })
  .meta({ id: 'ClaimRewardsIntent' })

/**
 * `plan/claim-rewards` of interface.md: by reward asset, on every network where Comet markets or a rewards distributor owe the wallet some. A
 * market pays what it owes at execution, a distributor what its newest root said when the plan was made.
 */
export const claimRewards = definePlan<z.infer<typeof schema>>({
  kind: 'claimRewards',
  path: 'claim-rewards',
  summary: 'Plan a claim of rewards',
  description:
    'Builds a plan that claims a reward asset on all networks where it is owed to the wallet, with one signature: COMP of Comet markets, MORPHO of Morpho vaults. If there is nothing to claim, the request returns `plan_failed`.',
  schema,
  example: { asset: 'COMP' },
  reads: ['comet', 'morphoRewards'],
  readsAllAssets: true,

  assets: ({ asset }, book) => symbolOf(book, asset),
  networks: networkNames,

  build(intent, input) {
    const symbol = symbolOf(input.book, intent.asset)
    const claims = networkNames.map((network) => claimsOn(input, network, symbol))
    if (claims.every(({ amount }) => amount === 0n))
      throw nothingToClaim(input, networkNames, symbol)
    const actions = claims.flatMap((claim) => claim.actions)
    return { network: actions[0]!.network, spends: [], actions }
  },

  svcIntent: ({ asset }, _contexts, claimer) => ({
    intent_type: 'claim_rewards',
    intent: { claimer, asset_symbol: asset },
  }),

  observe: observeClaims,
})

function symbolOf(book: AddressBook, asset: string): string {
  const knownSymbol = book.symbols().find((symbol) => symbol.toLowerCase() === asset.toLowerCase())
  if (knownSymbol) return knownSymbol
  throw new ServiceError(
    'invalid_params',
    `asset: ${JSON.stringify(asset)} is not a known asset; known are ${book.symbols().join(', ')}`,
  )
}
