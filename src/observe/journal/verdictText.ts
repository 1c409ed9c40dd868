import { switchText } from '../../chain/transactions/mining.js'
import type { StaleCause } from '../../service/context/requestContext.js'
import { lackedText, lackText, sentenceOf } from '../../service/plans/execute/causeSentence.js'
import type {
  AccountVerdict,
  ActivityVerdict,
  HeldBy,
  NamedFault,
  PlanVerdict,
  RequestVerdict,
  RuleVerdict,
  TransactionVerdict,
  Verdict,
  WaitingFor,
} from './verdict.js'

/** A verdict in one sentence. */
export function textOfVerdict(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'ready':
    case 'stale':
    case 'expired':
    case 'gone':
      return planText(verdict)
    case 'confirmed':
    case 'failed':
    case 'pending':
      return activityText(verdict)
    case 'answered':
    case 'refused':
    case 'cut':
    case 'open':
      return requestText(verdict)
    case 'idle':
    case 'active':
      return accountText(verdict)
    case 'armed':
    case 'ended':
    case 'removed':
      return ruleText(verdict)
    default:
      return transactionText(verdict)
  }
}

/** `, because fault_1 (execute.revert by nonce) used up the wallet’s nonce`; empty without a rule. */
export function becauseOf(
  faults: readonly Pick<NamedFault, 'text'>[],
  word = ', because ',
): string {
  const texts = [...new Set(faults.map(({ text }) => text))]
  return texts.length === 0 ? '' : `${word}${texts.join(', and ')}`
}

function planText(verdict: PlanVerdict): string {
  switch (verdict.outcome) {
    case 'ready':
      return `not executed; it can be until ${verdict.until}${attemptText(verdict.faults)}${refusedText(verdict)}${openText(verdict.open)}${alsoText(verdict.overtaken)}`
    case 'stale':
      return `stale, and ${verdict.expiredAt ? `expired at ${verdict.expiredAt}` : 'cannot be executed'}: ${sentenceOf(verdict.cause)}${alsoText(verdict.present)}${alsoText(verdict.overtaken)}`
    case 'expired':
      return `never executed; it expired at ${verdict.at}${becauseOf(verdict.faults)}${attemptText(verdict.refusedBy)}${refusedText(verdict)}${alsoText(verdict.cause)}`
    case 'gone':
      return `the simulator no longer has ${verdict.id}: ${goneText(verdict)}${alsoText(verdict.overtaken)}`
  }
}

function goneText({ cause, was, ...by }: Extract<PlanVerdict, { outcome: 'gone' }>): string {
  const undone = 'a reset or restore has undone it'
  const why = cause
    ? sentenceOf(cause)
    : was === undefined
      ? `it has expired, or ${undone}`
      : undone
  return was === undefined ? why : `${why}. Before that, its activity was ${was}${becauseWas(by)}`
}

const becauseWas = ({ faults = [], switched }: Partial<HeldBy>): string =>
  becauseOf([...faults, ...(switched ? [{ text: switchText(switched) }] : [])])

const alsoText = (cause: StaleCause | undefined) => (cause ? `. Also, ${sentenceOf(cause)}` : '')

const refusedText = ({ refused }: { refused?: string }) =>
  refused === undefined ? '' : `; its last execution ${refused}`

function attemptText(faults: readonly NamedFault[] = []): string {
  // A plan that is there was not sent.
  const isOfNode = faults.length > 0 && faults.every(({ effect }) => effect === 'chain.down')
  const because = becauseOf(faults, '; its last execution failed, because ')
  return isOfNode ? `${because}; nothing was sent, so it does not run by itself` : because
}

const openText = (open: Extract<PlanVerdict, { outcome: 'ready' }>['open']) =>
  open
    ? `; its execution is under way in request ${open.id}, which has no response yet${becauseOf(open.faults)}`
    : ''

/** Why the plan would be refused now, where that is not why it was, and what the wallet has executed since it was made. */
export function laterIn(verdict: RequestVerdict['plan']): StaleCause[] {
  if (verdict?.outcome === 'expired') return verdict.cause ? [verdict.cause] : []
  const present = verdict?.outcome === 'stale' ? verdict.present : undefined
  const overtaken = verdict && 'overtaken' in verdict ? verdict.overtaken : undefined
  return [present, overtaken].filter((each) => each !== undefined)
}

function activityText(verdict: ActivityVerdict): string {
  const { outcome, lost } = verdict
  const fate =
    lost?.how === undefined
      ? 'its client may not have got the response: the simulator ended before it knew'
      : `its client did not get the response (${lost.how})${becauseOf(lost.faults)}`
  const own = lost ? `; ${fate}; the client can find this activity by its plan_id` : ''
  const end = `${own}${verdict.repeated ? `; ${repeatedText(verdict.repeated)}` : ''}`
  const partial = verdict.partialFills
    .map((each) => `; ${partialText(each, verdict.faults)}`)
    .join('')
  if (outcome === 'confirmed') return `confirmed${partial}${end}`
  if (outcome === 'pending') return `pending: ${waitingText(verdict)}${partial}${end}`
  return `failed: ${failureText(verdict)}${partial}${end}`
}

