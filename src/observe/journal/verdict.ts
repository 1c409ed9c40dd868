import type { MiningSwitch } from '../../chain/transactions/mining.js'
import { effectText } from '../../faults/rules/view.js'
import type {
  Excess,
  PartialFill,
  Shortfall,
  StaleCause,
} from '../../service/context/requestContext.js'
import type { FillItem, OperationItem } from '../../service/plans/model/activityItem.js'
import type { ActivityStatus } from '../../service/store/store.js'

/**
 * An outcome as data. The sentence (`verdictText.ts`), the next step (`nextStep.ts`) and the JSON (`shownVerdict.ts`) are made from it, and
 * nothing parses a sentence.
 */
export type Verdict =
  | PlanVerdict
  | ActivityVerdict
  | RequestVerdict
  | AccountVerdict
  | RuleVerdict
  | TransactionVerdict

/** A fault rule that contributed. */
export interface NamedFault {
  rule: string
  /** `seam.effect`. */
  effect: string
  /** `mean (execute.revert by nonce) used up the wallet’s nonce`. */
  text: string
  /** The rule came in a request's header. */
  carried?: boolean
  /** The request succeeded although its response is an error. */
  isDone?: boolean
}

/** What keeps an activity pending: the rules, and a client's command that keeps the network from mining. */
export interface HeldBy {
  faults: readonly NamedFault[]
  switched?: MiningSwitch
}

/** A plan that was not executed. Times are ISO 8601. */
export type PlanVerdict =
  /**
   * `faults`: the rules that refused or lost its last execution. `overtaken`: an execution of its wallet that may have done the same: one
   * whose response was lost, or after an attempt to execute this plan.
   */
  | {
      outcome: 'ready'
      until: string
      faults?: readonly NamedFault[]
      /** How its last execution was refused, if no rule did it and it was not stale then. */
      refused?: string
      /** Whose signature it needed, if the wallet refused the one that it had. */
      signer?: string
      overtaken?: StaleCause
      /** The request that is about to execute it, and the rules that it has met. */
      open?: { id: string; faults: readonly NamedFault[] }
    }
  /**
   * `expiredAt`: its time is over, too. `overtaken`: what its wallet has executed since. `present`: why it would be refused now, where that is
   * not why it was.
   */
  | {
      outcome: 'stale'
      cause: StaleCause
      expiredAt?: string
      present?: StaleCause
      overtaken?: StaleCause
    }
  /**
   * `cause`: the wallet has executed another plan since it was made. `refusedBy`: the rules that refused or lost its last execution. `refused`:
   * how it was refused before its time was over, if no rule did it.
   */
  | {
      outcome: 'expired'
      at: string
      faults: readonly NamedFault[]
      refusedBy?: readonly NamedFault[]
      refused?: string
      cause?: StaleCause
    }
  /**
   * `was`: how its activity stood before a reset or restore undid it, with the rules that made it fail or held it, or the client's switch that
   * did. `overtaken`: what its wallet has executed since.
   */
  | {
      outcome: 'gone'
      id: string
      cause: StaleCause | undefined
      was?: string
      faults?: readonly NamedFault[]
      switched?: MiningSwitch
      overtaken?: StaleCause
      /** The account of the plan is not there any more. */
      isAccountGone?: boolean
    }

/** The response to an execution did not reach its client. */
interface LostResponse {
  /** Absent: the simulator ended before it knew whether the response arrived. */
  how?: string
  faults: readonly NamedFault[]
}

export interface ActivityVerdict {
  outcome: ActivityStatus
  activityId: string
  /** The failed or awaited part, and its network. */
  part?: { name: string; network: string }
  /** Of a failed part: how it ended, and the node's or the bridge's reason where no rule explains it. */
  ending?: {
    verb: string
    reason?: string
    /** The journal does not have its execution, so a rule that caused it would not be known. */
    isUnrecorded?: boolean
  }
  /** Bridges of it that delivered too little, with the rules that are to blame. */
  partialFills: readonly { name: string; amounts: PartialFill; faults: readonly NamedFault[] }[]
  /** Set while a part is pending. */
  waiting?: WaitingFor
  /** The rules that caused the part's state. */
  faults: readonly NamedFault[]
  /** Names of parts that were not run. */
  notRun: readonly string[]
  lost?: LostResponse
  /** Of a confirmed one: the earlier execution of the same request whose response was lost, confirmed, too. */
  repeated?: StaleCause
  /** Of a failed one: what the account lacks now for the same plan. */
  lacks?: Shortfall
  /** Of a failed one: what its wallet has executed since its plan was made. */
  overtaken?: StaleCause
}

/**
 * What a pending activity waits for. Amounts are in whole tokens. `switched`: a client has its network not mine at once. `late`: its time is
 * over. It expires at `expiry`, and fails from then on; a deposit that is mined before, but after the deadline of its fill, goes back.
 */
