import type { Hex } from 'viem'
import { z } from 'zod'
import type { InspectedTransaction } from '../../chain/transactions/inspect.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import type { RuleView } from '../../faults/rules/faultRules.js'
import { activityKey } from '../../service/store/numbers.js'
import type { AccountRecord, ActivityRecord, Store } from '../../service/store/store.js'
import { foldReads } from './foldReads.js'
import { type Journal, noteOf, type RecordedRequest } from './journal.js'
import { momentsIn } from './moments.js'

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

/** Why something is as it is: all that happened to it, in order. */
export const whySchema = z
  .strictObject({
    id: z.string(),
    // What the id belongs together with; null what there is none of.
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
    is_complete: z.boolean().meta({
      description:
        'False when related exchanges may have left the journal, or when some moments are omitted.',
    }),
  })
  .meta({ id: 'Why' })

export type Why = z.infer<typeof whySchema>

/** What looking for reasons takes. */
export interface WhySources {
  journal: Journal
  store: Store
  book: AddressBook
  primeIds: readonly string[]
  /** The rules that are armed. */
  rules: readonly RuleView[]
  nowMs: number
  /** Looks for a mined transaction on every network. */
  inspect(hash: Hex): Promise<{ found: InspectedTransaction | undefined }>
}

/** More moments than anybody reads: the newest count. */
const maxMoments = 1_000

/**
 * The timeline of an account, plan, activity, intent, request, transaction or fault rule, over HTTP, plan, signature, transactions, bridge
 * fills, events and faults. Undefined when neither the journal, the store nor a network knows the id.
 */
export async function explain(id: string, sources: WhySources): Promise<Why | undefined> {
  if (/^0x/i.test(id)) return (await import('./whyTransaction.js')).explainTransaction(id, sources)
  const asked = sources.journal.all().find(({ requestId }) => requestId === id)
  const isRule = !asked && knowsRule(id, sources)
  const found = isRule ? {} : await lookUpFirst(asked ? idsOf(asked) : [id], sources)
  const { account, activity, planId } = found
  // A number alone stands in too many texts to be looked for.
  const name = typeof activityKey(id) === 'string' ? id : undefined
  // Of a request alone what it led to: the rest of the plan's life is told under the plan's id.
  const names = asked
    ? [id]
    : [name, activity?.activityId, activity?.planId, activity?.intentId, planId]
  const ids = [...new Set(names.filter((name) => typeof name === 'string'))]
  const exchanges = sources.journal
    .all()
    .filter((recorded) => (isRule ? hasFired(id, recorded) : concerns(recorded, ids)))
  if (exchanges.length === 0 && !account && !activity && !planId && !isRule) return undefined
  const moments = await momentsIn(exchanges, sources)
  const shown = foldReads(moments, exchanges)
  const ledTo = asked && activity && (await explain(activity.activityId, sources))?.now
  const story = { id, moments, exchanges, asked, ledTo, ...found }
  const { nowOf } = await import('./verdict.js')
  return {
    id,
    related: {
      account_id: account?.accountId ?? activity?.accountId ?? null,
      plan_id: activity?.planId ?? planId ?? null,
      activity_id: activity?.activityId ?? null,
      svc_intent_id: activity?.intentId ?? null,
    },
    timeline: shown.slice(-maxMoments).map(({ order: _, ...moment }) => moment),
    activity: activity
      ? {
          status: activity.status,
          reasons: activity.metadata.flatMap((item) => item.revert_reason ?? []),
        }
      : null,
    now: await nowOf(isRule ? { ...story, isRule } : story, sources),
    is_complete:
      shown.length <= maxMoments &&
      (sources.journal.dropped === 0 || hasBeginning(ids, exchanges, asked)),
  }
}

/** Whether a fault rule of this id is armed, or has fired. */
export function knowsRule(id: string, { journal, rules }: WhySources): boolean {
  return rules.some((rule) => rule.id === id) || journal.all().some((each) => hasFired(id, each))
}

function hasFired(id: string, { notes }: RecordedRequest): boolean {
  return notes.some((timed) => {
    // Most notes are none of it, and are not read for that.
    const note = timed.text.includes(id) ? noteOf(timed) : undefined
    return note?.type === 'fault' && note.rule === id
  })
}

/** The ids that a request was about: what it led to first, its account last. A restore may have undone some of them. */
function idsOf({ url, notes }: RecordedRequest): string[] {
  const shown = notes.map(noteOf)
  const execution = shown.find((note) => note.type === 'activity')
  const plan = shown.find((note) => note.type === 'plan')
  const [, accountId] = /^\/accounts\/(acc_[^/?]+)/.exec(url) ?? []
  return [execution?.activity_id, plan?.plan_id, accountId].filter((id) => id !== undefined)
}

/** What the store knows of an id. */
export interface Found {
  account?: AccountRecord
  activity?: ActivityRecord
  planId?: string
}

/** Whether the journal has the request with which the id began: then nothing older can belong to it. */
function hasBeginning(
  ids: readonly string[],
  exchanges: readonly RecordedRequest[],
  asked: RecordedRequest | undefined,
): boolean {
  const [first] = exchanges
  if (!first || asked) return asked !== undefined
  if (first.method === 'POST' && first.url === '/accounts') return true
  return first.notes.map(noteOf).some((note) => note.type === 'plan' && ids.includes(note.plan_id))
}

/** What the store knows of the first id that it knows at all. */
async function lookUpFirst(ids: readonly string[], sources: WhySources): Promise<Found> {
  for (const id of ids) {
    const found = await lookUp(id, sources)
    if (found.account) return found
  }
  return {}
}

/** What the store knows of an id, whosever it is: the control API stands above prime accounts. */
export async function lookUp(id: string, { store, primeIds }: WhySources): Promise<Found> {
  for (const primeId of primeIds)
    for (const account of await store.accounts(primeId)) {
      if (account.accountId === id) return { account }
      if (await store.plan(account.accountId, id)) return { account, planId: id }
      const activity =
        (await store.activity(account.accountId, activityKey(id))) ??
        (await store.activities(account.accountId)).find((each) =>
          [each.planId, each.intentId, ...hashesIn(each)].includes(id),
        )
      if (activity) return { account, activity }
    }
  return {}
}

/** The transactions of an activity. */
function hashesIn({ metadata }: ActivityRecord): (string | null)[] {
  return metadata.map(({ transaction_hash }) => transaction_hash)
}

/** Whether an exchange names one of the ids, in what was asked, answered, or done for it. */
function concerns(request: RecordedRequest, ids: readonly string[]): boolean {
  const { requestId, url, body, notes, answer } = request
  if (ids.includes(requestId)) return true
  const named = (text: string | undefined): boolean =>
    text !== undefined && ids.some((id) => text.includes(id))
  return named(url) || named(answer?.text) || named(body) || notes.some(({ text }) => named(text))
}
