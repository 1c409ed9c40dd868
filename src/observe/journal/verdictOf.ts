import { lastingOf } from '../../faults/effects/index.js'
import type { RuleView } from '../../faults/rules/faultRules.js'
import { effectText } from '../../faults/rules/view.js'
import { jsonOrText } from '../../lib/json.js'
import type { Shortfall, StaleCause } from '../../service/context/requestContext.js'
import type { AccountRecord, ActivityRecord } from '../../service/store/store.js'
import { isoSeconds } from '../../time/clock.js'
import { activityVerdict, firedIn } from './activityVerdict.js'
import { type Journal, noteOf, type RecordedRequest, type TimedNote } from './journal.js'
import { neverRefuses } from './nextStep.js'
import { type PlanEnd, planEnds } from './planEnds.js'
import {
  type AccountVerdict,
  type ActivityVerdict,
  namedFault,
  type PlanVerdict,
  type RequestVerdict,
  type RuleVerdict,
  type Verdict,
} from './verdict.js'
import type { WhyFacts, WhySources } from './whySchema.js'

// Loaded when somebody asks why.

export async function verdictOf(facts: WhyFacts, sources: WhySources): Promise<Verdict> {
  const { id, request, account, activity, planId, isRule, moments } = facts
  if (isRule) return ruleVerdict(facts, sources)
  if (request) {
    const verdict = requestVerdict(request, facts, sources)
    return withLackNow(verdict, request, account, sources)
  }
  if (activity) {
    const verdict = activityVerdict(activity, moments, sources)
    return withLack(verdict, activity, sources)
  }
  if (account && planId) return planVerdict(facts, sources)
  if (account) return accountVerdict(facts, sources)
  const end = endOf(id, sources)
  if (end?.outcome === 'stale') return { outcome: 'stale', cause: end.cause }
  if (end?.outcome === 'expired') return expired(end, facts)
  const last = moments.findLast(({ type, details }) => type === 'event' && details.activity_status)
  const was = last && !id.startsWith('acc_') && { was: String(last.details.activity_status) }
  return { outcome: 'gone', id, cause: end?.cause ?? refusalOf(id, facts, sources), ...was }
}

async function planVerdict(facts: WhyFacts, sources: WhySources): Promise<PlanVerdict> {
  const planId = facts.planId!
  const plan = await sources.store.plan(facts.account!.accountId, planId)
  const { expiresAtMs = 0 } = plan ?? {}
  const cause = refusalOf(planId, facts, sources)
  const end = endOf(planId, sources)
  const at = isoSeconds(expiresAtMs)
  const found = await sources.staleNow(facts.account!, { planId })
  if (cause && cause.changed !== 'expiry')
    // What the other plan did with the nonce may have been open at the refusal.
    return { outcome: 'stale', cause: cause.changed === 'nonce' && found ? found : cause }
  if (expiresAtMs > sources.nowMs)
    return found ? { outcome: 'stale', cause: found } : { outcome: 'ready', until: at }
  const isOvertaken = found?.activity_id !== undefined && !found.is_other_wallet
  const over = expired(end?.outcome === 'expired' ? end : { at }, facts)
  return { ...over, ...(isOvertaken && { cause: found }) }
}

/** How a plan ended, by the journal. */
function endOf(planId: string, { journal, nowMs }: WhySources): PlanEnd | undefined {
  return planId.startsWith('pln_')
    ? planEnds(journal, nowMs, { id: planId }).get(planId)
    : undefined
}

/** Never executed, and over; `by` is the rule that ended it early. */
function expired(
  { at, by }: Omit<Extract<PlanEnd, { outcome: 'expired' }>, 'outcome'>,
  { moments }: WhyFacts,
) {
  const fired = firedIn(moments).filter(
    ({ rule, effect }) => rule === by?.rule && effect === by.effect,
  )
  const faults = by && fired.length === 0 ? [namedFault(by, 'made the plan expire')] : fired
  return { outcome: 'expired', at, faults } as const
}

/** With what the account lacks now to ask for the plan of a failed activity again. */
export async function withLack(
  verdict: ActivityVerdict,
  { planId, accountId }: ActivityRecord,
  { journal, store, shortNow }: WhySources,
): Promise<ActivityVerdict> {
  if (verdict.outcome !== 'failed' || planId === null) return verdict
  const account = (await store.allAccounts()).find((each) => each.accountId === accountId)
  const made = journal.all().findLast(({ notes }) => notes.some((each) => kindMade(each, planId)))
  const kind = made?.notes.map((each) => kindMade(each, planId)).find((each) => each !== undefined)
  if (!account || kind === undefined) return verdict
  const lacks = await shortNow(account, { kind, body: jsonOrText(made?.body ?? '') })
  return lacks ? { ...verdict, lacks } : verdict
}

