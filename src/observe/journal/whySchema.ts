import type { Hex } from 'viem'
import { z } from 'zod'
import type { InspectedTransaction } from '../../chain/transactions/inspect.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import type { RuleView } from '../../faults/rules/faultRules.js'
import type { BridgeWorker } from '../../service/bridge/relayer.js'
import type { Shortfall, StaleCause } from '../../service/context/requestContext.js'
import type { AccountRecord, ActivityRecord, Store } from '../../service/store/store.js'
import type { OrderedMoment } from './foldReads.js'
import type { Journal, RecordedRequest } from './journal.js'
import { verdictSchema } from './shownVerdict.js'
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
    type: z.string().meta({
      description:
        'request, answer, plan, signature, transaction, bridge, activity, event, fault, reads (the same read, repeated), cause (what made a plan stale, at the time when it acted), restore or reset. A restore or reset undid all earlier moments that are newer than its snapshot.',
    }),
    title: z.string(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Moment' })

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
  nowMs: number
  /** When a bridge is going to be filled, by its relay hash. */
  expectedFill: BridgeWorker['expected']
  /** What an account would lack for a plan; undefined for nothing, and where that cannot be told. */
  shortNow(
    account: AccountRecord,
    plan: { kind: string; body: unknown },
  ): Promise<Shortfall | undefined>
  /** Why a plan would be refused now, its expiry aside; undefined for one that can be executed. */
  staleNow(account: AccountRecord, plan: { planId: string }): Promise<StaleCause | undefined>
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
  isRule?: boolean
}
