import type { Address } from 'viem'
import { encodeFunctionData, formatUnits } from 'viem/utils'
import type { AddressBook, NetworkBook } from '../../../deployments/addressBook.js'
import { type NetworkName, networkNames, type Token } from '../../../deployments/networks.js'
import { acrossDepositAbi, wrapAbi } from '../../../generated/abis.js'
import { ServiceError } from '../../../lib/errors.js'
import { type BridgeHint, bridgeHint, bridgeInput, bridgeOutput } from '../../bridge/hints.js'
import type { Shortfall } from '../../context/requestContext.js'
import { larger, maxUint256, smaller } from '../model/fields.js'
import type { Action, Draft, PlanInput, PlanSpend, Spend } from '../model/kind.js'
import { leftOutNote, networkStateOf, priceOf, type Readable, tokenOn } from './resolve.js'

/** A bridge leg: `input` leaves the wallet on `hint.from`, `output` arrives on `hint.to`. */
interface Leg {
  hint: BridgeHint
  input: bigint
  output: bigint
}

/** The wrapped form of the native token, or the native token of its wrapped form; undefined for any other token. */
export function otherForm(book: NetworkBook, token: Token): Token | undefined {
  if (token.native) return book.tokens.find((t) => t.symbol === book.wrappedNativeSymbol)
  if (token.symbol === book.wrappedNativeSymbol) return book.tokens.find((t) => t.native)
  return undefined
}

/** The token in which markets deal in the requested asset: the wrapped form of a native one. 400 `invalid_params` for an unknown asset. */
export function marketTokenOn(
  book: AddressBook,
  network: NetworkName,
  symbol: string,
  field: string,
): Token {
  const token = tokenOn(book, network, symbol, field)
  return (token.native && otherForm(book.on(network), token)) || token
}

export function marketAsset(
  { network, asset }: { network: NetworkName; asset: string },
  book: AddressBook,
): Token {
  return marketTokenOn(book, network, asset, 'asset')
}

/** The form in which a bridge delivers either: the native one, instead of its wrapped form, to a wallet without code. */
export function arrivingAs(book: NetworkBook, token: Token, isDeployed: boolean): Token {
  const other = otherForm(book, token)
  return other && token.native === isDeployed ? other : token
}

/** The symbol under which a token can be bridged (ETH travels as WETH), or undefined. */
function bridgeSymbol(token: Token): 'USDC' | 'WETH' | undefined {
  if (token.symbol === 'USDC' || token.symbol === 'WETH') return token.symbol
  return token.native && token.symbol === 'ETH' ? 'WETH' : undefined
}

/** ETH travels between networks as WETH, which on some of them is not its wrapped form. */
const ether = ['ETH', 'WETH']

/** These symbols in upper case, and those under which their tokens are bridged. */
export function withOtherForms(symbols: readonly string[]): string[] {
  const named = symbols.map((symbol) => symbol.toUpperCase())
  return [...new Set([...named, ...(ether.some((each) => named.includes(each)) ? ether : [])])]
}

/** What the wallet holds of a token on a network, native and wrapped form together. */
export function held(input: Readable, network: NetworkName, token: Token): bigint {
  const { balances } = networkStateOf(input, network)
  const other = otherForm(input.book.on(network), token)
  return (balances.get(token.symbol) ?? 0n) + (other ? (balances.get(other.symbol) ?? 0n) : 0n)
}

/** The routes that could bring the token to the network, the cheapest first, with what the wallet could put into each. */
export function routes(input: Readable, network: NetworkName, token: Token) {
  const symbol = bridgeSymbol(token)
  if (!symbol) return []
  return networkNames
    .flatMap((from) => {
      const hint = bridgeHint(from, network, symbol)
      const source = input.book.token(from, symbol)
      if (!hint || !source || !hasBridge(input, from) || !hasBridge(input, network)) return []
      const balance = held(input, from, source)
      const sent = smaller(balance, hint.maxAmount)
      return sent < hint.minAmount ? [] : [{ hint, input: sent, output: bridgeOutput(hint, sent) }]
    })
    .filter((route) => route.output > 0n)
    .sort((a, b) => compare(costOf(a), costOf(b)))
}

