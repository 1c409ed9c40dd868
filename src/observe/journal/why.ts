import { z } from 'zod'
import type { AddressBook } from '../../deployments/addressBook.js'
import { jsonOrText } from '../../lib/json.js'
import type { RecordedNote } from '../../service/context/notes.js'
import { sentenceOf } from '../../service/plans/execute/causeSentence.js'
import { activityKey } from '../../service/store/numbers.js'
import type { AccountRecord, ActivityRecord, Store } from '../../service/store/store.js'
import { foldReads, type OrderedMoment } from './foldReads.js'
import { type Journal, noteOf, type RecordedRequest } from './journal.js'

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

type TimelineEntry = z.infer<typeof momentSchema>

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
}

/** More moments than anybody reads: the newest count. */
const maxMoments = 1_000

/**
 * The timeline of an account, a plan, an activity, an intent or a request, over HTTP, plan, signature, transactions, bridge
 * fills, events and faults. Undefined when neither the journal nor the store knows the id.
 */
export async function explain(id: string, sources: WhySources): Promise<Why | undefined> {
  const asked = sources.journal.all().find(({ requestId }) => requestId === id)
  const { account, activity, planId } = await lookUpFirst(asked ? idsOf(asked) : [id], sources)
  // A number alone stands in too many texts to be looked for.
  const name = typeof activityKey(id) === 'string' ? id : undefined
  // Of a request alone what it led to: the rest of the plan's life is told under the plan's id.
  const names = asked
    ? [id]
    : [name, activity?.activityId, activity?.planId, activity?.intentId, planId]
  const ids = [...new Set(names.filter((name) => typeof name === 'string'))]
  const exchanges = sources.journal.all().filter((recorded) => concerns(recorded, ids))
  if (exchanges.length === 0 && !account && !activity && !planId) return undefined
  const { noteDetails } = await import('./decode.js')
  const details = (note: RecordedNote) => noteDetails(note, sources.book)
  const happened = inOrderOfCause(exchanges.flatMap((recorded) => momentsOf(recorded, details)))
  const moments = [...happened, ...marksAfter(happened, sources.journal)].sort(
    (a, b) => a.order - b.order,
  )
  const shown = foldReads(withoutFallen(moments), exchanges)
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
    is_complete:
      shown.length <= maxMoments &&
      (sources.journal.dropped === 0 || hasBeginning(ids, exchanges, asked)),
  }
}

/** The ids that a request was about: what it led to first, its account last. A restore may have undone some of them. */
function idsOf({ url, notes }: RecordedRequest): string[] {
  const shown = notes.map(noteOf)
  const execution = shown.find((note) => note.type === 'activity')
  const plan = shown.find((note) => note.type === 'plan')
  const [, accountId] = /^\/accounts\/(acc_[^/?]+)/.exec(url) ?? []
  return [execution?.activity_id, plan?.plan_id, accountId].filter((id) => id !== undefined)
}

