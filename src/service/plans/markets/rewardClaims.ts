import type { Address, Hex } from 'viem'
import { encodeFunctionData, toEventSelector } from 'viem/utils'
import type { Log } from '../../../chain/rpc/node.js'
import type { NetworkState } from '../../../chain/state/networkState.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { NetworkName } from '../../../deployments/networks.js'
import { cometClaimRewardsAbi, morphoClaimRewardsAbi } from '../../../generated/abis.js'
import { ServiceError } from '../../../lib/errors.js'
import { networkStateOf, priceOf } from '../assembly/resolve.js'
import type { ActionContext, ContextOf } from '../model/contexts.js'
import type { Action, PlanInput } from '../model/kind.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { amountEvent, logsOf } from '../observe/logs.js'

/** Claims of one reward asset on one network: an action for each contract that pays it, and what they are expected to pay. */
export interface Claims {
  actions: Action[]
  /** As of the reading; rewards of Comet markets grow until the claim is executed. */
  amount: bigint
}

/** Claims everything that Comet markets and the rewards distributor owe the wallet of an asset on one network. */
export function claimsOn(
  input: Omit<PlanInput, 'quotes'>,
  network: NetworkName,
  symbol: string,
): Claims {
  const byProtocol = [cometClaim(input, network, symbol), morphoClaim(input, network, symbol)]
  const claims = byProtocol.filter((claim) => claim !== undefined)
  return {
    actions: claims.map(({ action }) => action),
    amount: claims.reduce((sum, { amount }) => sum + amount, 0n),
  }
}

/** `plan_failed`: nothing of an asset can be claimed on these networks. Says so when rewards are only locked yet. */
export function nothingToClaim(
  { states }: Pick<PlanInput, 'states'>,
  networks: readonly NetworkName[],
  symbol: string,
): ServiceError {
  const where = networks.length === 1 ? networks[0]! : 'any network'
  const locked = networks.filter((network) => hasLocked(states.get(network), symbol))
  return new ServiceError(
    'plan_failed',
    `no claimable rewards found: nothing owes ${symbol} to the wallet on ${where}`,
    locked.length === 0
      ? {}
      : {
          hint: `the ${symbol} that the wallet has earned on ${locked.join(', ')} is locked until the next root is posted: one hour after the previous root, at the next request`,
        },
  )
}

function hasLocked(networkState: NetworkState | undefined, symbol: string): boolean {
  const state = networkState?.morphoRewards
  return state?.rewards.symbol === symbol && state.earned > state.claimed
}

interface Claim {
  action: Action
  amount: bigint
}

/** One operation for all Comet markets of the network in which the wallet has a position that earns this reward. */
function cometClaim(
  input: Omit<PlanInput, 'quotes'>,
  network: NetworkName,
  symbol: string,
): Claim | undefined {
  const networkState = networkStateOf(input, network)
  // By position and not by amount: rewards grow with time, and time must not change the plan.
  const owing = networkState.comets.filter(
    ({ market, supplied, borrowed, rewardOwed }) =>
      market.rewardSymbol === symbol && supplied + borrowed + rewardOwed > 0n,
  )
  if (owing.length === 0) return undefined
  const { cometRewards } = input.book.on(network)
  const { address } = input.book.token(network, symbol)!
  const args = [cometRewards, address, owing.map(({ market }) => market.address)] as const
  return claimOf(input, network, symbol, {
    amount: owing.reduce((sum, { rewardOwed }) => sum + rewardOwed, 0n),
    script: input.scripts.cometClaimRewards,
    calldata: encodeFunctionData({ abi: cometClaimRewardsAbi, functionName: 'claim', args }),
  })
}

/** What the distributor's newest root let the wallet claim when the plan was made. */
function morphoClaim(
  input: Omit<PlanInput, 'quotes'>,
  network: NetworkName,
  symbol: string,
): Claim | undefined {
  const offer = input.rewards.find((each) => each.network === network && each.symbol === symbol)
  if (!offer) return undefined
  const { distributor, token, claimable, claimed, proof } = offer
  const args = [distributor, token, claimable, proof] as const
  return claimOf(input, network, symbol, {
    amount: claimable - claimed,
    script: input.scripts.morphoClaimRewards,
    calldata: encodeFunctionData({ abi: morphoClaimRewardsAbi, functionName: 'claim', args }),
  })
}

function claimOf(
  input: Omit<PlanInput, 'quotes'>,
  network: NetworkName,
  symbol: string,
  { amount: owed, ...call }: { amount: bigint; script: Address; calldata: Hex },
): Claim {
  const token = input.book.token(network, symbol)!
  const amount = owed.toString()
  const context: ContextOf<'CLAIM_REWARDS'> = {
    action_type: 'CLAIM_REWARDS',
    amount,
    amounts: [amount],
    asset_symbol: token.symbol,
    asset_symbols: [token.symbol],
    chain_id: input.book.on(network).chainId.toString(),
    prices: [priceOf(networkStateOf(input, network), token).toString()],
    tokens: [token.address],
  }
  return { action: { network, ...call, context }, amount: owed }
}

const cometTopic = toEventSelector('RewardClaimed(address,address,address,uint256)')
const morphoTopic = toEventSelector('Claimed(address,address,uint256)')

/** What the claims of the context's asset paid: one event for each payment. */
export function observeClaims(
  context: ActionContext,
  logs: readonly Log[],
  book: NetworkBook,
): SemanticEvent[] {
  if (context.action_type !== 'CLAIM_REWARDS') return []
  const token = context.tokens[0]!
  const price = context.prices[0]!
  const paid = <Type extends 'comet_claim_reward' | 'morpho_claim_reward'>(
    eventType: Type,
    contract: Address | undefined,
    topic: Hex,
  ) => {
    if (!contract) return []
    const fields = { token, rewards_contract: contract }
    return (
      logsOf(logs, contract, topic)
        // The last indexed field of both events is the token.
        .filter((log) => log.topics.at(-1)!.endsWith(token.slice(2)))
        .map((log) => {
          const worth = { amount: BigInt(log.data), price }
          return amountEvent(eventType, [log], book, worth, fields)
        })
    )
  }
  return [
    ...paid('comet_claim_reward', book.cometRewards, cometTopic),
    ...paid('morpho_claim_reward', book.morphoRewards?.distributor, morphoTopic),
  ]
}
