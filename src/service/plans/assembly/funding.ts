import type { Address } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import type { NetworkName } from '../../../deployments/networks.js'
import type { Token } from '../../../deployments/token.js'
import { acrossDepositAbi, wrapAbi } from '../../../generated/abis.js'
import { ServiceError } from '../../../lib/errors.js'
import { type BridgeHint, bridgeInput, bridgeOutput } from '../../bridge/hints.js'
import { larger } from '../model/amount.js'
import type { Action, Draft, PlanInput, PlanSpend, Spend } from '../model/kind.js'
import { leftOutNote, networkStateOf, priceOf } from './resolve.js'
import { arrivingAs, deliverable, held, type Leg, otherForm, routes } from './sourcing.js'

/** The draft's own actions with what had to come before them. */
export interface FundedDraft {
  /** Actions that can run at once: those of other networks, and the target's own when nothing is bridged. */
  immediate: Action[]
  /** Actions that must wait for a bridge. */
  contingent: Action[]
  /** How much of the wallet's own funds that takes, and on the draft's network of what bridges bring as well. */
  spends: PlanSpend[]
}

/** Seconds after the plan's creation until which a deposit may be filled, and how old its quote is (service-facts 9.10). */
const fillWindow = 600
const quoteAge = 30

/**
 * Provides for everything the draft spends: the target network's own funds first, then bridges for the shortfall, the
 * cheapest first; wraps or unwraps where the wallet has the other form. Pure. Not enough in total is `plan_failed`, naming what
 * could have been delivered.
 */
export function sourceFunds(draft: Draft, input: PlanInput, issuedAt: number): FundedDraft {
  const before: Action[] = []
  const after: Action[] = []
  const spends: PlanSpend[] = []
  let bridged = false
  const spend = (network: NetworkName, symbol: string, amount: bigint): void => {
    spends.push({ network, symbol, amount: amount.toString() })
  }
  for (const { token, amount } of merged(draft.spends)) {
    const legs = legsFor(input, draft.network, token, amount)
    for (const leg of legs) {
      before.push(...legActions(leg, input, issuedAt))
      spend(leg.hint.from, leg.hint.symbol, leg.input)
    }
    spend(draft.network, token.symbol, amount)
    const other = wrapAction(input, draft.network, token, amount, legs)
    if (other) after.push(other)
    bridged ||= legs.length > 0
  }
  const target = [...after, ...draft.actions]
  return bridged
    ? { immediate: before, contingent: target, spends }
    : { immediate: target, contingent: [], spends }
}

/** Spends of one token are one spend. */
function merged(spends: readonly Spend[]): Spend[] {
  const byToken = new Map<Address, Spend>()
  for (const spend of spends) {
    const sum = byToken.get(spend.token.address)?.amount ?? 0n
    byToken.set(spend.token.address, { token: spend.token, amount: sum + spend.amount })
  }
  return [...byToken.values()]
}

function legsFor(input: PlanInput, network: NetworkName, token: Token, amount: bigint): Leg[] {
  const own = held(input, network, token)
  let missing = amount - own
  if (missing <= 0n) return []
  const legs: Leg[] = []
  for (const route of routes(input, network, token)) {
    if (missing <= 0n) break
    const leg = route.output <= missing ? route : exactLeg(route.hint, missing)
    legs.push(leg)
    missing -= leg.output
  }
  if (missing > 0n) throw insufficient(input, network, token, amount)
  return legs
}

/** The smallest leg that delivers at least `output`: never below what the bridge accepts. */
function exactLeg(hint: BridgeHint, output: bigint): Leg {
  const input = larger(bridgeInput(hint, output), hint.minAmount)
  return { hint, input, output: bridgeOutput(hint, input) }
}