/** A fork may lack the spoke pool. */
function hasBridge({ book }: Readable, network: NetworkName): boolean {
  return !book.on(network).leftOut.some(({ protocol }) => protocol === 'across')
}

function costOf({ input, output }: Leg): bigint {
  // Cost per unit delivered, scaled so that integers can be compared.
  return ((input - output) * 10n ** 18n) / output
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** How much of a token can be brought to a network: its own funds, native and wrapped form together, and what bridges deliver of the others'. */
export function deliverable(input: Readable, network: NetworkName, token: Token): bigint {
  return routes(input, network, token).reduce(
    (sum, route) => sum + route.output,
    held(input, network, token),
  )
}

/** Whether this much can be brought there. Reads other networks only when the target's own funds are short. */
export function canDeliver(
  input: Readable,
  network: NetworkName,
  token: Token,
  amount: bigint,
): boolean {
  return held(input, network, token) >= amount || deliverable(input, network, token) >= amount
}

/** The asked amount, or everything deliverable when everything was asked. Nothing to deliver is `plan_failed`. */
export function amountOrDeliverable(
  input: Readable,
  network: NetworkName,
  token: Token,
  requested: bigint,
): bigint {
  if (requested !== maxUint256) return requested
  const available = deliverable(input, network, token)
  if (available > 0n) return available
  throw new InsufficientFunds(
    `insufficient resources: everything was asked of ${token.symbol} on ${network}, and nothing can be delivered there`,
    { network, token, needs: undefined, available },
    `fund the wallet with ${token.symbol} on ${network} and create the plan again`,
  )
}

/** What cannot be brought to a network, in smallest units. `needs` is absent where everything there is was asked for. */
interface Lacking {
  network: NetworkName
  token: Token
  needs: bigint | undefined
  available: bigint
}

/** `plan_failed`: more is to be spent of a token than can be brought to a network. */
export class InsufficientFunds extends ServiceError {
  readonly lacking: Lacking

  constructor(message: string, lacking: Lacking, hint?: string) {
    super('plan_failed', message, hint === undefined ? {} : { hint })
    this.lacking = lacking
  }
}

export function unitsOf(amount: bigint, { symbol, decimals }: Token): string {
  return `${formatUnits(amount, decimals)} ${symbol}`
}

/** What the account lacks when this error is for want of funds; undefined for all others. A plan that was made before `spends` so much. */
export function shortfallOf(
  error: unknown,
  accountId: string,
  spends: readonly PlanSpend[] = [],
): Shortfall | undefined {
  if (!(error instanceof InsufficientFunds))
    return error instanceof ServiceError && error.cause
      ? shortfallOf(error.cause, accountId, spends)
      : undefined
  const { network, token, available } = error.lacking
  const spent = spends.find((each) => each.network === network && each.symbol === token.symbol)
  const needs = error.lacking.needs ?? BigInt(spent?.amount ?? 0)
  const missing = needs - available
  if (missing <= 0n) return undefined
  return {
    account_id: accountId,
    network,
    asset: token.symbol,
    needs: unitsOf(needs, token),
    available: unitsOf(available, token),
    missing: unitsOf(missing, token),
    amount: missing.toString(),
  }
}

interface FundedDraft {
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
 * Covers everything that the draft spends: first with the target network's own funds, then with bridges, the cheapest first; wraps or unwraps
 * where the wallet has the other form. Pure. If the total is too small, throws `plan_failed` with what could be delivered.
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
  return new InsufficientFunds(
    `insufficient resources of ${token.symbol} on ${network}: target ${target}, max ${max}${leftOutNote(networkStateOf(input, network), 'across', {})}${note}`,
    { network, token, needs: target, available: max },
    `${unitsOf(max, token)} can be brought to ${network} from all networks after bridge costs; fund the wallet ${input.wallet} or request less`,
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
 * Wraps or unwraps the missing amount of a token that has two forms. After a bridge the action is always there: the form in which the fill
 * arrives depends on whether the wallet is deployed by then. The script turns only what is missing, so the amount is an estimate and may be 0.
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
