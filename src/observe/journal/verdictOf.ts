import { lastingOf } from '../../faults/effects/index.js'
import { isSpent, type RuleView } from '../../faults/rules/faultRules.js'
import { rulesStopping } from '../../faults/rules/stoppages.js'
import { effectText } from '../../faults/rules/view.js'
import { jsonOrText } from '../../lib/json.js'
import type { StaleCause } from '../../service/context/requestContext.js'
import { pastCause } from '../../service/plans/execute/causeSentence.js'
import type { AccountRecord, ActivityRecord } from '../../service/store/store.js'
import { activityVerdict, faultsOfUndone, firedIn } from './activityVerdict.js'
import { executedFor, planRequestOf, repeatedBy } from './executedBefore.js'
import type { OrderedMoment } from './foldReads.js'
import { type Mark, noteOf, problemIn, type RecordedRequest } from './journal.js'
import { isUndoable } from './lives.js'
import { momentsOfActivity } from './moments.js'
import { isBystander } from './nextStep.js'
import { endCause } from './planEnds.js'
import {
  absentVerdict,
  causeNow,
  isFunded,
  isOther,
  overtakenSince,
  planOfRequest,
  planVerdict,
  signerIn,
} from './planVerdict.js'
import type {
  AccountVerdict,
  ActivityVerdict,
  RequestVerdict,
  RuleVerdict,
  Verdict,
} from './verdict.js'
import type { WhyFacts, WhySources } from './whySchema.js'

// Loaded when somebody asks why.

export async function verdictOf(facts: WhyFacts, sources: WhySources): Promise<Verdict> {
  const { id, request, account, activity, planId, isRule, moments, undone } = facts
  if (isRule) return ruleVerdict(facts, sources)
  if (request) {
    const verdict = requestVerdict(request, facts, sources)
    if (undone && isUndoable(request))
      return withEnd(verdict, request, { account, undone, moments }, sources)
    return withPresent(verdict, request, account, sources)
  }
  if (activity) {
    const verdict = activityVerdict(activity, moments, sources)
    return withLack(verdict, activity, sources)
  }
  if (account && planId) return planVerdict(account, { planId, moments }, sources)
  if (account) return accountVerdict(facts, sources)
  const last = moments.findLast(({ type, details }) => type === 'event' && details.activity_status)
  const was = last && !id.startsWith('acc_') && wasOf(last, moments, undone)
  const verdict = await absentVerdict(id, moments, sources)
  if (verdict.outcome !== 'gone') return verdict
  const cause = verdict.cause ?? (undone && endCause(undone))
  if (!was) return { ...verdict, cause }
  const { activityId: _, status, ...because } = was
  return { ...verdict, cause, was: status, ...because }
}

/** How an activity stood at its last event before a reset or restore undid it, and because of what. */
function wasOf(
  { details }: Pick<OrderedMoment, 'details'>,
  moments: readonly OrderedMoment[],
  undone: Mark | undefined,
): NonNullable<RequestVerdict['was']> {
  const [activityId, status] = [`${details.activity_id}`, `${details.activity_status}`]
  if (status === 'pending') return { activityId, status, ...undone?.held?.[activityId] }
  const faults = status === 'failed' ? faultsOfUndone(activityId, moments) : []
  return { activityId, status, ...(faults.length > 0 && { faults }) }
}

/** Of a request that a restore or reset has undone: that, how its activity stood then, and what became of the plan to be executed. */
async function withEnd(
  verdict: RequestVerdict,
  request: RecordedRequest,
  { account, undone, moments }: Pick<WhyFacts, 'account' | 'moments'> & { undone: Mark },
  sources: WhySources,
): Promise<RequestVerdict> {
  const begun = moments.find(({ type }) => type === 'activity')?.details.activity_id
  const last = moments.findLast(
    ({ type, details }) => type === 'event' && details.activity_id === begun,
  )
  const pending = { details: { activity_id: begun, activity_status: 'pending' } }
  const was = begun !== undefined && wasOf(last ?? pending, moments, undone)
  const isExecution = /\/plan\/execute(\?|$)/.test(request.url)
  const plan = isExecution ? await planOfRequest(request, account, sources) : undefined
  return { ...verdict, undone: endCause(undone), ...(was && { was }), ...(plan && { plan }) }
}

/**
 * Of a failed activity: with what its wallet has executed since, and what the account lacks now to ask for its plan again. Of a confirmed one:
 * with the execution that it repeats.
 */