export type WaitingFor = {
  switched?: MiningSwitch
  late?: { expiry: string; isExpired: boolean; deposit?: { deadline: string; refunds: string } }
} & (
  | {
      for: 'bridge'
      delivers: string
      /** Of what was planned, if a fault keeps a part; and the operation that is known to need it. */
      missing?: string
      doomed?: string
      refunds: string
      from: string
      /** The last second in which it can be filled. */
      deadline: string
      /** Whether a fill is possible now; `late`: it is, but what holds it ends after the deadline; `refused`: a rule refuses it. */
      state: 'open' | 'late' | 'refused' | 'closed'
      /** When the refund is there; absent when it is due, or waits for a transaction. */
      until?: string
      partial: readonly NamedFault[]
      /** What kept it from being filled by its deadline and holds it no longer, or has another reason now. */
      before: readonly NamedFault[]
      standing: readonly NamedFault[]
    }
  /** The persistent rules that hold the network. */
  | { for: 'send'; standing: readonly NamedFault[] }
  | { for: 'block'; hash: string; standing: readonly NamedFault[] }
  /** A rule took it out of the pool; the service notices that at `until`. */
  | { for: 'notice'; hash: string; until: string; standing: readonly NamedFault[] }
)

/** `failed`: how its activity did. */
export interface RanPlan {
  outcome: 'executed'
  activityId: string
  status: ActivityStatus
  failed?: ActivityVerdict
}

export interface RequestVerdict {
  outcome: 'answered' | 'refused' | 'cut' | 'open'
  method: string
  url: string
  status?: number
  code?: string
  message?: string
  cause?: StaleCause
  /** What became of the plan whose execution was refused. */
  plan?: PlanVerdict | RanPlan
  /** What the refused plan lacked, or asked too much of, and whether the account has it now. */
  short?: Shortfall
  beyond?: Excess
  isFunded?: boolean
  /** Of a refused plan request: what the account lacks now for the same request. */
  lacks?: Shortfall
  /** Whose signature an execution needed, if the wallet refused the one that it had. */
  signer?: string
  /** What the wallet has executed that may have done what the refused request was for. */
  overtaken?: StaleCause
  /** The rules that made the response so; of a good response, all that fired. */
  faults: readonly NamedFault[]
  /** Rules that fired but did not cause the refusal. */
  bystanders: readonly NamedFault[]
  /** The activity that the request created. */
  activity?: ActivityVerdict
  /** The restore or reset that has undone it, and how its activity stood then, with what made it fail or held it. */
  undone?: StaleCause
  was?: { activityId: string; status: string } & Partial<HeldBy>
}

/** An account: its activities, the latest first, and the last refusal that no later plan or execution has overtaken. */
export interface AccountVerdict {
  outcome: 'idle' | 'active'
  counts: readonly { status: ActivityStatus; count: number }[]
  activities: readonly ActivityVerdict[]
  refused?: RequestVerdict
  /** Its last request about a plan that has no response yet. */
  open?: RequestVerdict & { id: string }
}

export interface RuleVerdict {
  outcome: 'armed' | 'ended' | 'removed'
  id: string
  what: string
  hits: number
  /** Of these, the ones before this start. */
  earlier?: number | undefined
  seen: number
  times: number | undefined
  /** Of one that has ended by itself: for how many milliseconds it was in force. */
  lasted?: number
  /** It keeps networks from mining or from responding now. */
  stands?: boolean
  /** What the rule affected, in words. */
  met: readonly string[]
  /** The pending activities that it holds, if its effect lasts until it is removed. */
  holds: readonly string[]
  /** What it changed in the world stays until it is removed. */
  hasChanged?: boolean
}

export interface TransactionVerdict {
  outcome: 'mined' | 'reverted' | 'sent'
  network: string
  /** What is known of the transaction, in words. */
  what: string
  activity?: ActivityVerdict
}

/** A rule as a verdict names it. */
export function namedFault(
  { rule, effect, settings, carried }: FiredFacts,
  text: string,
  isDone = false,
): NamedFault {
  return {
    rule,
    effect,
    text: `${rule} (${effectText(effect, settings)}) ${text}`,
    ...(carried && { carried }),
    ...(isDone && { isDone }),
  }
}

/** The rules that kept an operation from being mined before it expired. */
export const expiredText = (
  rules: OperationItem['stopped_by'] = [],
  network: string,
): NamedFault[] =>
  rules.map(({ rule, effect }) => {
    const text = `${rule} (${effect}) kept ${network} from mining it before it expired`
    return { rule, effect, text }
  })

/** The rules that kept a deposit or a fill from being mined in time. */
export function stoppedText(
  rules: FillItem['stopped_by'] = [],
  from: string | undefined,
  to: string,
): NamedFault[] {
  return rules.map(({ rule, effect, of }) => {
    const what = of === 'deposit' ? `${from} from mining the deposit` : `${to} from mining the fill`
    return { rule, effect, text: `${rule} (${effect}) kept ${what} before its deadline` }
  })
}

interface FiredFacts {
  rule: string
  effect: string
  settings?: object | undefined
  carried?: boolean | undefined
}
