import { AsyncLocalStorage } from 'node:async_hooks'
import type { Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import type { Author } from './changes.js'

/**
 * An event on behalf of a request: its `type` and its facts, JSON only, amounts as decimal strings. The journal records it and `why` shows it.
 */
export type Note =
  | PlanNote
  | ExpiryNote
  | SignatureNote
  | MissignedNote
  | ActivityNote
  | TransactionNote
  | BridgeNote
  | EventNote
  | DeliveryNote
  | FaultNote
  | RuleEndNote
  | ReleaseNote
  | StaleNote
  | ShortNote
  | BeyondNote
  | RpcNote

interface PlanNote {
  type: 'plan'
  plan_id: string
  account_id: string
  kind: string
  digest: Hex
  expires_at: string
  operations: readonly NotedOperation[]
}

/** A fault rule ended a plan before its time. */
interface ExpiryNote {
  type: 'expiry'
  plan_id: string
  at: string
  rule: string
  effect: string
  carried?: true
}

interface SignatureNote {
  type: 'signature'
  plan_id: string
  signer: Hex
}

/** The wallet refused the signature as its client sent it: it has to be that of `signer`. */
interface MissignedNote {
  type: 'missigned'
  plan_id: string
  signer: Hex
}

interface ActivityNote {
  type: 'activity'
  activity_id: string
  plan_id: string
  svc_intent_id: string | null
  status: 'pending'
}

type TransactionNote = {
  type: 'transaction'
  activity_id: string
  network: NetworkName
} & (
  | { status: 'sent'; hash: Hex }
  /** A fault rule took it out of the node's pool. The service notices that at `until`. */
  | { status: 'dropped'; hash: Hex; until: string }
  | (MinedFacts & { status: 'mined'; logs: readonly NotedLog[] })
  /** `stopped_by`: the rules that kept it from being mined before it expired. */
  | (MinedFacts & {
      status: 'reverted'
      reason: string
      stopped_by?: readonly { rule: string; effect: string }[]
    })
  | { status: 'not mined'; operations: readonly NotedOperation[]; reason: string }
)

interface MinedFacts {
  hash: Hex
  block: number
  gas_used: string
  operations: readonly NotedOperation[]
}

type BridgeNote = {
  type: 'bridge'
  activity_id: string
  from: NetworkName
  to: NetworkName
  deposit_id: string
  input_amount: string
  /** What arrived; of a failed bridge, what was to. */
  output_amount: string
} & (
  | { status: 'filled'; hash: Hex }
  | { status: 'filled in part'; hash: Hex; partial: PartialFill }
  /**
   * `refund` is the transaction that sent the deposit back; absent where none could. `held_by`: the rules that kept it from being filled;
   * `stopped_by`: those that kept its network from mining the fill in time, or that of its deposit.
   */
  | {
      status: 'failed'
      reason: string
      refund?: Hex
      held_by?: readonly string[]
      stopped_by?: readonly { rule: string; effect: string; of?: 'deposit' }[]
    }
)

/** A bridge delivered less than its deposit says. Amounts are as people read them. */
export interface PartialFill {
  sent: string
  expected: string
  arrived: string
  missing: string
}

/** An event of an account is durable. */
interface EventNote {
  type: 'event'
  account_id: string
  cursor: number
  activity_id: string
  activity_type: string
  activity_status: string
}

/** An event was delivered, where a fault came between the account and its events. */
interface DeliveryNote {
  type: 'delivery'
  account_id: string
  /** Of the event note. */
  of: number
  /** Under which it was delivered. */
  cursor: number
  activity_id: string
  activity_status: string
}

/** A fault rule fired. */
export interface FiredFault {
  type: 'fault'
  rule: string
  effect: string
  /** The request had the rule in its header; absent for the rules of the simulator. */
  carried?: true
  /** As they are in force; absent for an effect that has none. */
  settings?: object
  /** The only network that the rule is for. */
  only?: string
  /** The cursor of the event that it met, and its account. */
  event?: number
  account_id?: string
}

type FaultNote =
  | FiredFault
  /** `fallen` is the transaction that is in none of the new blocks. */
  | {
      type: 'fault'
      rule: string
      network: NetworkName
      replaced: readonly Hex[]
      fallen?: Hex
    }

/** A rule that the request had added, or that it was the first to meet, ended by itself. */
interface RuleEndNote {
  type: 'rule_end'
  rule: string
}

/** A fault rule no longer holds a transaction in the node's pool: its time is over, or it was removed. */
interface ReleaseNote {
  type: 'release'
  rule: string
  effect: string
  activity_id: string
  network: NetworkName
  hash: Hex
}

interface RpcNote {
  type: 'rpc'
  network: NetworkName
  method: string
  sender?: string
  hash?: Hex
}

/** A plan was not made, for lack of funds. */
type ShortNote = { type: 'short' } & Shortfall

/** What an account lacks for a plan. */
export interface Shortfall {
  account_id: string
  network: NetworkName
  asset: string
  /** What the plan spends on the network, what can be brought there, and the difference, as people read them: `5 USDC`. */
  needs: string
  available: string
  missing: string
  /** What is missing, in smallest units. */
  amount: string
}

/** A plan was not made, since it asks more of a position than is there. */
type BeyondNote = { type: 'beyond' } & Excess

/** A request that asked for more than its position holds or the wallet owes. `asked` and `most` are texts such as `5 USDC`. */
export interface Excess {
  market: string
  limit: 'holds' | 'owes'
  asked: string
  most: string
}

/** Why a plan was refused as stale, or as expired before its time: the entry of the ledger that explains it, and what it changed. */
export interface StaleNote extends StaleCause {
  type: 'stale'
  plan_id: string
}

/** The actor and the change, as JSON. Times are ISO 8601; amounts are as people read them. */
export interface StaleCause {
  reason: string
  cause: Author['by'] | 'restore' | 'reset' | 'expired' | 'executed' | 'unknown'
  /** What changed, with its value before and after. */
  changed?: string
  before?: string
  after?: string
  /** Place in the ledger, when the culprit acted, and the request that made it act. */
  position?: number
  at?: string
  by_request?: string
  /** The other plan, its activity, and whether its wallet is another one. */
  by_plan?: string
  activity_id?: string
  is_other_wallet?: true
  /** Why the other plan took the nonce and did not use it. */
  failure?: string
  /** The wallet has other activities than this one that may have done what the plan was for. */
  has_others?: true
  /** What the other plan spent of the asset that is missing, as people read it. */
  spent?: string
  /** The client did not get the response to the execution of the other plan. */
  is_lost?: true
  /** The simulator ended before it knew whether the client got that response. */
  may_be_lost?: true
  rule?: string
  effect?: string
  /** A request had the rule in its header. */
  carried?: true
  network?: NetworkName | undefined
  method?: string
  sender?: string
  /** What the faucet gave. */
  asset?: string
  amount?: string
  snapshot?: string
  hashes?: readonly Hex[]
  /** What a new plan for the same request would lack. */
  short?: Shortfall
  /** The same request would be refused now, for the reason above. */
  is_refused?: true
  /** An activity under way is in the way, as the reason says. */
  is_under_way?: true
  /** What else moved the price of a swap against the plan, or took what it buys, by a share that mattered, the largest first. */
  also?: readonly Omit<StaleCause, 'reason'>[]
  /** What happened since the plan was made, where none of it explains the refusal. */
  since?: readonly string[]
}

interface NotedOperation {
  network: NetworkName
  nonce: Hex
  scriptAddress: Hex
  scriptCalldata: Hex
}

interface NotedLog {
  address: Hex
  topics: readonly Hex[]
  data: Hex
}

/** A note as it is kept: of one that is too large the lists are left out. */
export type RecordedNote = WithoutLists<Note>

type List = 'operations' | 'logs' | 'replaced' | 'hashes' | 'since' | 'also'
type WithoutLists<Each> = Each extends Note
  ? Omit<Each, List> & Partial<Pick<Each, List & keyof Each>>
  : never

/**
 * The request on whose behalf code runs. It follows every `await`, and the work that goes on after the response: relaying its transactions,
 * filling its bridges.
 */
export interface RequestScope {
  readonly requestId: string
  /** Its turn has come: what it waited for has happened before it. */
  begun?(): void
  /** What happened on behalf of the request, in order; the journal keeps it. */
  note(note: Note): void
  /** Cuts the connection without another byte; a no-op when the answer is out. */
  cut(): void
  /** Names a fired rule in the response's header, unless that is out. */
  faulted?(ruleId: string): void
  /** `RequestFaults`, which the fault seams alone read and write. */
  faults?: object
}

const storage = new AsyncLocalStorage<RequestScope>()

/** Runs `work`, and all that it leaves behind, on behalf of the request. */
export function inScope<T>(scope: RequestScope, work: () => T): T {
  return storage.run(scope, work)
}

/** The request on whose behalf the caller runs; undefined for what the simulator does by itself. */
export function currentScope(): RequestScope | undefined {
  return storage.getStore()
}

/** Notes what happened, when there is a request that it belongs to. */
export function note(entry: Note): void {
  storage.getStore()?.note(entry)
}
