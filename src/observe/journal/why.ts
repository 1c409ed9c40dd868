import { type ActivityRecord, activityKey } from '../../service/store/store.js'
import { foldReads, type OrderedMoment } from './foldReads.js'
import { type Mark, noteOf, type RecordedRequest } from './journal.js'
import { isOn, type Lives, livesOf } from './lives.js'
import { isAboutOneOf, momentsIn, momentsOfActivity } from './moments.js'
import { beginningNear, earlierText, isGoneSince, lifeOf, lifeOfRule } from './ownLife.js'
import { textOfVerdict } from './verdictText.js'
import type { StoreRecords, Why, WhySources } from './whySchema.js'

/** The most moments in a timeline; the newest stay. */
const maxMoments = 1_000

/**
 * The timeline of an account, plan, activity, intent, request or fault rule, over HTTP, plan, signature, transactions, bridge fills, events
 * and faults. Undefined when neither the journal nor the store knows the id. Of several lives with the id, it is that of the present one, or
 * else of the newest; `near`, a place in the journal, asks for the life there.
 */
export async function explain(
  id: string,
  sources: WhySources,
  near?: number,
): Promise<Why | undefined> {
  const { journal } = sources
  const subject = await subjectOf(id, sources, near)
  const { request, isRule, ids, life, records } = subject
  const { account, activity, planId } = records
  const { exchanges, line, earlier } = life
  if (exchanges.length === 0 && !account && !activity && !planId && !isRule) return undefined
  const isOfActivity = !request && !isRule && !id.startsWith('acc_')
  const own = isOfActivity ? activitiesOf(ids, exchanges) : undefined
  const moments = await momentsIn(exchanges, sources, own)
  const shown = foldReads(moments, exchanges)
  const told = line.end ? shown : withUndone(shown, livesOf(journal.marks()))
  const [{ inTheirTime, verdictOf }, { shownVerdict }] = await Promise.all([
    import('./verdictOf.js'),
    import('./shownVerdict.js'),
  ])
  const ledTo = request && activity && (await verdictLedTo(activity, sources))
  // The verdict joins what is on one line; the timeline shows what a restore has undone, too.
  const isOfLine = ({ order }: { order: number }): boolean => isOn(line, order)
  const facts = {
    ...{ id, moments: moments.filter(isOfLine), exchanges: exchanges.filter(isOfLine) },
    ...{ request, ledTo, undone: line.end, ...records },
  }
  const verdict = await verdictOf(isRule ? { ...facts, isRule } : facts, sources)
  const hasBegun = hasBeginning(ids, exchanges, request)
  return {
    id,
    related: {
      account_id: account?.accountId ?? activity?.accountId ?? null,
      plan_id: activity?.planId ?? planId ?? null,
      activity_id: activity?.activityId ?? null,
      svc_intent_id: activity?.intentId ?? null,
    },
    timeline: inTheirTime(told.slice(-maxMoments), verdict).map(
      ({ order: _, of: cursor = null, at, request_id, ...moment }) => ({
        ...{ at, request_id, cursor },
        ...moment,
      }),
    ),
    activity: activity
      ? {
          status: activity.status,
          reasons: activity.metadata.flatMap((item) => item.revert_reason ?? []),
        }
      : null,
    now: `${textOfVerdict(verdict)}${earlier ? earlierText(id, earlier) : ''}`,
    verdict: shownVerdict(verdict, sources.rules),
    is_complete:
      shown.length <= maxMoments &&
      !sources.rules.some((rule) => isRule && rule.id === id && rule.earlier_hits) &&
      (journal.dropped === 0 || hasBegun) &&
      // This process made everything whose beginning is in the journal; the rest comes from the data folder.
      (!hasCreation(id, records) || hasBegun),
  }
}

/** What is there now is not explained by what a restore has taken back. */
function withUndone(
  moments: readonly OrderedMoment[],
  { undoneBy }: Lives<Mark>,
): readonly OrderedMoment[] {
  return moments.map((moment) => {
    const { order, type, details } = moment
    const snapshot = type === 'restore' ? undefined : undoneBy(order)?.snapshot
    return snapshot ? { ...moment, details: { ...details, undone_by: snapshot.id } } : moment
  })
}