export async function withLack(
  verdict: ActivityVerdict,
  activity: ActivityRecord,
  sources: WhySources,
): Promise<ActivityVerdict> {
  const { planId, accountId, createdAtMs } = activity
  if (verdict.outcome !== 'failed') return withRepeated(verdict, activity, sources)
  if (planId === null) return verdict
  const { store, shortNow } = sources
  const account = (await store.allAccounts()).find((each) => each.accountId === accountId)
  if (!account) return verdict
  const overtaken = await overtakenSince({ planId, madeMs: createdAtMs }, account, sources)
  const asked = await planRequestOf(planId, account, sources)
  const lacks = asked && (await shortNow(account, asked))?.short
  return { ...verdict, ...(lacks && { lacks }), ...(overtaken && { overtaken }) }
}

async function withRepeated(
  verdict: ActivityVerdict,
  activity: ActivityRecord,
  sources: WhySources,
): Promise<ActivityVerdict> {
  const repeated = await repeatedBy(activity, sources)
  return repeated ? { ...verdict, repeated } : verdict
}

/** With what became of the plan whose execution was refused, or with what the account lacks now for a plan that was, for whatever reason. */
async function withPresent(
  verdict: RequestVerdict,
  request: RecordedRequest,
  account: AccountRecord | undefined,
  sources: WhySources,
): Promise<RequestVerdict> {
  const { method, url, body } = request
  const [, kind] = /^\/accounts\/[^/]+\/plan\/([\w-]+)/.exec(url) ?? []
  const isOpen = verdict.outcome !== 'refused' && verdict.outcome !== 'cut'
  if (method !== 'POST' || kind === undefined || isOpen) return verdict
  if (kind === 'execute') {
    const isOfPlan = verdict.code === 'plan_stale' || verdict.code === 'plan_not_found'
    const plan = await planOfRequest(request, account, sources)
    // A refusal for another reason leaves the plan as it was, in most cases.
    if (!plan) return verdict
    if (plan.outcome === 'executed' && plan.status === 'failed') {
      const ran = await sources.store.activity(account!.accountId, plan.activityId)
      const own = activityVerdict(ran!, await momentsOfActivity(ran!, sources), sources)
      return { ...verdict, plan: { ...plan, failed: await withLack(own, ran!, sources) } }
    }
    if (!isOfPlan && plan.outcome === 'ready')
      return { ...verdict, ...(plan.overtaken && { overtaken: plan.overtaken }) }
    return { ...verdict, ...withOwnCause(verdict, plan) }
  }
  if (!account) return verdict
  const asked = { kind, body: jsonOrText(body ?? '') }
  const now = await sources.shortNow(account, asked)
  const lacks = now?.short
  const { short, beyond } = verdict
  const about = { order: request.order, asked, ...(short && { short }), ...(lacks && { lacks }) }
  const overtaken = await executedFor(about, account, sources)
  return {
    ...verdict,
    // A plan lacks funds only after its position was found to suffice.
    ...(now && (beyond || (short && !lacks)) && { isFunded: true }),
    ...(lacks && { lacks }),
    ...(overtaken && { overtaken }),
  }
}

/** A refusal as stale keeps its own cause. That of a later one, or of now, is another sentence. */
function withOwnCause(
  { cause, code }: RequestVerdict,
  plan: NonNullable<RequestVerdict['plan']>,
): Pick<RequestVerdict, 'cause' | 'plan'> {
  if (!cause || code !== 'plan_stale') return { plan }
  if (plan.outcome !== 'stale')
    return plan.outcome === 'expired' ? { plan } : { plan, cause: pastCause(cause) }
  const isLater = !plan.expiredAt && isOther(plan.cause, cause)
  const present = plan.present ?? (isLater ? plan.cause : undefined)
  return present ? { plan: { ...plan, present }, cause: pastCause(cause) } : { plan }
}

/** The causes that a verdict tells in the present. */
function causesIn(verdict: object | undefined): StaleCause[] {
  const { cause, present, plan, refused } = (verdict ?? {}) as {
    cause?: StaleCause
    present?: StaleCause
    plan?: object
    /** Of a plan a text. */
    refused?: RequestVerdict | string
  }
  const own = [cause, present].filter((each) => each !== undefined)
  const last = typeof refused === 'object' ? causesIn(refused) : []
  return [...own, ...(plan ? causesIn(plan) : []), ...last]
}

