import { switchText } from '../../chain/transactions/mining.js'
import { isSpent, type RuleView } from '../../faults/rules/faultRules.js'
import type { Shortfall, StaleCause } from '../../service/context/requestContext.js'
import { nextOf, type StateOfRule } from './nextStep.js'
import type { NamedFault, Verdict } from './verdict.js'
import { laterIn } from './verdictText.js'
import type { Why } from './whySchema.js'

type ShownVerdict = Why['verdict']

export function shownVerdict(verdict: Verdict, rules: readonly RuleView[]): ShownVerdict {
  const decisive = decisiveOf(verdict)
  const own = 'cause' in decisive ? decisive.cause : undefined
  const undone = 'undone' in decisive ? decisive.undone : undefined
  const later = 'plan' in decisive ? laterIn(decisive.plan)[0] : undefined
  const before = 'method' in decisive ? decisive.overtaken : undefined
  const repeated = 'repeated' in decisive ? decisive.repeated : undefined
  const cause = own ?? undone ?? later ?? before ?? repeated
  const fault = faultOf(decisive, cause) ?? faultOf(verdict, undefined)
  const network = networkIn(decisive, cause)
  const short = cause?.short ?? ('short' in decisive ? decisive.short : undefined)
  const amounts = amountsIn(decisive, cause, short)
  return {
    outcome: verdict.outcome,
    cause: cause ? { ...plain(cause) } : switchIn(decisive),
    ...(fault && { fault }),
    ...(network !== undefined && { network }),
    ...(amounts && { amounts }),
    next: nextOf(verdict, stateIn(rules)) ?? null,
  }
}

function stateIn(rules: readonly RuleView[]): StateOfRule {
  return (id) => {
    const rule = rules.find((each) => each.id === id)
    if (!rule) return 'removed'
    return isSpent(rule) ? 'spent' : 'armed'
  }
}

/** The note's own type and lists that were left out are no part of the cause. */
function plain(cause: StaleCause): ShownVerdict['cause'] & object {
  const { type: _, ...facts } = cause as StaleCause & { type?: string }
  return JSON.parse(JSON.stringify(facts))
}

/** The command of a client that a pending activity waits for. */
function switchIn(verdict: Verdict): ShownVerdict['cause'] {
  const by = 'waiting' in verdict ? verdict.waiting?.switched : undefined
  return by ? { cause: 'rpc', reason: switchText(by), ...by } : null
}

/** The verdict that the others are about: of an account its last refusal or activity, of a good request its activity. */
function decisiveOf(verdict: Verdict): Verdict {
  if (verdict.outcome === 'idle') return verdict.open ?? verdict.refused ?? verdict
  if (verdict.outcome === 'active') return verdict.activities[0] ?? verdict
  if ('activity' in verdict && verdict.activity && verdict.outcome !== 'refused')
    return verdict.activity
  return verdict
}

function faultOf(
  verdict: Verdict,
  cause: StaleCause | undefined,
): ShownVerdict['fault'] | undefined {
  const faults: readonly NamedFault[] = ('faults' in verdict && verdict.faults) || []
  const waiting = 'waiting' in verdict ? verdict.waiting : undefined
  const standing = waiting && 'standing' in waiting ? waiting.standing : []
  const partial =
    'partialFills' in verdict ? verdict.partialFills.flatMap((fill) => fill.faults) : []
  const lost = 'lost' in verdict ? (verdict.lost?.faults ?? []) : []
  const was = 'method' in verdict ? (verdict.was?.faults ?? []) : []
  const attempt = 'refusedBy' in verdict ? (verdict.refusedBy ?? []) : []
  const open = verdict.outcome === 'ready' ? (verdict.open?.faults ?? []) : []
  const [first] = [...open, ...faults, ...standing, ...partial, ...lost, ...was, ...attempt]
  if (first) return { rule: first.rule, effect: first.effect }
  if (cause?.rule !== undefined) return { rule: cause.rule, effect: cause.effect ?? 'chain.reorg' }
  const plan = 'plan' in verdict ? verdict.plan : undefined
  return plan && 'faults' in plan ? faultOf(plan, undefined) : undefined
}

function networkIn(verdict: Verdict, cause: StaleCause | undefined): string | undefined {
  if (cause?.network) return cause.network
  if ('part' in verdict) return verdict.part?.network
  return 'network' in verdict ? verdict.network : undefined
}

function amountsIn(
  verdict: Verdict,
  cause: StaleCause | undefined,
  short: Shortfall | undefined,
): Record<string, string> | undefined {
  const { before, after } = cause ?? {}
  const change = before !== undefined && after !== undefined && { before, after }
  const lack = short && { needs: short.needs, available: short.available, missing: short.missing }
  const beyond = 'beyond' in verdict ? verdict.beyond : undefined
  const excess = beyond && { asked: beyond.asked, [beyond.limit]: beyond.most }
  if (change || lack || excess) return { ...change, ...lack, ...excess }
  if ('waiting' in verdict && verdict.waiting?.for === 'bridge') {
    const { delivers, missing, refunds } = verdict.waiting
    return { delivers, ...(missing && { missing }), refunds }
  }
  const [first] = 'partialFills' in verdict ? verdict.partialFills : []
  return first && { ...first.amounts }
}
