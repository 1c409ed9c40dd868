import { jsonOrText } from '../../lib/json.js'
import type { Shortfall, StaleCause } from '../../service/context/requestContext.js'
import { overtakenBy, undoneCause } from '../../service/plans/execute/cause.js'
import { pastCause } from '../../service/plans/execute/causeSentence.js'
import type { AccountRecord } from '../../service/store/store.js'
import { isoSeconds } from '../../time/clock.js'
import { firedIn } from './activityVerdict.js'
import { firstOf, lostExecutions, planRequestOf } from './executedBefore.js'
import { type Journal, type Mark, noteOf, problemIn, type RecordedRequest } from './journal.js'
import { isOn, livesOf } from './lives.js'
import { isBystander } from './nextStep.js'
import { type PlanEnd, planEnds } from './planEnds.js'
import { namedFault, type PlanVerdict, type RequestVerdict } from './verdict.js'
import type { WhyFacts, WhySources } from './whySchema.js'

type Moments = WhyFacts['moments']

/** What became of a plan that the store has. */
export async function planVerdict(
  account: AccountRecord,
  { planId, moments }: { planId: string; moments: Moments },
  sources: WhySources,
): Promise<PlanVerdict> {
  const { expiresAtMs = 0 } = (await sources.store.plan(account.accountId, planId)) ?? {}
  const refused = refusalOf(planId, sources, ({ changed }) => changed !== 'expiry')
  const now = await sources.staleNow(account, { planId })
  const found = now?.cause && asTold(now.cause, refused)
  const at = isoSeconds(expiresAtMs)
  const overtaken = await overtakenSince({ planId }, account, sources)
  if (expiresAtMs > sources.nowMs) {
    const cause = now ? found : refused
    if (cause) return stale(cause, refused, overtaken)
    const faults = rulesThatRefused(planId, moments, sources)
    const attempt = executionOf(planId, sources)
    const open = openExecution(planId, moments, sources)
    const refusal = faults.length === 0 ? refusalText(attempt) : undefined
    const signer = attempt && signerIn(attempt)
    const done = attempt ? overtaken : firstOf(await lostBut(planId, account, sources))
    return {
      ...{ outcome: 'ready', until: at },
      ...(faults.length > 0 && { faults }),
      ...(refusal !== undefined && { refused: refusal }),
      ...(signer && { signer }),
      ...(done && { overtaken: done }),
      ...(open && { open }),
    }
  }
  // Nothing but its time is in its way now.
  const was = refused && now && !found ? pastCause(refused) : refused
  const end = endOf(planId, sources)
  if (was) return { ...stale(found ?? was, was, overtaken), expiredAt: at }
  const over = expired(end?.outcome === 'expired' ? end : { at }, planId, moments, sources)
  const own = found && isOwn(found) ? [found] : []
  const cause = firstOf([...own, ...(overtaken ? [overtaken] : [])])
  return { ...over, ...(cause && { cause }) }
}

/** The rules because of which the last execution of a plan was refused or lost, in this life. */
function rulesThatRefused(planId: string, moments: Moments, sources: WhySources) {
  const last = executionOf(planId, sources)
  if (!last?.answer) return []
  const known = { code: problemIn(last.answer.text).error, signer: signerIn(last) }
  return firedIn(moments).filter(
    ({ effect, ends, moment: { request_id, details } }) =>
      request_id === last.requestId &&
      !ends &&
      !details.event &&
      !isBystander(effect, known) &&
      !effect.startsWith('answer.'),
  )
}

/** The request that is about to execute the plan, and the rules that it has met. */
function openExecution(planId: string, moments: Moments, sources: WhySources) {
  const open = executionOf(planId, sources, Number.POSITIVE_INFINITY, ({ answer }) => !answer)
  if (!open) return undefined
  const faults = firedIn(moments).filter(
    ({ moment: { request_id, details } }) => request_id === open.requestId && !details.event,
  )
  return { id: open.requestId, faults }
}

/** The last request of this life to execute the plan, before a moment. */
function executionOf(
  planId: string,
  { journal }: WhySources,
  beforeMs = Number.POSITIVE_INFINITY,
  isWanted: (request: RecordedRequest) => boolean = () => true,
): RecordedRequest | undefined {
  const lifeBegan = journal.marks().at(-1)?.order ?? 0
  const last = journal
    .all()
    .findLast(
      (each) =>
        each.ms < beforeMs &&
        /\/plan\/execute(\?|$)/.test(each.url) &&
        each.body?.includes(planId) &&
        isWanted(each),
    )
  return last && last.order >= lifeBegan ? last : undefined
}

/** `returned 500 internal_error: recovered 0x…, expected 0x…`; undefined for a plan that was stale then. */
function refusalText(execution: RecordedRequest | undefined): string | undefined {
  if (!execution) return undefined
  const { notes, answer } = execution
  const isStale = notes.some(({ text }) => text.startsWith('{"type":"stale"'))
  if (!answer || answer.cut || answer.status < 400 || isStale) return undefined
  const { error = '', message = '' } = jsonOrText(answer.text ?? '{}') as Record<string, string>
  return `returned ${answer.status} ${error}: ${answer.headers['x-svc-sim-hint'] ?? message}`
}