/** Tells the causes of refusals in the past, but for those that the verdict tells in the present. */
export function inTheirTime(
  moments: readonly OrderedMoment[],
  verdict: Verdict,
): readonly OrderedMoment[] {
  const present = causesIn(verdict)
  return moments.map((moment) => {
    if (moment.type !== 'cause') return moment
    const cause = moment.details as unknown as StaleCause
    const isPresent = (each: StaleCause) => each.reason === cause.reason && !isOther(each, cause)
    if (present.some(isPresent)) return moment
    return { ...moment, title: moment.title.replace(cause.reason, () => pastCause(cause).reason) }
  })
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
  const verdicts = all.map(async (record) => {
    const verdict = activityVerdict(record, moments, sources)
    return { record, verdict: await withRepeated(verdict, record, sources) }
  })
  // The latest one, and earlier ones that were not simply confirmed.
  const told = (await Promise.all(verdicts)).filter(
    ({ verdict: { outcome, lost, repeated } }, place) =>
      place === 0 || outcome !== 'confirmed' || lost || repeated,
  )
  const failed = told.find(({ verdict }) => verdict.outcome === 'failed')
  const activities = await Promise.all(
    told.map((each) =>
      each === failed ? withLack(each.verdict, each.record, sources) : each.verdict,
    ),
  )
  const refused = lastRefusal(exchanges, all.length > 0 ? planning : /^/)
  const last = refused && requestVerdict(refused, { moments }, sources)
  const open = exchanges.findLast(({ answer, url }) => !answer && planning.test(url))
  return {
    outcome: all.length > 0 ? 'active' : 'idle',
    counts,
    activities,
    ...(last && { refused: await withPresent(last, refused, account, sources) }),
    ...(open && { open: { ...requestVerdict(open, { moments }, sources), id: open.requestId } }),
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
  request: RecordedRequest,
  { moments, ledTo }: Pick<WhyFacts, 'moments' | 'ledTo'>,
  { journal }: WhySources,
): RequestVerdict {
  const { requestId, method, url, notes, answer } = request
  const signer = signerIn(request)
  const fired = firedIn(moments).filter(
    ({ ends, moment }) => moment.request_id === requestId && !ends && !moment.details.event,
  )
  const known = notes.map(noteOf)
  const stale = known.find((note) => note.type === 'stale') as StaleCause | undefined
  const since = answer?.order ?? 0
  const cause = stale && causeNow(stale, since, journal)
  const short = known.find((note) => note.type === 'short')
  const beyond = known.find((note) => note.type === 'beyond')
  const common = {
    method,
    url,
    ...(cause && { cause }),
    ...(short && { short, isFunded: isFunded(short, since, journal) }),
    ...(beyond && { beyond }),
    ...(signer && { signer }),
    ...(ledTo && { activity: ledTo }),
  }
  if (!answer) return { outcome: 'open', ...common, faults: fired, bystanders: [] }
  if (answer.cut) return { outcome: 'cut', ...common, faults: fired, bystanders: [] }
  const { status } = answer
  // The rules that fired did not cause a good answer.
  if (status < 400) return { outcome: 'answered', status, ...common, faults: fired, bystanders: [] }
  const { error: code, message } = problemIn(answer.text)
  const bystanders = fired.filter(({ effect }) => isBystander(effect, { code, signer }))
  const hint = answer.headers['x-svc-sim-hint']
  // The message alone does not say which key signed.
  const whole = code === 'internal_error' && hint ? `${message}: ${hint}` : message
  return {
    outcome: 'refused',
    status,
    ...(code !== undefined && { code }),
    ...(whole !== undefined && { message: whole }),
    ...common,
    faults: fired.filter((each) => !bystanders.includes(each)),
    bystanders,
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
  const { hits, earlier_hits: earlier, seen, times, over } = rule
  const outcome = isSpent(rule) ? 'ended' : 'armed'
  const what = `${stepText(rule)}${matchText(rule.match)}`
  const stands = rulesStopping([rule]).length > 0
  // A stopped network holds others than those that met its rule, and the journal lacks the requests of an earlier start.
  const underWay = stands || earlier ? await sources.store.executions() : []
  const accounts = new Map([
    ...activities.map((each) => [each.id, each.of] as const),
    ...underWay.map(({ activity }) => [activity.activityId, activity.accountId] as const),
  ])
  const records = await Promise.all(
    [...accounts].map(([activity, of]) => sources.store.activity(of, activity)),
  )
  const holds = records.flatMap((activity) => {
    if (activity?.status !== 'pending') return []
    const { faults, waiting } = activityVerdict(activity, moments, sources)
    const standing = waiting && 'standing' in waiting ? waiting.standing : []
    const isHeld = [...faults, ...standing].some(
      (fault) => fault.rule === id && lastingOf(fault.effect) === 'holds',
    )
    return isHeld ? [`activity ${activity.activityId}`] : []
  })
  const [settings] = typeof rule.effect === 'object' ? Object.values(rule.effect) : []
  const { ms } = (settings ?? {}) as { ms?: number }
  const hasChanged = [...names].some((name) => lastingOf(name) === 'changes')
  const counts = { hits, earlier, seen, times, ...(over && { lasted: ms! }) }
  const common = { outcome, id, what, ...counts, met: texts, holds, hasChanged } as const
  return { ...common, ...(stands && { stands }) }
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
