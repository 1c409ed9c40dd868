import { encodeFunctionData, toEventSelector } from 'viem/utils'
import { z } from 'zod'
import type { AddressBook } from '../chain/addressBook.js'
import { type NetworkName, networkNames } from '../chain/networks.js'
import { ServiceError } from '../errors.js'
import { cometClaimRewardsAbi } from '../generated/abis.js'
import { assetField } from './fields.js'
import { type Action, definePlan, type PlanWorld } from './kind.js'
import { amountEvent, logsOf } from './observe.js'
import { priceOf, snapshotOf } from './resolve.js'

const schema = z
  .object({ asset: assetField('Reward asset to claim.', 'COMP') })
  .meta({ id: 'ClaimRewardsIntent' })

const claimedTopic = toEventSelector('RewardClaimed(address,address,address,uint256)')

/**
 * Claims protocol rewards (interface.md, `plan/claim-rewards`): by reward asset, on every network and market where the wallet
 * has some. What is claimed is what is owed at the moment of execution.
 */
export const claimRewards = definePlan<z.infer<typeof schema>>({
  kind: 'claimRewards',
  path: 'claim-rewards',
  summary: 'Plan a claim of rewards',
  description:
    'Builds a plan that claims a reward asset on all networks where it is owed to the wallet, with one signature. Nothing to claim is `plan_failed`.',
  schema,
  example: { asset: 'COMP' },
  errors: ['invalid_params', 'plan_failed', 'no_wallet', 'timeout'],
  reads: ['comet'],

  networks(intent, book) {
    symbolOf(book, intent.asset)
    return networkNames
  },

  build(intent, world) {
    const symbol = symbolOf(world.book, intent.asset)
    const actions = networkNames.flatMap((network) => claimOn(world, network, symbol))
    if (actions.every(({ context }) => context.amount === '0'))
      throw new ServiceError(
        'plan_failed',
        `no claimable rewards found: no market owes ${symbol} to the wallet on any network`,
      )
    return { network: actions[0]!.network, spends: [], actions }
  },

  observe(context, logs, book) {
    const [token] = context.tokens as [string]
    const [price] = context.prices as [string]
    return logsOf(logs, book.cometRewards, claimedTopic).map((log) =>
      amountEvent('comet_claim_reward', [log], book, {
        token,
        amount: BigInt(log.data),
        price,
        rewards_contract: book.cometRewards,
      }),
    )
  },
})

function symbolOf(book: AddressBook, asked: string): string {
  const found = book.symbols().find((symbol) => symbol.toLowerCase() === asked.toLowerCase())
  if (found) return found
  throw new ServiceError(
    'invalid_params',
    `asset: ${JSON.stringify(asked)} is not a known asset; known are ${book.symbols().join(', ')}`,
  )
}

/** One operation for all markets of a network that owe this reward. */
function claimOn(world: PlanWorld, network: NetworkName, symbol: string): Action[] {
  const snapshot = snapshotOf(world, network)
  // By position, not by what is owed: rewards grow with time, and time must not change the plan.
  const owing = snapshot.comets.filter(
    ({ market, supplied, borrowed, rewardOwed }) =>
      market.rewardSymbol === symbol && supplied + borrowed + rewardOwed > 0n,
  )
  if (owing.length === 0) return []
  const book = world.book.on(network)
  const token = world.book.token(network, symbol)!
  const owed = owing.reduce((sum, state) => sum + state.rewardOwed, 0n).toString()
  const comets = owing.map((state) => state.market.address)
  return [
    {
      network,
      script: world.scripts.cometClaimRewards,
      calldata: encodeFunctionData({
        abi: cometClaimRewardsAbi,
        functionName: 'claim',
        args: [book.cometRewards, comets],
      }),
      context: {
        action_type: 'CLAIM_REWARDS',
        amount: owed,
        amounts: [owed],
        asset_symbol: symbol,
        asset_symbols: [symbol],
        chain_id: book.chainId.toString(),
        prices: [priceOf(snapshot, token).toString()],
        tokens: [token.address],
      },
    },
  ]
}