function repeatedText({ activity_id, may_be_lost, has_others }: StaleCause): string {
  const fate = may_be_lost ? 'may have been lost' : 'was lost'
  const last = has_others ? 'last ' : ''
  return `the same request was carried out before, ${last}by activity ${activity_id}, whose response ${fate}: this did it again`
}

/** Rules that the sentence names already are not named again. */
function partialText(
  { name, amounts, faults }: ActivityVerdict['partialFills'][number],
  named: ActivityVerdict['faults'],
): string {
  const { sent, expected, arrived, missing } = amounts
  const others = faults.filter(({ text }) => !named.some((each) => each.text === text))
  return `${name} took ${sent} and delivered ${arrived} of ${expected} (${missing} missing)${becauseOf(others)}`
}

const unrecorded =
  'its execution is not in the journal, which begins at each start, so whether a fault rule caused it is unknown'

function failureText({ part, ending, faults, notRun }: ActivityVerdict): string {
  if (!part || !ending) return 'no reason is known'
  const reason = ending.reason === undefined ? '' : ` (${ending.reason})`
  const rest = notRun.map((name) => `; ${name} was not run`).join('')
  const unknown = ending.isUnrecorded ? `; ${unrecorded}` : ''
  return `${part.name} ${ending.verb}${becauseOf(faults)}${reason}${rest}${unknown}`
}

function waitingText({ part, waiting, faults }: ActivityVerdict): string {
  if (!part || !waiting) return 'its last part has ended'
  const cause = becauseOf(faults)
  if (waiting.for === 'notice')
    return `${part.name} is not going to be mined (transaction ${waiting.hash})${cause}; the service notices that at ${waiting.until}, and the activity fails then, unless the rule is removed before, which sends it again`
  if (waiting.for === 'bridge') return bridgeText(part, waiting, [...faults, ...waiting.partial])
  const what = waiting.for === 'send' ? 'to be sent' : `to be mined (transaction ${waiting.hash})`
  const switched = waiting.switched ? `, because ${switchText(waiting.switched)}` : ''
  const late = waiting.late ? lateText(part.network, waiting.for, waiting.late) : ''
  return `it waits for ${part.name} ${what}${cause}${becauseOf(waiting.standing)}${switched}${late}`
}

function lateText(
  network: string,
  waitsFor: WaitingFor['for'],
  { expiry, isExpired, deposit }: NonNullable<WaitingFor['late']>,
): string {
  const fails = waitsFor === 'send' ? 'fails when it is sent' : 'reverts when it is mined'
  if (isExpired || !deposit)
    return `; it expired at ${expiry}, so it ${fails} and moves no funds, and the activity fails`
  const { deadline, refunds } = deposit
  return `; its bridge can no longer be filled, since its deadline, ${deadline}, has passed: if the deposit is mined before ${expiry}, ${refunds} goes back on ${network}, and if later, it reverts and moves no funds; the activity fails either way`
}

function bridgeText(
  { name, network }: NonNullable<ActivityVerdict['part']>,
  bridge: Extract<WaitingFor, { for: 'bridge' }>,
  faults: readonly NamedFault[],
): string {
  const { delivers, missing, doomed, refunds, from, deadline, state, until } = bridge
  const { before, switched } = bridge
  const present = [...bridge.standing, ...(switched ? [{ text: switchText(switched) }] : [])]
  const at = until === undefined ? '' : ` at ${until}`
  if (state === 'closed') {
    const why = becauseOf([...faults, ...before])
    const still = becauseOf(present, '; it still waits, because ')
    return `it waits for ${refunds} to go back on ${from}${at}, and fails then: ${name} did not deliver ${delivers} by its deadline, ${deadline}${why}${still}`
  }
  const cause = becauseOf([...faults, ...present])
  const lost =
    state === 'refused' ? 'it is not going to' : `that ends after its deadline, ${deadline}`
  const end =
    state !== 'open'
      ? `; ${lost}, so ${refunds} goes back on ${from}${at} and the activity fails`
      : `; if it is not filled by ${until ?? `its deadline, ${deadline}`}, ${refunds} goes back on ${from} and the activity fails`
  const lack = state === 'open' && missing && `; once filled, ${missing} is missing on ${network}`
  const fate =
    lack &&
    doomed &&
    `, so ${doomed} reverts and the activity fails, unless the wallet gets ${missing} there before`
  return `it waits for ${name} to deliver ${delivers}${cause}${end}${lack || ''}${fate || ''}`
}