/** With what the account lacks now for a plan request that was refused, for whatever reason. */
async function withLackNow(
  verdict: RequestVerdict,
  { method, url, body }: RecordedRequest,
  account: AccountRecord | undefined,
  { shortNow }: WhySources,
): Promise<RequestVerdict> {
  const [, kind = 'execute'] = /^\/accounts\/[^/]+\/plan\/([\w-]+)/.exec(url) ?? []
  const isOpen = verdict.outcome !== 'refused' && verdict.outcome !== 'cut'
  if (!account || method !== 'POST' || kind === 'execute' || isOpen) return verdict
  const lacks = await shortNow(account, { kind, body: jsonOrText(body ?? '') })
  return lacks ? { ...verdict, lacks } : verdict
}

/** The kind of the plan, in the note of the request that made it. */
function kindMade(timed: TimedNote, planId: string): string | undefined {
  const note = timed.text.includes(planId) ? noteOf(timed) : undefined
  return note?.type === 'plan' && note.plan_id === planId ? note.kind : undefined
}

/** Why the plan was refused last, in this life: a restore may have brought back what it needs. */
function refusalOf(
  planId: string,
  { exchanges }: WhyFacts,
  { journal }: WhySources,
): StaleCause | undefined {
  const lifeBegan = journal.marks().at(-1)?.order ?? 0
  for (const { notes } of exchanges.toReversed())
    for (const timed of notes.toReversed()) {
      const note = timed.order > lifeBegan ? noteOf(timed) : undefined
      if (note?.type === 'stale' && note.plan_id === planId)
        return causeNow(note as StaleCause, timed.order, journal)
    }
  return undefined
}

/** The cause, without what was missing if the faucet has given that since. */
function causeNow(cause: StaleCause, since: number, journal: Journal): StaleCause {
  const { short, is_refused: _, ...rest } = cause
  return short && isFunded(short, since, journal) ? rest : cause
}

/** Whether the faucet has given since then what was missing. */
function isFunded(short: Shortfall, since: number, journal: Journal): boolean {
  const gifts = journal.all().flatMap(({ order, url, body, answer }) => {
    const isGift = order > since && url.endsWith('/fund') && answer?.status === 200
    return isGift && body !== undefined ? [jsonOrText(body) as Partial<Shortfall>] : []
  })
  const given = gifts
    .filter((gift) =>
      (['account_id', 'asset', 'network'] as const).every((key) => gift[key] === short[key]),
    )
    .reduce((sum, { amount = 0 }) => sum + BigInt(amount), 0n)
  return given >= BigInt(short.amount)
}

async function accountVerdict(
  { account, moments, exchanges }: WhyFacts,
  sources: WhySources,
): Promise<AccountVerdict> {
  const all = await sources.store.activities(account!.accountId)
  const counts = (['confirmed', 'failed', 'pending'] as const).flatMap((status) => {
    const count = all.filter((each) => each.status === status).length
    return count === 0 ? [] : [{ status, count }]
  })
  const told = all
    .map((record) => ({ record, verdict: activityVerdict(record, moments, sources) }))
    // The latest one, and earlier ones that were not simply confirmed.
    .filter(
      ({ verdict: { outcome, lost } }, place) => place === 0 || outcome !== 'confirmed' || lost,
    )
  const failed = told.find(({ verdict }) => verdict.outcome === 'failed')
  const activities = await Promise.all(
    told.map((each) =>
      each === failed ? withLack(each.verdict, each.record, sources) : each.verdict,
    ),
  )
  const refused = lastRefusal(exchanges, all.length > 0 ? planning : /^/)
  const own = moments.filter(({ request_id }) => request_id === refused?.requestId)
  const last = refused && requestVerdict(refused, { moments: own }, sources)
  return {
    outcome: all.length > 0 ? 'active' : 'idle',
    counts,
    activities,
    ...(last && { refused: await withLackNow(last, refused, account, sources) }),
  }
}

/** The last refusal of a request to such a URL that executed nothing, unless a plan was made or executed since. */
function lastRefusal(
  exchanges: readonly RecordedRequest[],
  of: RegExp,
): RecordedRequest | undefined {
  const isRefusal = ({ answer, notes }: RecordedRequest) =>
    answer &&
    (answer.cut || answer.status >= 400) &&
    !notes.some((note) => noteOf(note).type === 'activity')
  const last = exchanges.findLast(
    (each) => each.answer && (planning.test(each.url) || (isRefusal(each) && of.test(each.url))),
  )
  return last && isRefusal(last) ? last : undefined
}