/** Whose signature an execution needed, if the wallet refused the one that it had. */
export function signerIn({ notes }: RecordedRequest): string | undefined {
  return notes.map(noteOf).find((note) => note.type === 'missigned')?.signer
}

/** Executions of other plans of the wallet for the same request whose response was lost. */
async function lostBut(planId: string, account: AccountRecord, sources: WhySources) {
  const asked = await planRequestOf(planId, account, sources)
  const lost = await lostExecutions(asked, account, sources)
  return lost.filter(({ by_plan }) => by_plan !== planId)
}

/** Whether an activity of the plan's own wallet is to blame. */
const isOwn = ({ activity_id, is_other_wallet }: StaleCause) =>
  activity_id !== undefined && !is_other_wallet

/** A refusal keeps the cause that it had, though another one is in the way now. */
function stale(
  cause: StaleCause,
  refused: StaleCause | undefined,
  overtaken: StaleCause | undefined,
) {
  if (overtaken && isOwn(cause)) return staleFor(firstOf([cause, overtaken])!, refused, {})
  return staleFor(cause, refused, overtaken ? { overtaken } : {})
}

function staleFor(
  cause: StaleCause,
  refused: StaleCause | undefined,
  more: { overtaken?: StaleCause },
) {
  if (refused && isOther(cause, refused))
    return { outcome: 'stale', cause: pastCause(refused), present: cause, ...more } as const
  return { outcome: 'stale', cause, ...more } as const
}

/** Whether something else is to blame, or did it again. */
export function isOther(cause: StaleCause, refused: StaleCause): boolean {
  if (cause.cause !== refused.cause) return true
  return cause.cause === 'plan'
    ? cause.activity_id !== refused.activity_id
    : cause.position !== refused.position
}

/** The cause in the words of the refusal, if it is still the same: a used nonce is found in two ways. */
function asTold(found: StaleCause, refused: StaleCause | undefined): StaleCause {
  const isSame =
    refused?.changed === 'nonce' &&
    refused.position === found.position &&
    refused.after === found.after &&
    refused.short?.missing === found.short?.missing
  return isSame ? { ...found, reason: refused.reason } : found
}

/** What became of what the store does not have any more. The journal knows the account of a plan. */
export async function absentVerdict(
  id: string,
  moments: Moments,
  sources: WhySources,
  undone?: Mark,
): Promise<PlanVerdict> {
  const asked = sources.journal.all().findLast(({ url, body, answer }) => {
    const isAbout = body?.includes(id) || answer?.text?.includes(id)
    return isAbout && /^\/accounts\/acc_[^/]+\/plan\//.test(url)
  })
  const [, , accountId] = asked?.url.split('/') ?? []
  const accounts = await sources.store.allAccounts()
  const account = accounts.find((each) => each.accountId === accountId)
  const planId = id.startsWith('act_') ? planOf(id, sources.journal) : id
  const overtaken =
    account && planId !== undefined ? await overtakenSince({ planId }, account, sources) : undefined
  const end: PlanEnd | undefined = undone
    ? { outcome: 'gone', cause: undoneCause(undone, id), account_id: `${accountId}` }
    : endOf(id, sources)
  if (end?.outcome === 'stale') {
    const was = causeNow(end.cause, end.order, sources.journal)
    return { ...stale(was, was, overtaken), expiredAt: end.at }
  }
  if (end?.outcome === 'expired') {
    return { ...expired(end, id, moments, sources), ...(overtaken && { cause: overtaken }) }
  }
  const cause = end?.cause ?? refusalOf(id, sources)
  const isAccountGone = end && !accounts.some(({ accountId }) => accountId === end.account_id)
  return {
    outcome: 'gone',
    id,
    cause,
    ...(overtaken && { overtaken }),
    ...(isAccountGone && { isAccountGone }),
  }
}

/** The plan that led to an activity, by the journal. */
function planOf(activityId: string, journal: Journal): string | undefined {
  const all = journal.all().flatMap(({ notes }) => notes)
  for (const timed of all.toReversed()) {
    const note = timed.text.includes(activityId) ? noteOf(timed) : undefined
    if (note?.type === 'activity' && note.activity_id === activityId) return note.plan_id
  }
  return undefined
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
  planId: string,
  moments: Moments,
  sources: WhySources,
) {
  const fired = firedIn(moments).filter(
    ({ rule, effect }) => rule === by?.rule && effect === by.effect,
  )
  const faults = by && fired.length === 0 ? [namedFault(by, 'made the plan expire')] : fired
  const refusedBy = rulesThatRefused(planId, moments, sources)
  const isByRule = refusedBy.length > 0
  const refused = isByRule ? undefined : refusalText(executionOf(planId, sources, Date.parse(at)))
  return { outcome: 'expired', at, faults, refusedBy, ...(refused && { refused }) } as const
}