/** What an id means: the records that the store has of it, its other ids, and its part of the journal. */
async function subjectOf(id: string, sources: WhySources, near: number | undefined) {
  const { journal, rules } = sources
  const lives = livesOf(journal.marks())
  const all = journal.all()
  const named = all.filter(({ requestId }) => requestId === id)
  const request =
    (near === undefined ? undefined : beginningNear(named, near, lives)) ?? named.at(-1)
  const isRule = !request && knowsRule(id, sources)
  const isOver = !request && near !== undefined && isGoneSince(near, id, { all, lives })
  const records =
    isRule || isOver ? {} : await lookUpFirst(request ? idsOf(request, lives) : [id], sources)
  const { account, activity, planId } = records
  // A number alone occurs in too many texts to be searched.
  const name = typeof activityKey(id) === 'string' ? id : undefined
  // A request shows only its own consequences; the plan's id shows the rest of the plan's life.
  const names = request
    ? [id]
    : [name, activity?.activityId, activity?.planId, activity?.intentId, planId]
  const ids = [...new Set(names.filter((name) => typeof name === 'string'))]
  const ever = all.filter((each) => (isRule ? hasFired(id, each) : isAboutOneOf(each, ids)))
  const isArmed = rules.some((rule) => rule.id === id)
  const isHere = request ? !lives.undoneBy(request.order) : account !== undefined
  const life = isRule
    ? lifeOfRule(ever, lives, isArmed)
    : lifeOf(ever, ids, { marks: journal.marks(), isHere, near })
  return { request, isRule, ids, life, records }
}

/** The verdict on the activity that a request has led to. */
async function verdictLedTo(activity: ActivityRecord, sources: WhySources) {
  const [{ withLack }, { activityVerdict }] = await Promise.all([
    import('./verdictOf.js'),
    import('./activityVerdict.js'),
  ])
  const moments = await momentsOfActivity(activity, sources)
  return withLack(activityVerdict(activity, moments, sources, true), activity, sources)
}

/** The ids, and those of the activities that were recorded under them. */
function activitiesOf(
  ids: readonly string[],
  exchanges: readonly RecordedRequest[],
): ReadonlySet<string> {
  const own = new Set(ids)
  for (const { text } of exchanges.flatMap(({ notes }) => notes)) {
    const note = ids.some((id) => text.includes(id)) ? noteOf({ text }) : undefined
    if (note?.type === 'activity' || note?.type === 'transaction' || note?.type === 'bridge')
      own.add(note.activity_id)
  }
  return own
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

/** The ids that a request was about: what it led to first, unless a restore has undone that, and its account last. */
function idsOf({ url, notes }: RecordedRequest, lives: Lives): string[] {
  const shown = notes.filter(({ order }) => !lives.undoneBy(order)).map(noteOf)
  const execution = shown.find((note) => note.type === 'activity')
  const plan = shown.find((note) => note.type === 'plan')
  const [, accountId] = /^\/accounts\/(acc_[^/?]+)/.exec(url) ?? []
  return [execution?.activity_id, plan?.plan_id, accountId].filter((id) => id !== undefined)
}

/** Whether a request created it: an account, and what came of a plan. Other activities come from transfers. */
function hasCreation(id: string, { account, activity, planId }: StoreRecords): boolean {
  return account?.accountId === id || planId !== undefined || typeof activity?.planId === 'string'
}

/** Whether the journal has the request with which the id began: then nothing older can belong to it. */
function hasBeginning(
  ids: readonly string[],
  exchanges: readonly RecordedRequest[],
  request: RecordedRequest | undefined,
): boolean {
  const [first] = exchanges
  if (!first || request) return request !== undefined
  if (first.method === 'POST' && first.url === '/accounts') return true
  return first.notes.map(noteOf).some((note) => note.type === 'plan' && ids.includes(note.plan_id))
}

/** The records of the first id that the store knows. */
async function lookUpFirst(ids: readonly string[], sources: WhySources): Promise<StoreRecords> {
  for (const id of ids) {
    const records = await lookUp(id, sources)
    if (records.account) return records
  }
  return {}
}

/** The store's records of an id, of any prime account: the control API is not limited to one. */
export async function lookUp(id: string, { store, primeIds }: WhySources): Promise<StoreRecords> {
  for (const primeId of primeIds)
    for (const account of await store.accounts(primeId)) {
      if (account.accountId === id) return { account }
      if (await store.plan(account.accountId, id)) return { account, planId: id }
      const activity =
        (await store.activity(account.accountId, activityKey(id))) ??
        (await store.activities(account.accountId)).find((candidate) =>
          [candidate.planId, candidate.intentId, ...hashesIn(candidate)].includes(id),
        )
      if (activity) return { account, activity }
    }
  return {}
}

function hashesIn({ metadata }: ActivityRecord): (string | null)[] {
  return metadata.map(({ transaction_hash }) => transaction_hash)
}
