import type { Address, Hex } from 'viem'
import type { ZodType } from 'zod'
import type { Log } from '../../../chain/rpc/node.js'
import type { Protocol } from '../../../chain/state/marketReads.js'
import type { NetworkState } from '../../../chain/state/networkState.js'
import type { Revert } from '../../../chain/transactions/revert.js'
import type { AddressBook, NetworkBook, SvcScripts } from '../../../deployments/addressBook.js'
import type { NetworkName, Token } from '../../../deployments/networks.js'
import type { ProblemCode } from '../../../lib/errors.js'
import type { Quote, QuoteRequest } from '../../aggregator/quote.js'
import type { RewardClaim } from '../../rewards/updater.js'
import type { ActionContext, PlannedContext } from './contexts.js'
import { namesIn } from './fields.js'
import type { SemanticEvent } from './semanticEvents.js'
import type { SvcIntent } from './svcIntents.js'

/** Everything a plan is built from. Read before, handed in whole: `build` does no I/O. */
export interface PlanInput {
  book: AddressBook
  scripts: SvcScripts
  wallet: Address
  states: ReadonlyMap<NetworkName, NetworkState>
  /** One per request that the kind's `quotes` asked for, in its order. */
  quotes: readonly Quote[]
  /** What rewards distributors let the wallet claim, on the networks that were read first. Kinds that read `morphoRewards` only. */
  rewards: readonly RewardClaim[]
  /** What the plan spent when it was made; absent for one that is being made. */
  spent?: readonly PlanSpend[]
  /** What it took out of a yield position then. */
  withdrawn?: bigint
}

/** Funds of the wallet that a plan spends on a network, of a token and its wrapped or native form together. */
export interface PlanSpend {
  network: NetworkName
  symbol: string
  /** In smallest units, as a decimal string. */
  amount: string
}

/** One thing the wallet does on one network: becomes one operation. */
export interface Action {
  network: NetworkName
  script: Address
  calldata: Hex
  context: PlannedContext
}

/** Funds that the wallet must hold on the plan's network before its first action. */
export interface Spend {
  token: Token
  amount: bigint
}

/** What a plan kind wants done; the planner sources the funds and turns the actions into operations. */
export interface Draft {
  network: NetworkName
  spends: Spend[]
  actions: Action[]
}

/** A kind of plan: one file each, listed in `index.ts`. */
export interface PlanKind<Intent = unknown> {
  kind: string
  /** Last segment of `POST /accounts/:account_id/plan/<path>`. */
  path: string
  summary: string
  description: string
  schema: ZodType<Intent>
  example: unknown
  /** Whether interface.md does not show its endpoint, or only alludes to it. */
  isExtension?: boolean
  /** `details.eip712_data` of this kind shows the digest only (interface.md, withdraw and transfer). */
  digestOnly?: boolean
  /** Protocols whose markets and positions `build` reads, by the request if need be; none when absent. */
  reads?: readonly Protocol[] | ((intent: Intent) => readonly Protocol[])
  /**
   * Whether `build` reads balances, prices and markets of every asset. Otherwise it sees those that the request names (fields made by
   * `assetField`), with ETH and WETH together.
   */
  readsAllAssets?: boolean
  /** Symbols of what the plan takes out of the wallet, wherever that comes from; nothing when absent. */
  spends?(intent: Intent): readonly string[]
  /** Symbols of what the plan gets at the price of a quote; nothing when absent. */
  buys?(intent: Intent): readonly string[]
  /** Looks up the assets of the request. Throws `ServiceError` for an unknown one. */
  assets(intent: Intent, book: AddressBook): unknown
  /** Networks whose snapshot the plan needs; the one that the request names when absent. */
  networks?: readonly NetworkName[]
  quotes?(intent: Intent, book: AddressBook, wallet: Address): readonly QuoteRequest[]
  /** Pure. More quotes, which depend on the readings, after those of `quotes`. */
  quotesFrom?(intent: Intent, input: Omit<PlanInput, 'quotes'>): readonly QuoteRequest[]
  /** Pure. Refuses what no quote could mend, so that a missing quote does not hide a missing balance. */
  check?(intent: Intent, input: Omit<PlanInput, 'quotes'>): void
  /** A hint on a request that can be carried out and that its sender can hardly mean; undefined when there is nothing to say. */
  doubt?(intent: Intent): string | undefined
  /** Pure. Throws `ServiceError` `plan_failed` when the input does not allow the plan. */
  build(intent: Intent, input: PlanInput): Draft
  /** Which bound of the request a simulated revert of the plan is about, and what to do; undefined when the reason says it all. */
  explain?(revert: Revert, intent: Intent, book: AddressBook): string | undefined
  /** What the executed plan was asked for, in the words of newer clients: from the intent and the contexts of its operations. */
  svcIntent(intent: Intent, contexts: readonly ActionContext[], wallet: Address): SvcIntent
  /** What an executed action did, read from the logs of its transaction. */
  observe(context: ActionContext, logs: readonly Log[], book: NetworkBook): SemanticEvent[]
}

export function asksQuotes({
  quotes,
  quotesFrom,
}: Pick<PlanKind, 'quotes' | 'quotesFrom'>): boolean {
  return quotes !== undefined || quotesFrom !== undefined
}

/** The codes that plans of this kind can answer besides those every authenticated route has. */
export function planCodes(kind: Pick<PlanKind, 'quotes' | 'quotesFrom'>): readonly ProblemCode[] {
  const all = ['invalid_params', 'plan_failed', 'no_wallet', 'timeout'] as const
  return asksQuotes(kind) ? [...all, 'swap_quote_failed'] : all
}

/** Networks whose snapshot the plan needs. Throws `ServiceError` for an asset that is not there. */
export function networksOf(
  { assets, networks, schema }: PlanKind,
  intent: unknown,
  book: AddressBook,
): readonly NetworkName[] {
  assets(intent, book)
  return networks ?? (namesIn('network', schema, intent) as NetworkName[])
}

/** Names the intent's type once; the register holds kinds of any intent. */
export function definePlan<Intent>(kind: PlanKind<Intent>): PlanKind {
  return kind as PlanKind
}

export function kindOf({ kinds }: { kinds: readonly PlanKind[] }, name: string): PlanKind {
  const kind = kinds.find((candidate) => candidate.kind === name)
  if (!kind) throw new Error(`unknown plan kind ${name}`)
  return kind
}
