import type { ProblemCode } from '../../lib/errors.js'
import { afterLostExecution, followInstead } from '../../service/plans/execute/causeSentence.js'
import type { ActivityVerdict, NamedFault, RequestVerdict, Verdict } from './verdict.js'

const sendAgain = 'send the request again'
const newPlan = 'make a new plan; this one cannot be executed any more'
const letTimePass = 'let time pass (a frozen clock: POST /_sim/clock/advance), then ask again'
const changeNamed = `change what the message names, and ${sendAgain}`
const wait = `wait as long as the response's header retry-after says, and ${sendAgain}`

/** What to do about a refusal that no fault rule caused. The hint explains it, and is no instruction. */
const afterRefusal: Record<ProblemCode, string> = {
  invalid_params: changeNamed,
  plan_failed: `change the request, or fund the account (POST /_sim/fund), and ${sendAgain}`,
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

/** What to do about a refusal that a rule caused, when the rule has ended: in most cases only the rule was in the way. */
const afterRule: Partial<Record<string, string>> = {
  plan_not_found: newPlan,
  plan_stale: newPlan,
  rate_limited: wait,
}

/** Effects that leave it open whether a request is refused: a refusal at which they fired has another cause. */
export const neverRefuses = /^(request\.latency|folio\.(latency|serve_stale))$/

/** What a person can do about a verdict; undefined where all is well. A rule that would meet the next try too goes first. */
export function nextOf(verdict: Verdict): string | undefined {
  switch (verdict.outcome) {
    case 'ready':
      return 'sign the digest of the plan, and POST it to plan/execute'
    case 'stale':
      return withoutRules(rulesIn(verdict), newPlan)
    case 'expired':
      return withoutRules(verdict.faults, newPlan)
    case 'gone':
      return verdict.cause ? newPlan : undefined
    case 'confirmed':
    case 'failed':
    case 'pending':
      return afterActivity(verdict)
    case 'answered':
      return verdict.activity && afterActivity(verdict.activity)
    case 'refused':
    case 'cut':
    case 'open':
      return afterRequest(verdict)
    case 'idle':
      return verdict.refused
        ? afterRequest(verdict.refused)
        : 'make a plan, sign its digest and execute it'
    case 'active':
      return afterAll(verdict.activities)
    case 'armed':
      return `remove the rule when you no longer need it: DELETE /_sim/faults/${verdict.id}`
    case 'ended':
    case 'removed':
      return undefined
    default:
      return verdict.activity && afterActivity(verdict.activity)
  }
}

function afterActivity(verdict: ActivityVerdict): string | undefined {
  const { outcome, activityId, waiting, faults, lost } = verdict
  const standing = waiting && 'standing' in waiting ? waiting.standing : []
  const rules = [...faults, ...standing, ...(lost?.faults ?? [])]
  if (outcome === 'pending') return withoutRules(rules, letTimePass)
  if (outcome === 'failed') return withoutRules(rules, newPlan)
  return lost && withoutRules(rules, followInstead(activityId))
}

/** The first that calls for something: what is pending, then a response that was lost, then what has failed. */
function afterAll(activities: readonly ActivityVerdict[]): string | undefined {
  const of = (outcome: string) => activities.find((each) => each.outcome === outcome)
  const lost = activities.find((each) => each.outcome === 'confirmed' && each.lost)
  const first = of('pending') ?? lost ?? of('failed')
  return first && afterActivity(first)
}

function afterRequest(verdict: RequestVerdict): string {
  const { outcome, code, cause, activity } = verdict
  // Rules of the seam `answer` change the code at most: without them the request would be refused, too.
  const rules = rulesIn(verdict).filter(
    ({ effect }) =>
      outcome !== 'refused' || !(neverRefuses.test(effect) || effect.startsWith('answer.')),
  )
  if (cause?.cause === 'executed') return withoutRules(rules, followInstead(cause.activity_id!))
  if (outcome === 'open') return withoutRules(rules, letTimePass)
  const isDone = activity !== undefined || verdict.faults.some((each) => each.isDone)
  if (outcome === 'cut' || isDone) return withoutRules(rules, afterLoss(verdict))
  const step =
    rules.length > 0
      ? (afterRule[code ?? ''] ?? sendAgain)
      : ((afterRefusal as Partial<Record<string, string>>)[code ?? ''] ?? changeNamed)
  return withoutRules(rules, step)
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
function rulesIn(verdict: RequestVerdict | Extract<Verdict, { outcome: 'stale' }>): NamedRule[] {
  const { cause } = verdict
  const faults = 'faults' in verdict ? verdict.faults : []
  if (faults.length > 0 || cause?.rule === undefined) return [...faults]
  const { rule, effect = 'chain.reorg', carried } = cause
  return [{ rule, effect, ...(carried && { carried }) }]
}

/** The step, after what ends the rules. That of a request's own header is not in the list of rules. */
function withoutRules(all: readonly NamedRule[], step: string): string {
  const rules = all.filter(
    ({ rule }, place) => all.findIndex((each) => each.rule === rule) === place,
  )
  const armed = rules.filter(({ carried }) => !carried)
  const rest = armed.length < rules.length ? withoutHeader(step) : step
  if (armed.length === 0) return rest
  const what = armed.length === 1 ? 'rule unless it has' : 'rules unless they have'
  const how = armed.map(({ rule }) => `DELETE /_sim/faults/${rule}`).join(', ')
  return `remove the ${what} ended (${how}), then ${rest}`
}

function withoutHeader(step: string): string {
  if (step === letTimePass)
    return `end the rule of the header x-svc-sim-fault, and all others with it (DELETE /_sim/faults), then ${step}`
  return `leave out the header x-svc-sim-fault, and ${step}`
}