/** What the wallet has executed that may have done the same as the plan: since it was made, and before it if the response was lost. */
export async function overtakenSince(
  of: { planId: string; madeMs?: number },
  account: AccountRecord,
  sources: WhySources,
): Promise<StaleCause | undefined> {
  const lost = await lostBut(of.planId, account, sources)
  const since = await executedSince(of, account, sources)
  return firstOf([...lost, ...(since ? [since] : [])])
}

/** As the journal has both. */
async function executedSince(
  { planId, madeMs }: { planId: string; madeMs?: number },
  account: AccountRecord,
  { journal, store }: WhySources,
): Promise<StaleCause | undefined> {
  const noted = journal.all().flatMap(({ requestId, notes }) =>
    notes.flatMap((timed) => {
      const isAbout = timed.text.includes('"type":"activity"') || timed.text.includes(planId)
      return isAbout ? [{ ...timed, note: noteOf(timed), requestId }] : []
    }),
  )
  const { undoneBy } = livesOf(journal.marks())
  const all = noted.filter(({ note }) => note.type === 'plan' && note.plan_id === planId)
  const made = all.findLast(({ order }) => !undoneBy(order)) ?? all.at(-1)
  const executed = noted.flatMap(({ note, order, ...rest }) =>
    note.type === 'activity' && made && order > made.order && !undoneBy(order)
      ? [{ ...note, ...rest }]
      : [],
  )
  const plan = await store.plan(account.accountId, planId)
  const since = made && executed
  return overtakenBy({ store }, account, { planId, since, madeMs: madeMs ?? plan?.createdAtMs })
}

/** What became of the plan that a request asked to execute. */
export async function planOfRequest(
  { body, order }: RecordedRequest,
  account: AccountRecord | undefined,
  sources: WhySources,
): Promise<RequestVerdict['plan']> {
  const { plan_id: planId } = jsonOrText(body ?? '{}') as { plan_id?: unknown }
  if (typeof planId !== 'string') return undefined
  // With a seed, the next life may have another plan of this id.
  const lives = livesOf(sources.journal.marks())
  const made = placesMade(planId, sources.journal)
  const own =
    made.findLast((each) => lives.hasLedTo(each, order)) ?? made.findLast((each) => each < order)
  const undone = own === undefined ? undefined : lives.undoneBy(own)
  if (undone) return absentVerdict(planId, [], sources, undone)
  if (!account) return absentVerdict(planId, [], sources)
  const { accountId } = account
  const activities = await sources.store.activities(accountId)
  const ran = activities.find((each) => each.planId === planId)
  if (ran) return { outcome: 'executed', activityId: ran.activityId, status: ran.status }
  return (await sources.store.plan(accountId, planId))
    ? planVerdict(account, { planId, moments: [] }, sources)
    : absentVerdict(planId, [], sources)
}

/** The places of the journal in which a plan of this id was made. */
function placesMade(planId: string, journal: Journal): number[] {
  return journal.all().flatMap(({ notes }) =>
    notes.flatMap((timed) => {
      const note = timed.text.includes(planId) ? noteOf(timed) : undefined
      return note?.type === 'plan' && note.plan_id === planId ? [timed.order] : []
    }),
  )
}

/** Why the plan was refused last, in this life: a restore may have brought back what it needs. */
function refusalOf(
  planId: string,
  { journal }: WhySources,
  isWanted: (cause: StaleCause) => boolean = () => true,
): StaleCause | undefined {
  const lifeBegan = journal.marks().at(-1)?.order ?? 0
  for (const { notes } of journal.all().toReversed())
    for (const timed of notes.toReversed()) {
      const isAbout = timed.order > lifeBegan && timed.text.includes(planId)
      const note = isAbout ? noteOf(timed) : undefined
      if (note?.type === 'stale' && note.plan_id === planId && isWanted(note as StaleCause))
        return causeNow(note as StaleCause, timed.order, journal)
    }
  return undefined
}

/** The cause, without what was missing if the faucet has given that since. */
export function causeNow(cause: StaleCause, since: number, journal: Journal): StaleCause {
  const { short } = cause
  return short && isFunded(short, since, journal) ? pastCause(cause) : cause
}

/** Whether the faucet has given since then what was missing. */
export function isFunded(short: Shortfall, since: number, journal: Journal): boolean {
  const line = livesOf(journal.marks()).lineOf(since)
  const gifts = journal.all().flatMap(({ order, url, body, answer }) => {
    const isLater = order > since && isOn(line, order)
    const isGift = isLater && url.endsWith('/fund') && answer?.status === 200
    return isGift && body !== undefined ? [jsonOrText(body) as Partial<Shortfall>] : []
  })
  const given = gifts
    .filter((gift) =>
      (['account_id', 'asset', 'network'] as const).every((key) => gift[key] === short[key]),
    )
    .reduce((sum, { amount = 0 }) => sum + BigInt(amount), 0n)
  return given >= BigInt(short.amount)
}
