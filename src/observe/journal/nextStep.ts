import { switchCure } from '../../chain/transactions/mining.js'
import { lastingOf } from '../../faults/effects/index.js'
import type { ProblemCode } from '../../lib/errors.js'
import type { Excess, Shortfall, StaleCause } from '../../service/context/requestContext.js'
import {
  afterLostExecution,
  followInstead,
  lookFirst,
} from '../../service/plans/execute/causeSentence.js'
import type {
  AccountVerdict,
  ActivityVerdict,
  NamedFault,
  PlanVerdict,
  RanPlan,
  RequestVerdict,
  Verdict,
} from './verdict.js'

const sendAgain = 'send the request again'
const newPlan = 'make a new plan; this one cannot be executed any more'
const changeAndPlan =
  'change the request, or what the cause names, since the same request would be refused now, then make a new plan'
const ifReady =
  'look at this plan again: if it can be executed, sign its digest and execute it, and if not, make a new plan with the same request'
const letTimePass = 'let time pass (a frozen clock: POST /_sim/clock/advance), then look again'
const changeNamed = `change what the message names, and ${sendAgain}`
const afterRepeated = `nothing takes back what was done twice; the next time that the response to an execution is lost, ${afterLostExecution}`
const wait = `wait as long as the response's header retry-after says, and ${sendAgain}`

/** What to do about a refusal that no fault rule caused. The hint explains it, and is no instruction. */
const afterRefusal: Record<ProblemCode, string> = {
  invalid_params: changeNamed,
  plan_failed: `change the request, or what the message names, and ${sendAgain}`,
  no_wallet: 'create another account (POST /accounts), and make the plan there',
  missing_auth_header: `${sendAgain} with the header Authorization: Bearer, followed by a space and the key or token`,
  invalid_api_key: `${sendAgain} with a key or token of this simulator in the header Authorization`,
  api_key_revoked: `${sendAgain} with a key that is not revoked`,
  forbidden: `${sendAgain} with a Host and an Origin that the simulator allows (--allowed-host, --cors-origin)`,
  account_not_found:
    'use an account of this key (GET /accounts lists them), or create one (POST /accounts)',
  plan_not_found: newPlan,
  not_found: `correct the path and the ids in it, and ${sendAgain}`,
  method_not_allowed: `${sendAgain} with a method that the message names`,
  timeout: `${sendAgain}, or read the folio with cached=true`,
  account_already_exists:
    'use the account of this signer (GET /accounts lists it), or create one with another signer',
  plan_stale: newPlan,
  conflict: `clear what the message names, and ${sendAgain}`,
  payload_too_large: `${sendAgain} with a smaller body`,
  headers_too_large: `${sendAgain} with fewer or shorter headers`,
  rate_limited: wait,
  swap_quote_failed: `${sendAgain}, for a smaller amount or another asset if it fails again`,
  world_lost: 'lease another world (POST /_sim/worlds), and start over there',
  no_room: wait,
  internal_error: `correct what the message and the hint name, and ${sendAgain}`,
}

/** The most that can be asked of a position: funds in the wallet do not enlarge it. */
const mostOf: Record<Excess['limit'], string> = {
  holds: 'the position holds',
  owes: 'the wallet owes',
}

/** What to do about a refusal that a rule caused, when the rule has ended: in most cases only the rule was in the way. */
const afterRule: Partial<Record<string, string>> = {
  plan_not_found: newPlan,
  plan_stale: newPlan,
  rate_limited: wait,
}

/** Effects that leave it open whether a request is refused: a refusal at which they fired has another cause. */
const neverRefuses =
  /^(request\.latency|folio\.(latency|serve_stale)|answer\.failure_uses_plan_up)$/

/** Errors that a node causes which does not respond: of other refusals, a rule that stopped it for a while is no cause. */
const ofStoppedNode = /^(timeout|internal_error|conflict|swap_quote_failed)$/

/** Whether a rule that fired at a refused request is no cause of the refusal. */
export const isBystander = (
  effect: string,
  { code = '', signer }: Pick<RequestVerdict, 'code' | 'signer'>,
) =>
  neverRefuses.test(effect) ||
  (effect === 'chain.down' && code !== '' && (signer !== undefined || !ofStoppedNode.test(code)))

/** Whether a rule can fire again, has fired for the last time, or is in no list any more. */
export type RuleState = 'armed' | 'spent' | 'removed'