interface Found {
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
async function lookUp(id: string, { store, primeIds }: WhySources): Promise<Found> {
  for (const primeId of primeIds)
    for (const account of await store.accounts(primeId)) {
      if (account.accountId === id) return { account }
      if (await store.plan(account.accountId, id)) return { account, planId: id }
      const activity =
        (await store.activity(account.accountId, activityKey(id))) ??
        (await store.activities(account.accountId)).find((each) =>
          [each.planId, each.intentId].includes(id),
        )
      if (activity) return { account, activity }
    }
  return {}
}

/** Whether an exchange names one of the ids, in what was asked, answered, or done for it. */
function concerns(request: RecordedRequest, ids: readonly string[]): boolean {
  const { requestId, url, body, notes, answer } = request
  if (ids.includes(requestId)) return true
  const named = (text: string | undefined): boolean =>
    text !== undefined && ids.some((id) => text.includes(id))
  return named(url) || named(answer?.text) || named(body) || notes.some(({ text }) => named(text))
}

/** A transaction that a reorganisation took off the chain is not mined any more. */
function withoutFallen(moments: readonly OrderedMoment[]): OrderedMoment[] {
  const fallen = new Set(
    moments.flatMap<unknown>(({ details }) => ('fallen' in details ? [details.fallen] : [])),
  )
  return moments.map((moment) => {
    const { type, title, details } = moment
    if (type !== 'transaction' || details.status !== 'mined' || !fallen.has(details.hash))
      return moment
    const status = 'replaced by a reorganisation'
    return { ...moment, title: title.replace('mined', status), details: { ...details, status } }
  })
}

/** A culprit stands where it acted: behind what happened by then, and before the request that was refused for it. */
function inOrderOfCause(moments: readonly OrderedMoment[]): OrderedMoment[] {
  return moments.map((moment) => {
    if (moment.type !== 'cause') return moment
    const refused = moments.find(
      ({ type, request_id }) => type === 'request' && request_id === moment.request_id,
    )
    const before = moments.filter(({ type, at }) => type !== 'cause' && at > moment.at)
    const order = Math.min(...[refused, ...before].flatMap((each) => each?.order ?? []))
    return Number.isFinite(order) ? { ...moment, order: order - 0.5 } : moment
  })
}

/** The ends of the lives in which something of it happened, so that what was undone stands apart from what is. */
function marksAfter(happened: readonly OrderedMoment[], journal: Journal): OrderedMoment[] {
  const first = Math.min(...happened.map(({ order }) => order))
  return journal
    .marks()
    .filter(({ order }) => order > first)
    .map(({ order, ms, snapshot, requestId }) => ({
      order,
      at: new Date(ms).toISOString(),
      request_id: requestId ?? null,
      type: snapshot ? 'restore' : 'reset',
      title: snapshot
        ? `restored snapshot ${snapshot.id}${snapshot.name === undefined ? '' : ` (${snapshot.name})`}`
        : 'reset to the start',
      details: {},
    }))
}

function momentsOf(
  request: RecordedRequest,
  details: (note: RecordedNote) => TimelineEntry['details'],
): OrderedMoment[] {
  const { requestId: request_id, method, url, body, answer } = request
  const at = (ms: number): string => new Date(ms).toISOString()
  const moments: OrderedMoment[] = [
    {
      order: request.order,
      at: at(request.ms),
      request_id,
      type: 'request',
      title: `${method} ${url}`,
      details: body === undefined ? {} : { body: jsonOrText(body) },
    },
    ...request.notes.map((timed): OrderedMoment => {
      const { order, ms } = timed
      const note = noteOf(timed)
      if (note.type === 'stale') {
        const { at: acted = at(ms) } = note
        const facts = details(note)
        return { order, at: acted, request_id, type: 'cause', title: titleOf(note), details: facts }
      }
      const { type } = note
      return { order, at: at(ms), request_id, type, title: titleOf(note), details: details(note) }
    }),
  ]
  if (answer) {
    const { status, headers, cut } = answer
    const problem = status >= 400 ? parsed(answer.text) : undefined
    moments.push({
      order: answer.order,
      at: at(answer.ms),
      request_id,
      type: 'answer',
      title: cut ? 'the connection was cut' : `${status}${problem ? ` ${problem.error}` : ''}`,
      details: {
        ...(problem ? { message: problem.message } : {}),
        ...(headers['x-svc-sim-hint'] ? { hint: headers['x-svc-sim-hint'] } : {}),
        ...(headers['x-svc-sim-fault'] ? { fault: headers['x-svc-sim-fault'] } : {}),
      },
    })
  }
  return moments
}

function parsed(text: string | undefined): { error?: string; message?: string } {
  try {
    return JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
}

/** A plan whose operations were too large for the journal has many. */
function countOf(operations: readonly unknown[] | undefined): string {
  return operations?.length === 1 ? '1 operation' : `${operations?.length ?? 'many'} operations`
}

/** A note in one line. */
function titleOf(note: RecordedNote): string {
  switch (note.type) {
    case 'plan':
      return `plan ${note.plan_id} of kind ${note.kind}, ${countOf(note.operations)}`
    case 'signature':
      return `signature of ${note.plan_id} is valid`
    case 'activity':
      return `activity ${note.activity_id} is ${note.status}`
    case 'transaction':
      return `transaction on ${note.network}: ${note.status}${'hash' in note ? ` ${note.hash}` : ''}${because(note)}`
    case 'bridge':
      return `bridge ${note.from} -> ${note.to}: ${note.status}${because(note)}${'refund' in note ? `, refunded in ${note.refund}` : ''}`
    case 'event':
      return `event ${note.cursor}: activity ${note.activity_id} is ${note.activity_status}`
    case 'stale':
      return sentenceOf({ ...note, hashes: note.hashes ?? [] })
    case 'fault':
      return `fault rule ${note.rule} fired${'effect' in note ? `: ${note.effect}` : ''}`
  }
}

function because(note: object & { reason?: string }): string {
  return note.reason ? ` (${note.reason})` : ''
}
