import type { Hex } from 'viem'
import { z } from 'zod'
import type { InspectedTransaction } from '../../chain/transactions/inspect.js'
import type { MiningSwitch } from '../../chain/transactions/mining.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import type { RuleView } from '../../faults/rules/faultRules.js'
import { count } from '../../lib/scalars.js'
import type { BridgeWorker } from '../../service/bridge/relayer.js'
import type { Shortfall, StaleCause } from '../../service/context/requestContext.js'
import type {
  AccountRecord,
  ActivityRecord,
  Store,
  UnreadExecution,
} from '../../service/store/store.js'
import type { OrderedMoment } from './foldReads.js'
import type { Journal, Mark, RecordedRequest } from './journal.js'
import type { ActivityVerdict } from './verdict.js'

/** One line of a timeline. `title` is for people. */
const momentSchema = z
  .strictObject({
    // ISO 8601, by the one clock.
    at: z.string(),
    request_id: z
      .string()
      .nullable()
      .meta({ description: 'Null for moments that no request caused.' }),
    cursor: count.nullable().meta({
      description:
        'Place of that request in the journal. With a seed, another request may have the same id. Null for resets and restores too.',
    }),
    type: z.string().meta({
      description:
        'request, answer, plan, expiry, signature, transaction, bridge, activity, event, fault, reads (the same read, repeated), cause (what made a plan stale, at the time when it acted), restore or reset. A restore or reset undid all earlier moments that are newer than its snapshot.',
    }),
    title: z.string(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Moment' })

const outcomes = [
  ...['ready', 'stale', 'expired', 'gone'],
  ...['pending', 'confirmed', 'failed'],
  ...['answered', 'refused', 'cut', 'open'],
  ...['idle', 'active', 'armed', 'ended', 'removed', 'mined', 'reverted', 'sent'],
] as const

/** The cause as JSON: an entry of the ledger. */
const causeSchema = z
  .looseObject({
    cause: z.string().meta({
      description:
        'plan, fault, faucet, rewards, rpc, bridge, liquidation, price, clock, reorganisation, restore, reset, expired (its time was over), executed (the plan itself ran before), or unknown.',
    }),
    reason: z.string().meta({
      description: 'What the check of the plan found, or what keeps an activity pending.',
    }),
    changed: z.string().optional(),
    before: z.string().optional(),
    after: z.string().optional(),
    at: z.string().optional(),
    by_request: z.string().optional(),
    hashes: z.array(z.string()).optional(),
    also: z
      .array(z.looseObject({ cause: z.string() }))
      .optional()
      .meta({
        description:
          'What else moved the price of a swap against the plan, or took from the exchange what it buys, by a share that mattered, the largest first.',
      }),
    since: z.array(z.string()).optional().meta({
      description: 'Of an unknown cause: what happened since the plan was made.',
    }),
  })
  .meta({ id: 'Cause' })

const verdictSchema = z
  .strictObject({
    outcome: z.enum(outcomes).meta({
      description:
        'Plans that were not executed: ready, stale, expired, gone. Activities: pending, confirmed, failed. Requests: answered, refused, cut, open. Accounts: idle, active. Fault rules: armed, ended, removed. Transactions: mined, reverted, sent.',
    }),
    cause: causeSchema.nullable().meta({ description: 'What changed, and who changed it.' }),
    fault: z
      .strictObject({ rule: z.string(), effect: z.string() })
      .optional()
      .meta({ description: 'The fault rule that brought it about.' }),
    network: z.string().optional(),
    amounts: z.record(z.string(), z.string()).optional().meta({
      description:
        'Values as text, amounts in whole units. Of a change: before and after. Of a plan without enough money: needed and missing. Of a position: what was asked, and what it holds or the wallet owes. Of a bridge that delivered too little: sent, expected, arrived and missing. Of a wait: what is waited for.',
    }),
    next: z.string().nullable().meta({ description: 'What to do; null where all is well.' }),
  })
  .meta({ id: 'Verdict' })

const nullableId = z.string().nullable()

/** Everything that happened to the subject, in order, and its verdict. */
export const whySchema = z
  .strictObject({
    id: z.string(),
    // The ids that belong to it; null where there is none.
    related: z.strictObject({
      account_id: nullableId,
      plan_id: nullableId,
      activity_id: nullableId,
      svc_intent_id: nullableId,
    }),
    timeline: z.array(momentSchema),
    // What the store knows of the activity now; null without one.
    activity: z.strictObject({ status: z.string(), reasons: z.array(z.string()) }).nullable(),
    now: z.string().meta({
      description:
        'What became of it, in one line: for a failure the part that failed and the fault rule that caused it, for what is pending what it waits for.',
    }),
    verdict: verdictSchema.meta({
      description: 'The same as data; `now` and the hints are made from it.',
    }),
    is_complete: z.boolean().meta({
      description:
        'False when related exchanges may have left the journal or happened before this process started, or when some moments are omitted.',
    }),
  })
  .meta({ id: 'Why' })

export type Why = z.infer<typeof whySchema>

export interface WhySources {
  journal: Journal
  store: Store
  book: AddressBook
  primeIds: readonly string[]
  rules: readonly RuleView[]
  /** Executions whose responses did not arrive, by activity id. */
  unread: ReadonlyMap<string, UnreadExecution>
  /** The networks whose mining a client has stopped or set to an interval. */
  switches: readonly MiningSwitch[]
  nowMs: number
  /** When a bridge is going to be filled, by its relay hash. */
  expectedFill: BridgeWorker['expected']
  /** What an account would lack for a plan; no `short` for nothing, undefined where that cannot be told. */
  shortNow(
    account: AccountRecord,
    plan: { kind: string; body: unknown },
  ): Promise<{ short?: Shortfall } | undefined>
  /** Why a plan would be refused now, its expiry aside: no cause for one that can be executed, undefined where that cannot be told. */
  staleNow(
    account: AccountRecord,
    plan: { planId: string },
  ): Promise<{ cause?: StaleCause } | undefined>
  /** Finds a mined transaction on any network. */
  inspect(hash: Hex): Promise<{ transaction: InspectedTransaction | undefined }>
}

export interface StoreRecords {
  account?: AccountRecord
  activity?: ActivityRecord
  planId?: string
}

/** What a verdict is about: an id, what the store knows of it, and what happened to it. */
export interface WhyFacts extends StoreRecords {
  id: string
  moments: readonly OrderedMoment[]
  exchanges: readonly RecordedRequest[]
  /** The request, when the id is that of one, and what became of the activity that it led to. */
  request?: RecordedRequest | undefined
  ledTo?: ActivityVerdict | undefined
  /** The restore or reset that has undone it. */
  undone?: Mark | undefined
  isRule?: boolean
}