export type StateOfRule = (rule: string) => RuleState

/** What a person can do about a verdict; undefined where all is well. A rule that holds something, or would meet the next try, goes first. */
export function nextOf(verdict: Verdict, stateOf: StateOfRule = () => 'armed'): string | undefined {
  const afterActivity = (activity: ActivityVerdict) => activityStep(activity, stateOf)
  switch (verdict.outcome) {
    case 'ready':
    case 'stale':
    case 'expired':
      if ('open' in verdict && verdict.open)
        return withoutRules(verdict.open.faults, stateOf, letTimePass)
      return withoutRules(rulesIn(verdict), stateOf, planStep(verdict, stateOf))
    case 'gone':
      return verdict.id.startsWith('pln_') ? planStep(verdict, stateOf) : undefined
    case 'confirmed':
    case 'failed':
    case 'pending':
      return afterActivity(verdict)
    case 'answered':
      return verdict.activity && afterActivity(verdict.activity)
    case 'refused':
    case 'cut':
    case 'open':
      return verdict.undone ? afterUndone(verdict, stateOf) : requestStep(verdict, stateOf)
    case 'idle':
      for (const request of [verdict.open, verdict.refused])
        if (request) return requestStep(request, stateOf)
      return 'fund the account if it is empty, make a plan, sign its digest and execute it'
    case 'active':
      return afterAll(verdict, stateOf)
    case 'armed':
      if (verdict.holds.length > 0)
        return `remove the rule, which releases ${verdict.holds.join(', ')}: DELETE /_sim/faults/${verdict.id}`
      return `remove the rule when you no longer need it: DELETE /_sim/faults/${verdict.id}`
    case 'ended':
      return verdict.holds.length > 0
        ? `remove the rule, which releases ${verdict.holds.join(', ')}: DELETE /_sim/faults/${verdict.id}`
        : verdict.hasChanged
          ? `remove the rule, which undoes what it changed: DELETE /_sim/faults/${verdict.id}`
          : undefined
    case 'removed':
      return undefined
    default:
      return verdict.activity && afterActivity(verdict.activity)
  }
}

/** What to do about a plan that was not executed, its rules aside: no new plan before a look at what the wallet has executed since. */
function planStep(verdict: PlanVerdict, stateOf: StateOfRule): string {
  const step = ownStep(verdict, stateOf)
  return lookFirst(('overtaken' in verdict && verdict.overtaken) || {}, step)
}

function ownStep(verdict: PlanVerdict, stateOf: StateOfRule): string {
  switch (verdict.outcome) {
    case 'ready':
      return verdict.signer === undefined
        ? 'sign the digest of the plan, and POST it to plan/execute'
        : signAs(verdict.signer)
    case 'stale':
      return afterStale(verdict.present ?? verdict.cause, stateOf, verdict.expiredAt !== undefined)
    case 'expired':
      return verdict.cause ? afterStale(verdict.cause, stateOf, true) : newPlan
    case 'gone':
      if (verdict.isAccountGone)
        return 'create the account again (POST /accounts), and make a new plan there'
      return newPlan
  }
}

/** After a signature that the wallet refused, whatever was wrong with it. */
const signAs = (signer: string) =>
  `sign the digest of the plan as a raw hash with the key of the account’s signer, ${signer}, and POST the signature (65 bytes: r, s, v) to plan/execute`

/** A new plan; before it what would have it refused. A plan without a used nonce can be executed if the change is taken back. */
function afterStale(cause: StaleCause, stateOf: StateOfRule, isOver = false): string {
  const { short, is_under_way, changed, effect = '', rule = '' } = cause
  // Nothing is in the way of a new plan when the change of the rule is undone.
  const isLasting = lastingOf(effect) === 'changes'
  const is_refused = cause.is_refused && !isLasting
  const isUsed = changed === 'nonce' || isOver
  const plan = isUsed ? newPlan : ifReady
  const isUndone = isLasting && stateOf(rule) !== 'removed'
  const again = isUsed || isUndone ? plan : 'make a new plan with the same request'
  const step = short
    ? `${funding(short)}, then ${plan}`
    : is_refused
      ? changeAndPlan
      : is_under_way
        ? `wait until what is under way has ended, then ${plan}`
        : again
  return lookFirst(cause, step)
}

