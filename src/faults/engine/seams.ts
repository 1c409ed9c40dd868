import type { NetworkName } from '../../deployments/networks.js'
import { manyAborted } from '../../lib/abort.js'
import { currentScope, type RequestScope } from '../../service/context/requestContext.js'
import {
  type ActiveRule,
  firedNote,
  handleOf,
  type Meeting,
  meet,
  whileHeld,
} from '../rules/activeRule.js'
import type {
  CallEffect,
  FaultFacts,
  RuleHandle,
  RuleStep,
  SeamName,
  Seams,
} from '../rules/effect.js'
import { createRuleSet, type RuleListener } from '../rules/ruleSet.js'
import { rulesStopping } from '../rules/stoppages.js'
import { viewOf } from '../rules/view.js'

/** Where faults come in. Made before the parts behind the seams; the engine, which is made after them, adds the rules. */
export interface FaultSeams {
  /** Whether there may be any rule: all that the seams check in a simulator without faults. */
  readonly hasRules: boolean
  /** Runs a call through the rules that fire for it, that of the request outermost, then in their order; `proceed` is the real call. */
  intercept<S extends SeamName>(
    seam: S,
    call: Seams[S]['call'],
    proceed: () => Promise<Seams[S]['result']>,
  ): Promise<Seams[S]['result']>
}

/** The seams as the engine holds them. */
export interface OpenSeams extends FaultSeams {
  /** The rules that calls meet. */
  readonly set: ReturnType<typeof createRuleSet>
  /** How often each effect (`seam.effect`) has fired since the start, removed rules included; nothing takes it back. */
  readonly fired: ReadonlyMap<string, number>
  /** Aborted when all rules are removed: it ends what rules of requests hold, also where they have yet to begin with it. */
  readonly cleared: AbortSignal
  /** Notes, for a request that waits for a stopped node, which rules have stopped it: each rule once. */
  metStopped(scope: RequestScope, network: NetworkName): void
  /** Adds a rule that one request carries, until `voidRequests`. Returns what the request keeps of it. */
  addForRequest(rule: ActiveRule): { rule: ActiveRule; epoch: object }
  /** Makes all rules of requests void. With `end`, ends what they hold. */
  voidRequests(end?: 'end'): void
}

/** Makes the seams, without rules. Equal seeds draw equally. `observe` is called when a rule is added, removed or fires. */
export function createFaultSeams(seed: bigint, observe: RuleListener = () => {}): OpenSeams {
  const set = createRuleSet(seed, observe)
  const { rules, holding } = set
  /** Whether requests have armed rules since all were cleared; those of another epoch are void. */
  let ofRequests = false
  let epoch = {}
  let all = manyAborted()
  const stoppedFor = new WeakMap<ActiveRule, WeakSet<RequestScope>>()
  return {
    set,
    fired: set.tally.fired,
    get cleared() {
      return all.signal
    },
    get hasRules() {
      return rules.size > 0 || ofRequests
    },
    intercept(seam, call, proceed) {
      if (rules.size === 0 && !ofRequests) return proceed()
      const request = requestFaults()
      const own = request.own?.epoch === epoch ? [request.own.rule] : []
      const facts = { ...request.facts, ...call.facts }
      const onFired = (rule: ActiveRule, step: RuleStep): void => {
        set.tally.onFired(rule, step)
        set.beginTime(rule)
        rule.world.onFired()
        observe('fired', viewOf(rule), step.effect.name)
      }
      const meetings = [...own, ...rules.values()].flatMap(
        (rule) => meet(rule, seam, facts, call, { seed, onFired }) ?? [],
      )
      if (meetings.length === 0) return proceed()
      const handle = (rule: ActiveRule) => handleOf(rule, (id) => rules.get(id))
      for (const { rule, step } of meetings)
        (step.effect as CallEffect<typeof seam>).foresee?.(step.settings, call, handle(rule))
      const passing = meetings.reduceRight<typeof proceed>((next, meeting) => {
        const { rule } = meeting
        const run = () => applied(meeting, handle(rule), call, next)
        return () => (own.includes(rule) ? whileHeld(holding, rule, run) : run())
      }, proceed)
      return passing().finally(() => {
        for (const { ended } of meetings) ended()
      })
    },
    metStopped(scope, network) {
      for (const rule of rules.values()) {
        const stops = rulesStopping([viewOf(rule)], [network])
        const known = stoppedFor.get(rule) ?? new WeakSet()
        if (!stops.some(({ effect }) => effect === 'chain.down') || known.has(scope)) continue
        stoppedFor.set(rule, known.add(scope))
        scope.note(firedNote(rule, rule.steps[0] as RuleStep, { facts: {} }))
        scope.faulted?.(rule.id)
      }
    },
    addForRequest(rule) {
      ofRequests = true
      return { rule, epoch }
    },
    voidRequests(end) {
      ;[ofRequests, epoch] = [false, {}]
      if (end === undefined) return
      all.abort()
      all = manyAborted()
    },
  }
}

/** Applies the effect. It has fired now, or when it says so itself (`firesLater`), or when it has changed the result (`hasChanged`). */
async function applied<S extends SeamName>(
  { rule, step, fired }: Meeting,
  handle: RuleHandle,
  call: Seams[S]['call'],
  proceed: () => Promise<Seams[S]['result']>,
): Promise<Seams[S]['result']> {
  const { apply, firesLater, hasChanged } = step.effect as CallEffect<S>
  const tools = { ...rule.world.tools, rule: handle, fired }
  if (!hasChanged) {
    if (!firesLater) fired()
    return apply(step.settings, call, proceed, tools)
  }
  let before: Seams[S]['result'] | undefined
  /** Until it says otherwise: an error is the effect's own. */
  let isHit = true
  const inner = async () => {
    isHit = false
    before = await proceed()
    isHit = true
    return before
  }
  try {
    const after = await apply(step.settings, call, inner, tools)
    isHit = hasChanged(before, after)
    return after
  } finally {
    if (isHit) fired()
  }
}

/** What faults know of a request, and of the background work that it has started. */
interface RequestFaults {
  /** What `match` of a rule is compared with; known only when there are any rules. */
  facts?: FaultFacts
  /** The rule that the request carries itself; void when its epoch has ended. */
  own?: { rule: ActiveRule; epoch: object }
  /** Whether the ids that are drawn for it have another form. */
  hasOtherIds?: boolean
}

/** Of the request on whose behalf the caller runs; empty without a request. */
export function requestFaults(): RequestFaults {
  return currentScope()?.faults ?? {}
}

/** Adds to it; does nothing without a request. */
export function addRequestFaults(more: RequestFaults): void {
  const scope = currentScope()
  if (scope) scope.faults = { ...scope.faults, ...more }
}