/** URLs of requests that make or execute plans. */
const planning = /^\/accounts\/[^/]+\/plan\//

/** How the request was answered, and what became of the activity that it led to. */
function requestVerdict(
  { requestId, method, url, notes, answer }: RecordedRequest,
  { moments, ledTo }: Pick<WhyFacts, 'moments' | 'ledTo'>,
  { journal }: WhySources,
): RequestVerdict {
  const fired = firedIn(moments).filter(
    ({ ends, moment }) => moment.request_id === requestId && !ends && !moment.details.event,
  )
  const known = notes.map(noteOf)
  const stale = known.find((note) => note.type === 'stale') as StaleCause | undefined
  const since = answer?.order ?? 0
  const cause = stale && causeNow(stale, since, journal)
  const short = known.find((note) => note.type === 'short')
  const common = {
    method,
    url,
    ...(cause && { cause }),
    ...(short && { short, isFunded: isFunded(short, since, journal) }),
    ...(ledTo && { activity: ledTo }),
  }
  if (!answer) return { outcome: 'open', ...common, faults: fired, bystanders: [] }
  if (answer.cut) return { outcome: 'cut', ...common, faults: fired, bystanders: [] }
  const { status } = answer
  // The rules that fired did not cause a good answer.
  if (status < 400) return { outcome: 'answered', status, ...common, faults: fired, bystanders: [] }
  const bystanders = fired.filter(({ effect }) => neverRefuses.test(effect))
  const { error: code, message } = problemIn(answer.text)
  return {
    outcome: 'refused',
    status,
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...common,
    faults: fired.filter((each) => !bystanders.includes(each)),
    bystanders,
  }
}

function problemIn(text: string | undefined): { error?: string; message?: string } {
  try {
    return JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
}

/** What a fault rule is, how often it fired, and which requests and activities it met. */
async function ruleVerdict(
  { id, moments, exchanges }: WhyFacts,
  sources: WhySources,
): Promise<RuleVerdict> {
  const { rules } = sources
  const rule = rules.find((each) => each.id === id)
  const fired = moments.filter(
    ({ type, details }) => type === 'fault' && details.rule === id && details.effect !== undefined,
  )
  const names = new Set(
    fired.map(({ details: { effect, settings } }) =>
      effectText(String(effect), settings as object | undefined),
    ),
  )
  const requests = new Set(fired.map(({ request_id }) => request_id))
  const met = exchanges.filter(({ requestId }) => requests.has(requestId))
  const activities = met.flatMap(({ url, notes }) =>
    notes
      .map(noteOf)
      .flatMap((note) =>
        note.type === 'activity' ? [{ of: url.split('/')[2]!, id: note.activity_id }] : [],
      ),
  )
  const texts = [
    ...newest(met.map(({ requestId, method, url }) => `${method} ${url} (${requestId})`)),
    ...newest([...new Set(activities.map((activity) => `activity ${activity.id}`))]),
  ]
  if (!rule) {
    const what = [...names].join(', ')
    const hits = fired.length
    const counts = { hits, seen: hits, times: undefined }
    return { outcome: 'removed', id, what, ...counts, met: texts, holds: [] }
  }
  const { hits, seen, times } = rule
  const outcome = times !== undefined && hits >= times ? 'ended' : 'armed'
  const what = `${stepText(rule)}${matchText(rule.match)}`
  const records = await Promise.all(
    activities.map((each) => sources.store.activity(each.of, each.id)),
  )
  const holds = records.flatMap((activity) => {
    if (activity?.status !== 'pending') return []
    const { faults } = activityVerdict(activity, moments, sources)
    const isHeld = faults.some((fault) => fault.rule === id && lastingOf(fault.effect) === 'holds')
    return isHeld ? [`activity ${activity.activityId}`] : []
  })
  return { outcome, id, what, hits, seen, times, met: texts, holds }
}

function stepText({ on, effect, sequence }: RuleView): string {
  if (sequence) return `${on} ${JSON.stringify(sequence)}`
  const [[name, settings] = []] = Object.entries(typeof effect === 'object' ? effect : {})
  return name === undefined ? `${on}.${effect}` : `${on}.${name} ${JSON.stringify(settings)}`
}

function matchText(match: Record<string, string>): string {
  const texts = Object.entries(match).map(([key, value]) => `${key} ${value}`)
  return texts.length === 0 ? '' : ` for ${texts.join(', ')}`
}

/** The most names in a verdict. The timeline has the others. */
const named = 5

function newest(all: readonly string[]): string[] {
  const before = all.length - named
  return [...(before > 0 ? [`${before} others`] : []), ...all.slice(-named)]
}