/** How to give an account what it lacks. */
function funding({ account_id, asset, network, missing, amount }: Shortfall): string {
  return `fund the account with ${missing} on ${network} (svc-sim fund --account ${account_id} --asset ${asset} --amount ${amount} --network ${network}, POST /_sim/fund with the same fields, or “Give funds” on the account’s page of the dashboard)`
}

function activityStep(verdict: ActivityVerdict, stateOf: StateOfRule): string | undefined {
  const { outcome, activityId, waiting, faults, lost, lacks } = verdict
  const standing = waiting && 'standing' in waiting ? waiting.standing : []
  const rules = [...faults, ...standing, ...(lost?.faults ?? [])]
  const by = waiting?.switched
  if (outcome === 'pending' && by)
    return withoutRules(
      rules,
      stateOf,
      // A bridge may wait for its time before it sends anything.
      `${switchCure(by)}, then ${waiting.for === 'bridge' ? letTimePass : 'look again'}`,
      true,
    )
  if (outcome === 'pending') return withoutRules(rules, stateOf, letTimePass)
  const funded = lacks
    ? `${funding(lacks)}, or ask for less (the account can bring ${lacks.available} there), then ${newPlan}`
    : newPlan
  if (outcome === 'failed')
    return withoutRules(rules, stateOf, lookFirst(verdict.overtaken ?? {}, funded))
  const instead = lost && withoutRules(rules, stateOf, followInstead(activityId))
  return [instead, verdict.repeated && afterRepeated].filter(Boolean).join('. Also, ') || undefined
}

/** What is pending or else was done twice or lost its response, what failed last, and the last refusal: each with its own step, if it calls for one. */
function afterAll({ activities, refused, open }: AccountVerdict, stateOf: StateOfRule) {
  const of = (outcome: string) => activities.find((each) => each.outcome === outcome)
  const confirmed = activities.filter((each) => each.outcome === 'confirmed')
  const lost = confirmed.find((each) => each.repeated) ?? confirmed.find((each) => each.lost)
  const steps = [of('pending') ?? lost, of('failed')].flatMap((each) => {
    const step = each && activityStep(each, stateOf)
    return step ? [{ of: `activity ${each.activityId}`, step }] : []
  })
  if (open) steps.push({ of: `request ${open.id}`, step: requestStep(open, stateOf) })
  if (refused) steps.push({ of: 'the last refusal', step: requestStep(refused, stateOf) })
  const own = steps.filter(
    ({ step }, place) => steps.findIndex((each) => each.step === step) === place,
  )
  if (own.length <= 1) return own[0]?.step
  return `of ${own.map((each) => `${each.of}: ${each.step}`).join('. Of ')}`
}

function requestStep(verdict: RequestVerdict, stateOf: StateOfRule): string {
  const { outcome, code, cause, activity, short, beyond, isFunded } = verdict
  const lacks = verdict.lacks ?? (isFunded ? undefined : short)
  const funded = (step: string) =>
    lacks ? `${funding(lacks)}, and ${step}; or ask for less` : step
  const again =
    beyond && !isFunded
      ? `ask for at most what ${mostOf[beyond.limit]} (the message says how much), and ${sendAgain}`
      : sendAgain
  // Rules of the seam `answer` change the code at most: without them the request would be refused, too.
  const rules = rulesIn(verdict).filter(
    ({ effect }) =>
      outcome !== 'refused' || !(neverRefuses.test(effect) || effect.startsWith('answer.')),
  )
  const then = (step: string) => withoutRules(rules, stateOf, step)
  const look = (step: string) => lookFirst(verdict.overtaken ?? {}, step, 'request')
  const ran = verdict.plan?.outcome === 'executed' ? verdict.plan : undefined
  if (ran?.failed) return afterExecution(ran, stateOf)
  if (cause?.cause === 'executed') return then(followInstead(cause.activity_id!))
  if (outcome === 'open') return then(letTimePass)
  const isDone = activity !== undefined || verdict.faults.some((each) => each.isDone)
  const isOver = !activity && verdict.plan && verdict.plan.outcome !== 'ready'
  if ((outcome === 'cut' || isDone) && !isOver) return then(look(funded(afterLoss(verdict))))
  if (ran) return followInstead(ran.activityId)
  if (verdict.plan && verdict.plan.outcome !== 'executed') {
    const isReady = verdict.plan.outcome === 'ready'
    const known = isReady ? rules.filter(({ rule }) => rule !== cause?.rule) : rules
    return withoutRules(
      [...known, ...rulesIn(verdict.plan)],
      stateOf,
      planStep(verdict.plan, stateOf),
    )
  }
  if (cause && code === 'plan_stale') return then(afterStale(cause, stateOf))
  if (verdict.signer) return then(look(signAs(verdict.signer)))
  const isOfPlan = verdict.url.split('?')[0]!.endsWith('/plan/execute') || code === 'rate_limited'
  if (rules.length > 0) return then(look(funded((isOfPlan && afterRule[code ?? '']) || again)))
  if (short || beyond || (lacks && code === 'plan_failed')) return look(funded(again))
  if (code === 'timeout' && !/\/folio(\?|$)/.test(verdict.url)) return look(funded(sendAgain))
  return look(funded((afterRefusal as Partial<Record<string, string>>)[code ?? ''] ?? changeNamed))
}

