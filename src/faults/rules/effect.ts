import type { Address, Hex } from 'viem'
import { type ZodType, z } from 'zod'
import type { Faucet } from '../../chain/funds/faucet.js'
import type { Node, Nodes } from '../../chain/rpc/node.js'
import type { PriceBoard } from '../../control/priceBoard.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { QuoteReply } from '../../service/aggregator/server.js'
import type { DepositService, FillOutcome } from '../../service/bridge/relayer.js'
import type { Ledger } from '../../service/context/ledger.js'
import type { SendPlan } from '../../service/plans/execute/execution.js'
import type { PlanKind } from '../../service/plans/model/kind.js'
import type { PlanAnswer } from '../../service/plans/model/planDetails.js'
import type { ExecuteAnswer } from '../../service/plans/pipeline.js'
import type { AccountRecord, EventRecord, Store } from '../../service/store/store.js'
import type { Clock, SettableClock, Wait } from '../../time/clock.js'

/** What a rule is narrowed to; all of them must match. */
export type RuleMatch = Partial<Record<keyof FaultFacts, string>>

/** What `match` of a rule can be compared with. A list matches when any of its words does. */
export type FaultFacts = Partial<
  Record<
    'account_id' | 'kind' | 'network' | 'asset' | 'path' | 'method',
    string | readonly string[]
  >
>

/** A call of a plan's execution, from the moment the service got it. Effects may change what is about to happen. */
export interface ExecuteCall {
  facts: FaultFacts
  account: AccountRecord
  request: { planId: string; signature: string }
  /** The signature as it came. */
  readonly signature: string
  /** Wrappers of the sending of each transaction of the plan, the first outermost. */
  interceptSend: ((send: SendPlan) => SendPlan)[]
}

/** A deposit that the relayer is about to serve. */
export interface BridgeCall extends DepositService {
  facts: FaultFacts
  /** Names the deposit: it is served again after every pause of the relayer, and is one call all the same. */
  key: string
}

/** A JSON-RPC request to a node, by the service or through `/rpc`. */
export interface ChainCall {
  facts: FaultFacts
  method: string
}

/** A plan's transaction on one network, when its activity has been confirmed. */
export interface ConfirmedCall {
  facts: FaultFacts
  network: NetworkName
  hash: Hex
}

/** A request to the service, when its key and the syntax of its body are known to be good; `proceed` gives what it answers. */
export interface RequestCall {
  facts: FaultFacts
  /** Aborted when the client has left, the state is replaced, or the simulator stops. */
  signal: AbortSignal
  /** Ends the connection without another byte. */
  cut(): void
  /** Lets the body of the answer break off in the middle. */
  truncate(): void
  /** Sets a header of the answer. */
  header(name: string, value: string): void
}

/** A folio that is being computed, for its own endpoint or for a plan. */
export interface FolioCall {
  facts: FaultFacts
}

/** A fresh folio that was asked for at its own endpoint. */
export interface FolioReadCall extends FolioCall {
  /** The account's latest folio; undefined before its first. */
  previous(): unknown
}

/** A quote asked of the aggregator. */
export interface QuoteCall {
  facts: FaultFacts
  /** Undefined when the query names no known network. */
  network: NetworkName | undefined
  buyToken: Address | undefined
  /** Aborted when the client has given up. */
  signal: AbortSignal
  /** By how many basis points rules have widened the exchange's spread without this quote telling. */
  hiddenBps: bigint
}

/** A plan that is to be made; the world may change under it when it has been. */
export interface PlanCall {
  facts: FaultFacts
  account: AccountRecord
  kind: PlanKind
  /** As the kind's schema parsed it. */
  intent: unknown
}

/** An event on its way to the readers of the account's events; `proceed` delivers it. */
export interface EventCall {
  facts: FaultFacts
  event: EventRecord
  /** Whether an event of the account waits for the next one already. */
  othersWait(): boolean
  /** Calls back when the next event of the account has been delivered. */
  afterNext(go: () => void): void
}

/** An event that is delivered now, at the seam `answer`; `proceed` delivers it. */
export interface DeliveryCall {
  facts: FaultFacts
  event: EventRecord
  /** By how much its cursor is beyond the least that it could be. */
  jump: number
  /** Delivers an event of another kind right before it. */
  first(event: EventRecord): Promise<void>
}

/** A route as effects on answers know it. */
export interface AnswerRoute {
  /** In upper case. */
  method: string
  /** In Express' spelling: `/accounts/:account_id/folio`. */
  path: string
}

