import type { ProblemCode } from '../../lib/errors.js'
import { afterLostExecution } from '../../service/plans/execute/advice.js'
import type { Why } from './whySchema.js'

const sendAgain = 'send the request again'
const newPlan = 'make a new plan; this one cannot be executed any more'
const letTimePass = 'let time pass (a frozen clock: POST /_sim/clock/advance), then ask again'
const lookForPlan = afterLostExecution
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
  internal_error: `correct what the message and the hint name, and ${sendAgain}`,
}

/** What to do about a refusal that a rule caused, when the rule has ended: in most cases only the rule was in the way. */
const afterRule: Partial<Record<string, string>> = {
  plan_not_found: newPlan,
  plan_stale: newPlan,
  rate_limited: wait,
}

/** What other verdicts call for; the first that fits counts. */
const steps: readonly [verdict: RegExp, step: string][] = [
  [/^no response yet|(^|activity \S+: )pending: /, letTimePass],
  [/^not executed/, 'sign the digest of the plan, and POST it to plan/execute'],
  [/did not get the response/, lookForPlan],
  [/(^|activity \S+: )failed: |^never executed/, newPlan],
  [/^no plan of this account/, 'make a plan, sign its digest and execute it'],
]

/** Effects that leave it open whether a request is refused: a refusal at which they fired has another cause. */
export const neverRefuses = /^(request\.latency|folio\.(latency|serve_stale))$/

/** What a person can do about a verdict; undefined where all is well. A rule that would meet the next try too goes first. */
export function nextOf(why: Why): string | undefined {
  const { id, timeline, now } = why
  if (/^fault rule .* is armed/.test(now))
    return `remove the rule when you no longer need it: DELETE /_sim/faults/${id}`
  const [, lastRefused, verdict = now] =
    /^no plan of this account has been executed; the last refusal was (\S+ \S+): (.*)$/s.exec(
      now,
    ) ?? []
  const asked = lastRefused ?? timeline.find(({ type }) => type === 'request')?.title ?? ''
  const [, code] = /^returned [45]\d\d (\w+)/.exec(verdict) ?? []
  const rules = rulesIn(verdict).filter(
    // Rules of the seam `answer` change the code at most: without them the request would be refused, too.
    ({ effect }) => !code || !(neverRefuses.test(effect) || effect.startsWith('answer.')),
  )
  const step = stepFor(verdict, { asked, code, isRule: rules.length > 0 })
  return step === undefined ? undefined : withoutRules(rules, step, why)
}

function stepFor(
  verdict: string,
  { asked, code, isRule }: { asked: string; code: string | undefined; isRule: boolean },
): string | undefined {
  const isDone = / after the request was carried out|; activity \S+: /.test(verdict)
  if (/^the connection was cut/.test(verdict) || (code && isDone)) return afterLoss(asked)
  if (code === undefined) return steps.find(([pattern]) => pattern.test(verdict))?.[1]
  if (isRule) return afterRule[code] ?? sendAgain
  return (afterRefusal as Partial<Record<string, string>>)[code] ?? changeNamed
}

/** The client does not know whether the request was carried out. */
function afterLoss(asked: string): string {
  if (/\/plan\/execute$/.test(asked)) return lookForPlan
  if (/^POST \/accounts$/.test(asked))
    return 'look for the signer in GET /accounts before you create the account again'
  if (/^(GET|HEAD) |\/plan\/[\w-]+$/.test(asked)) return sendAgain
  return `find out whether the request was carried out before you ${sendAgain}`
}

interface NamedRule {
  id: string
  effect: string
}

/** The rules that a verdict names as causes. */
function rulesIn(verdict: string): NamedRule[] {
  const causes = verdict.matchAll(/(?:because|, and) (?:fault rule )?(\S+) \((\w+\.\w+)/g)
  const reorganised = verdict.matchAll(/\(fault rule (\S+)\)/g)
  const found = [
    ...[...causes].map(([, id, effect]) => ({ id: id!, effect: effect! })),
    ...[...reorganised].map(([, id]) => ({ id: id!, effect: 'chain.reorg' })),
  ]
  return found.filter(({ id }, place) => found.findIndex((each) => each.id === id) === place)
}

/** The step, after what ends the rules. That of a request's own header is not in the list of rules. */
function withoutRules(rules: readonly NamedRule[], step: string, { timeline }: Why): string {
  const isCarried = ({ id }: NamedRule): boolean =>
    timeline.some(({ details }) => details.rule === id && details.carried === true)
  const armed = rules.filter((rule) => !isCarried(rule))
  const rest = armed.length < rules.length ? withoutHeader(step) : step
  if (armed.length === 0) return rest
  const what = armed.length === 1 ? 'rule unless it has' : 'rules unless they have'
  const how = armed.map(({ id }) => `DELETE /_sim/faults/${id}`).join(', ')
  return `remove the ${what} ended (${how}), then ${rest}`
}

function withoutHeader(step: string): string {
  if (step === letTimePass)
    return `end the rule of the header x-svc-sim-fault, and all others with it (DELETE /_sim/faults), then ${step}`
  return `leave out the header x-svc-sim-fault, and ${step}`
}