/** What a restore or reset has undone is over, and so are its rules. Only a plan from before it may be there again. */
function afterUndone({ plan }: RequestVerdict, stateOf: StateOfRule): string | undefined {
  if (plan?.outcome === 'executed') return afterExecution(plan, stateOf)
  return plan && withoutRules(rulesIn(plan), stateOf, planStep(plan, stateOf))
}

/** A plan that was executed before: a new one only if it failed. */
function afterExecution({ activityId, failed }: RanPlan, stateOf: StateOfRule): string {
  return (failed && activityStep(failed, stateOf)) ?? followInstead(activityId)
}

/** The client does not know whether the request was carried out. */
function afterLoss({ method, url, activity }: RequestVerdict): string {
  const [path = ''] = url.split('?')
  if (path.endsWith('/plan/execute'))
    return activity ? followInstead(activity.activityId) : afterLostExecution
  if (method === 'POST' && path === '/accounts')
    return 'look for the signer in GET /accounts before you create the account again'
  if (method === 'GET' || method === 'HEAD' || /\/plan\/[\w-]+$/.test(path)) return sendAgain
  return `find out whether the request was carried out before you ${sendAgain}`
}

type NamedRule = Pick<NamedFault, 'rule' | 'effect' | 'carried'>

/** The rules that the verdict blames. */
function rulesIn(verdict: RequestVerdict | PlanVerdict): NamedRule[] {
  const cause = 'cause' in verdict ? verdict.cause : undefined
  const faults = [
    ...('faults' in verdict ? (verdict.faults ?? []) : []),
    ...('refusedBy' in verdict ? (verdict.refusedBy ?? []) : []),
  ]
  if (faults.length > 0 || !cause) return faults
  return [cause, ...(cause.also ?? [])].flatMap(({ rule, effect = 'chain.reorg', carried }) =>
    rule === undefined ? [] : [{ rule, effect, ...(carried && { carried }) }],
  )
}

/**
 * The step, after what ends the rules that are in the way: those that can fire again, and those whose effect lasts. That of a request's
 * own header is not in the list of rules.
 */
function withoutRules(
  all: readonly NamedRule[],
  stateOf: StateOfRule,
  step: string,
  isWait = step === letTimePass,
): string {
  const rules = all.filter(
    ({ rule }, place) => all.findIndex((each) => each.rule === rule) === place,
  )
  const listed = rules.filter(({ carried }) => !carried)
  const rest = listed.length < rules.length ? withoutHeader(step, isWait) : step
  const removals = listed.flatMap(({ rule, effect }) => {
    const state = stateOf(rule)
    const isHeld = isWait && lastingOf(effect) === 'holds'
    const isChanged = lastingOf(effect) === 'changes'
    if (state === 'removed' || (state === 'spent' && !isHeld && !isChanged)) return []
    const why = isHeld ? ', which releases what it holds' : isChanged ? ', which undoes it' : ''
    return [`the rule ${rule}${why} (DELETE /_sim/faults/${rule})`]
  })
  return removals.length === 0 ? rest : `remove ${removals.join(' and ')}, then ${rest}`
}

function withoutHeader(step: string, isWait: boolean): string {
  if (isWait)
    return `end the rule of the header x-svc-sim-fault, and all others with it (DELETE /_sim/faults), then ${step}`
  return `leave out the header x-svc-sim-fault, and ${step}`
}