/** A request to the service; `proceed` gives what it answers. */
export interface AnswerCall {
  facts: FaultFacts
  route: AnswerRoute
  /** The prime account that asks. */
  primeId: string
  /** The body of the request as it came. */
  sent: unknown
  /** Whether the request was one for a part of a list. */
  isPart: boolean
  /** Names the fields of the request that the route does not know; undefined when it knows all. */
  strangers: string | undefined
}

/**
 * The response to a request, or a message of a stream. Effects return another one and leave this one unchanged. `body` is undefined when there
 * is no response at all.
 */
export interface Answer {
  status: number
  body: unknown
}

/** The places where effects come in, what is called there, and the file that calls it. `on` of a rule is the part before the dot. */
export interface Seams {
  /** http/pipeline/faults.ts */
  request: { call: RequestCall; result: unknown }
  /** faults/interceptors/calls.ts */
  folio: { call: FolioCall; result: unknown }
  /** faults/interceptors/calls.ts */
  'folio.read': { call: FolioReadCall; result: unknown }
  /** faults/interceptors/calls.ts */
  quote: { call: QuoteCall; result: QuoteReply }
  /** faults/interceptors/calls.ts */
  plan: { call: PlanCall; result: PlanAnswer }
  /** faults/interceptors/events.ts */
  events: { call: EventCall; result: undefined }
  /** faults/interceptors/calls.ts */
  execute: { call: ExecuteCall; result: ExecuteAnswer }
  /** faults/interceptors/calls.ts */
  bridge: { call: BridgeCall; result: FillOutcome }
  /** faults/interceptors/calls.ts */
  'chain.request': { call: ChainCall; result: unknown }
  /** faults/interceptors/calls.ts */
  'chain.confirmed': { call: ConfirmedCall; result: undefined }
  /** http/pipeline/faults.ts */
  answer: { call: AnswerCall; result: Answer }
  /** faults/interceptors/events.ts */
  'answer.delivery': { call: DeliveryCall; result: undefined }
}
export type SeamName = keyof Seams

/** Whether a rule, where it names a network, means this one. */
export function concerns(rule: RuleHandle, network: NetworkName): boolean {
  return rule.match.network === undefined || rule.match.network === network
}

/** What effects may use to change the world. */
export interface FaultTools {
  nodes: Nodes
  book: AddressBook
  faucet: Faucet
  store: Store
  clock: Clock & Pick<SettableClock, 'onChange'>
  wait: Wait
  prices: PriceBoard
  /** Where an effect records what it changed under a plan. */
  ledger: Pick<Ledger, 'add' | 'undo'>
  /** A move of the clock waits for this work, as for everything that the simulator does by itself. */
  track<T>(work: () => Promise<T>, what: string): Promise<T>
  /** Checks whether a reorganisation has removed executed plans from the chain, and executes those again. */
  recheck(network: NetworkName): Promise<void>
}

/** What a rule changes on a chain. */
export interface ChangeOf {
  name: string
  node: Node
  /** Whether the change that several rules made under one name is reverted when the last of them is removed. */
  isJoint?: boolean
  /** Called when the rule is removed and the change is reverted, or stays as that of another rule. */
  onLeft?(): void
}

/** The rule that an effect works for. */
export interface RuleHandle {
  id: string
  match: RuleMatch
  /** Whether a request carries it in its header: it is in no list of rules, and cannot be removed by its id. */
  isCarried: boolean
  /** Whether it has fired for the last time. */
  readonly isSpent: boolean
  /**
   * Aborted when the rule is removed or the simulator stops: release whatever is held. Read it again after a pause, since a restore may have
   * put the rule back.
   */
  readonly signal: AbortSignal
  /**
   * Changes a chain by transactions until the rule is removed: does the work once per name of the change, and resolves when it is done. The
   * work resolves to the function that reverts it.
   */
  change(change: ChangeOf, work: () => Promise<() => Promise<void>>): Promise<void>
  /** A value that the rule keeps, `first()` at first. It begins anew when the rule is added again or restored. */
  remembered<T>(name: string, first: () => T): T
}

/** How a transaction, a bridge or an activity can end or wait, as notes name it. */
type Ending =
  | 'reverted'
  | 'not mined'
  | 'dropped'
  | 'failed'
  | 'pending'
  | 'filled in part'
  | 'replaced by a reorganisation'

/** How a client gets past an error that the rule itself returned, for the hint. */
export function pastRule({ id, isCarried, isSpent }: RuleHandle): string {
  if (isCarried) return 'Send the request again without the header x-svc-sim-fault.'
  return isSpent
    ? 'The rule has ended, so send the request again.'
    : `Remove the rule (DELETE /_sim/faults/${id}), and send the request again.`
}