function requestText(verdict: RequestVerdict): string {
  const { outcome, status, code, message, cause, short, faults, bystanders, activity } = verdict
  const { overtaken: by, isFunded, lacks } = verdict
  const spender = by?.spent ? `: ${sentenceOf(by)}` : ''
  const isPast = isFunded || (lacks !== undefined && lacks.amount !== short?.amount)
  const ran = verdict.plan?.outcome === 'executed' ? verdict.plan : undefined
  const state = cause?.cause === 'executed' && ran ? `, which ${ranTexts[ran.status]}` : ''
  const reason = cause
    ? `${sentenceOf(cause)}${state}`
    : short && `the plan ${isPast ? lackedText(short) : lackText(short)}${spender}`
  const why =
    reason && faults.length === 0
      ? `, because ${reason}${becauseOf(bystanders, '; ')}`
      : `${becauseOf(faults, outcome === 'answered' ? '; ' : undefined)}${becauseOf(bystanders, '; ')}`
  const isSaid = reason && !cause && spender !== '' && faults.length === 0
  const messageText = message === undefined || reason ? '' : ` (${message})`
  const how = {
    open: 'no response yet',
    cut: 'the connection was cut',
    answered: `returned ${status}`,
    refused: `returned ${[status, code].filter((each) => each !== undefined).join(' ')}`,
  }[outcome]
  const then = activity ? `; activity ${activity.activityId}: ${activityText(activity)}` : ''
  const { plan, undone, was } = verdict
  const end = undone
    ? `. Since then, ${sentenceOf(undone)}`
    : cause || code === 'plan_not_found'
      ? ''
      : endText(plan)
  const before = was ? `; activity ${was.activityId} was ${was.status}${becauseWas(was)}` : ''
  const isBack = cause && code === 'plan_stale' && plan?.outcome === 'ready'
  const ready = isBack ? `. Now the plan can be executed until ${plan.until}` : ''
  const more = [...laterIn(plan), ...(isSaid || !by ? [] : [by])].map(alsoText).join('')
  return `${how}${messageText}${why}${before}${then}${end}${ready}${more}`
}

const ranTexts = { pending: 'is pending', confirmed: 'is confirmed', failed: 'failed' } as const

/** What became of a plan since its execution failed for another reason. */
function endText(plan: RequestVerdict['plan']): string {
  if (plan?.outcome === 'expired') return `. The plan expired at ${plan.at}`
  return plan?.outcome === 'gone' && plan.cause ? `. Since then, ${sentenceOf(plan.cause)}` : ''
}

/** The most activities of an account that a verdict names. */
const maxActivities = 3

function accountText({ counts, activities, refused, open }: AccountVerdict): string {
  const waiting = open && `${open.method} ${open.url} (${open.id}): ${requestText(open)}`
  const last = [
    ...(waiting ? [waiting] : []),
    ...(refused
      ? [`the last refusal was ${refused.method} ${refused.url}: ${requestText(refused)}`]
      : []),
  ]
  if (activities.length === 0)
    return ['no plan of this account has been executed', ...last].join('; ')
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  const which =
    all === 1 ? [] : [counts.map(({ status, count }) => `${count} ${status}`).join(', ')]
  const activityTexts = activities
    .slice(0, maxActivities)
    .map((each) => `activity ${each.activityId}: ${activityText(each)}`)
  const sentences = [...which, ...activityTexts].map((text, place) =>
    place === 0 ? text : text.replace(/^a/, 'A'),
  )
  return [sentences.join('. '), ...last].join('. Also, ')
}

function ruleText(verdict: RuleVerdict): string {
  const { outcome, what, hits, earlier = 0, seen, times, lasted, met } = verdict
  const { holds, hasChanged, stands } = verdict
  const held = holds.length > 0 ? `, and holds ${holds.join(', ')}` : ''
  const most = times === undefined ? '' : `, and ends after ${times} times`
  const state = {
    armed: `is ${stands ? 'in force' : `armed: it has fired at ${hits} of ${seen} matching calls${most}`}${held}`,
    ended: `has fired ${times === undefined ? hits : `${hits} of ${times}`} times and will not fire again${holds.length > 0 ? `, but still holds ${holds.join(', ')}` : hasChanged ? ', but what it changed stays until it is removed' : ''}`,
    removed: `is no longer armed; in the journal it fired ${hits === 1 ? 'once' : `${hits} times`}`,
  }[outcome]
  const over = `is over: its ${lasted} ms have passed, and it holds nothing`
  const before =
    earlier === 0 || stands
      ? ''
      : `; ${earlier} of these hits came before this start, where the journal begins`
  return `fault rule ${what} ${lasted === undefined ? state : over}${before}${met.length === 0 ? '' : `; it fired at ${met.join(', ')}`}`
}

function transactionText({ what, activity }: TransactionVerdict): string {
  return activity
    ? `${what} belongs to activity ${activity.activityId}: ${activityText(activity)}`
    : what
}