/** `plan_failed`: so much of a token cannot be brought to the network. `note` says more, after a semicolon. */
export function insufficient(
  input: PlanInput,
  network: NetworkName,
  token: Token,
  target: bigint,
  { note = '' } = {},
): ServiceError {
  const max = deliverable(input, network, token)
  return new ServiceError(
    'plan_failed',
    `insufficient resources of ${token.symbol} on ${network}: target ${target}, max ${max}${leftOutNote(networkStateOf(input, network), 'across', {})}${note}`,
    {
      hint: `${max} of ${token.symbol} can be brought to ${network} from all networks after bridge costs; fund the wallet ${input.wallet} or request less`,
    },
  )
}

/** Bridges one leg: wraps what is missing of the wrapped token, then deposits for the same wallet on the target. */
function legActions({ hint, input, output }: Leg, world: PlanInput, issuedAt: number): Action[] {
  const book = world.book.on(hint.from)
  const source = world.book.token(hint.from, hint.symbol)!
  const arriving = world.book.token(hint.to, hint.symbol)!
  const wrap = wrapAction(world, hint.from, source, input, [])
  const destination = world.book.on(hint.to)
  const deposit: Action = {
    network: hint.from,
    script: world.scripts.acrossDeposit,
    calldata: encodeFunctionData({
      abi: acrossDepositAbi,
      functionName: 'deposit',
      args: [
        {
          spokePool: book.spokePool,
          inputToken: source.address,
          outputToken: arriving.address,
          inputAmount: input,
          outputAmount: output,
          destinationChainId: BigInt(destination.chainId),
          quoteTimestamp: issuedAt - quoteAge,
          fillDeadline: issuedAt + fillWindow,
        },
      ],
    }),
    context: {
      action_type: 'BRIDGE',
      amount: input.toString(),
      asset_symbol: source.symbol,
      bridge_type: 'ACROSS',
      chain_id: book.chainId.toString(),
      destination_asset_symbol: arrivingAs(
        destination,
        arriving,
        networkStateOf(world, hint.to).isDeployed,
      ).symbol,
      destination_chain_id: destination.chainId.toString(),
      input_amount: input.toString(),
      output_amount: output.toString(),
      price: priceOf(networkStateOf(world, hint.from), source).toString(),
      recipient: world.wallet,
      token: source.address,
    },
  }
  return wrap ? [wrap, deposit] : [deposit]
}

/**
 * Wraps or unwraps what is missing of a token that has two forms. After a bridge the action is always there: the fill arrives
 * wrapped or not depending on whether the wallet is deployed by then, and the script turns only what is really missing. Its
 * amount is what will be turned if nothing changes until then, which may be 0.
 */
function wrapAction(
  input: PlanInput,
  network: NetworkName,
  token: Token,
  amount: bigint,
  legs: readonly Leg[],
): Action | undefined {
  const book = input.book.on(network)
  const other = otherForm(book, token)
  if (!other) return undefined
  const { balances, isDeployed } = networkStateOf(input, network)
  const own = balances.get(token.symbol) ?? 0n
  if (own >= amount && legs.length === 0) return undefined
  const arriving = legs
    .filter(({ hint }) => {
      const bridged = input.book.token(network, hint.symbol)!
      return arrivingAs(book, bridged, isDeployed).symbol === token.symbol
    })
    .reduce((sum, leg) => sum + leg.output, 0n)
  const wrapper = token.native ? other : token
  return {
    network,
    script: input.scripts.wrap,
    calldata: encodeFunctionData({
      abi: wrapAbi,
      functionName: token.native ? 'ensureNative' : 'ensureWrapped',
      args: [wrapper.address, amount],
    }),
    context: {
      action_type: token.native ? 'UNWRAP' : 'WRAP',
      amount: larger(amount - own - arriving, 0n).toString(),
      asset_symbol: other.symbol,
      chain_id: book.chainId.toString(),
      from_asset_symbol: other.symbol,
      to_asset_symbol: token.symbol,
      token: wrapper.address,
    },
  }
}