/** What an effect leaves until its rule is removed, even if the rule is spent: calls that wait (`holds`), or a changed world (`changes`). */
export type Lasting = 'holds' | 'changes'

/** What an effect does, as `why` reports it. */
export interface EffectOutcome {
  /** What the rule did, as a predicate after its name: `used up the wallet’s nonce`. */
  text: string
  /** Its error says nothing about the outcome: the request was carried out. */
  isDone?: boolean
  /** How the execution may end; absent when the effect concerns the response alone. */
  ends?: readonly Ending[]
}

/** Advice around a seam: what happens instead of, before or after the real thing, which is `proceed`. */
export interface CallEffect<S extends SeamName = SeamName, Settings = unknown> {
  on: S
  name: string
  /** One sentence for the documentation. */
  summary: string
  settings: ZodType<Settings>
  /** The rule itself returns the error, without a cause in the world: why, or what would cause it. Absent where something causes it. */
  synthetic?: string
  /** Whether it could come about at plans of this kind; at those of all kinds when absent. A rule for others is refused. */
  meets?(settings: Settings, kind: PlanKind): boolean
  /** Whether a request of this route could meet it; those of all routes of the seam when absent. A rule for others is refused. */
  at?(route: AnswerRoute): boolean
  /** What it does, for `why`; absent where its name says enough. */
  outcome?(settings: Settings, only?: string): EffectOutcome
  /** Set where removing the rule releases or undoes something after it has fired. */
  lasts?: Lasting
  /** Whether it could happen at this call at all; if not, the call does not count as matching. */
  applies?(settings: Settings, call: Seams[S]['call']): boolean
  /**
   * Whether the effect has changed the result; if not, the rule has not fired. `before` is undefined when the effect did not call `proceed`.
   * Absent for effects that always do something.
   */
  hasChanged?(before: Seams[S]['result'] | undefined, after: Seams[S]['result']): boolean
  /** Set where the effect itself calls `fired` when it comes about: one that changes a plan does so when there is a plan. If it never calls, the rule has not fired. */
  firesLater?: true
  /**
   * For how many milliseconds from the first call a rule fires, by the machine's time or the clock's, whichever is ahead: clients wait by either.
   * Then the rule ends by itself. Absent for effects without such an end.
   */
  firesForMs?(settings: Settings): number
  /** Tells the call what is going to happen, before the first of its effects begins. */
  foresee?(settings: Settings, call: Seams[S]['call'], rule: RuleHandle): void
  apply(
    settings: Settings,
    call: Seams[S]['call'],
    proceed: () => Promise<Seams[S]['result']>,
    tools: FaultTools & {
      rule: RuleHandle
      /** An effect with `firesLater` calls it; for the others the engine does. */
      fired(): void
    },
  ): Promise<Seams[S]['result']>
}

/** A state of the world that lasts from when the rule is added until it is removed, or for `ms`: nothing needs to be called. */
export interface PersistentEffect {
  on: 'chain.stand'
  name: string
  summary: string
  settings: ZodType<{ ms?: number | undefined }>
  /** What it does to a request that meets it, for `why`; `only`: its network, if it has one. */
  outcome?(settings: unknown, only?: string): EffectOutcome
  /** Whether the nodes have to answer when it begins and when it ends. */
  asksNodes: boolean
  /** Brings it about on these networks; resolves to what ends it. Ending twice is safe. */
  begin(networks: readonly NetworkName[], tools: FaultTools): Promise<() => Promise<void>>
}

/** An effect as the register holds it: what it is, without the types of its call and settings. */
export interface Effect
  extends Pick<
    CallEffect,
    'name' | 'summary' | 'synthetic' | 'meets' | 'at' | 'outcome' | 'lasts'
  > {
  on: SeamName | 'chain.stand'
  settings: ZodType
}

/** The schema of an effect without settings. */
const noSettings: ZodType = z.strictObject({})

/** Checks an effect against its seam and its settings' schema; without one it has no settings. */
export function defineEffect<S extends SeamName, Settings = unknown>(
  effect: Omit<CallEffect<S, Settings>, 'settings'> & { settings?: ZodType<Settings> },
): Effect {
  return { settings: noSettings, ...effect }
}

/** Checks a persistent effect against its settings' schema. */
export function definePersistentEffect(effect: PersistentEffect): Effect {
  return { ...effect, lasts: 'holds' }
}

/** An effect with its settings as its schema parsed them. */
export interface RuleStep {
  effect: Effect
  settings: unknown
}
