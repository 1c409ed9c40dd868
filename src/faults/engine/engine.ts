import { manyAborted } from '../../lib/abort.js'
import { ServiceError } from '../../lib/errors.js'
import type { Stateful } from '../../lib/lifecycle.js'
import {
  type ActiveRule,
  activeRuleOf,
  again,
  firing,
  handleOf,
  whileHeld,
} from '../rules/activeRule.js'
import type { CallEffect, FaultTools, RuleStep, SeamName, Seams } from '../rules/effect.js'
import type { FaultRules, RuleView } from '../rules/faultRules.js'
import { addRequestFaults, requestFaults } from '../rules/requestFaults.js'
import { createRuleSet, type RuleListener } from '../rules/ruleSet.js'
import { type FaultRule, parseRule, ruleOfText } from '../rules/rules.js'
import type { RuleTargets } from '../rules/targets.js'
import { viewOf } from '../rules/view.js'

/** The faults of a simulator. Off until a rule is added. */
export interface Faults extends FaultRules {
  /** Whether there may be any rule: all that the seams look at in a simulator without faults. */
  readonly armed: boolean
  /**
   * Runs a call through the rules that fire for it, the first outermost, that of the request itself before all; `proceed` is
   * the real thing.
   */
  around<S extends SeamName>(
    seam: S,
    call: Seams[S]['call'],
    proceed: () => Promise<Seams[S]['result']>,
  ): Promise<Seams[S]['result']>
  /**
   * Arms the rule of a request's header for this request and the work that it leaves behind. Rejects with `invalid_params`.
   * Resolves to what has to be called when the request has been answered: what the rule changed is taken back then.
   */
  arm(header: string): Promise<() => Promise<void>>
}

type Saved = { made: number; rules: readonly ActiveRule[] }

/** What rules work with. */
export interface FaultEquipment {
  tools: FaultTools
  /** Where rules look up what there is; loaded with the first rule, so that a start without faults does not pay for it. */
  loadTargets(): Promise<RuleTargets>
  /** Told when rules have fired. */
  onFired(): void
}

type RuleCounts = Pick<RuleView, 'seen' | 'hits'>

/** The faults as their owner holds them. */
export interface FaultEngine extends Faults, Stateful<Saved> {
  /**
   * Gives the rules what they work with. Until then there can be none, and every call goes through: so the engine can be made
   * before the parts that it works on, which have it around them.
   */
  equip(equipment: FaultEquipment): void
  /** As `Faults` has it; a rule may have counted already. */
  add(rule: unknown, counts?: RuleCounts): Promise<RuleView>
  /** How often each effect (`seam.effect`) has fired since the start, removed rules included; nothing takes it back. */
  readonly fired: ReadonlyMap<string, number>
}

/**
 * Makes the engine. Equal seeds draw equally. After a restore an id that has been given is given again only while `repeats` says so.
 * `hear` is told what becomes of rules.
 */
export function createFaults(
  seed: bigint,
  repeats: () => boolean,
  hear: RuleListener = () => {},
): FaultEngine {
  const equipment = createEquipment()
  const set = createRuleSet(equipment.tools, seed, hear)
  const { rules, holding } = set
  /** Whether requests have armed rules since all were cleared; those of another epoch are void. */
  let ofRequests = false
  let epoch = {}
  /** Ends what rules of requests hold, also where they have yet to begin with it. */
  let all = manyAborted()
  const names = createNames(repeats)

  const parse = async (inputs: readonly unknown[]): Promise<ActiveRule[]> => {
    const parsed = await equipment.parse(inputs)
    return parsed.map((rule) => activeRuleOf(rule, rule.id ?? names.next(rules)))
  }

  return {
    equip: equipment.set,
    fired: set.tally.fired,
    get armed() {
      return rules.size > 0 || ofRequests
    },
    around(seam, call, proceed) {
      if (rules.size === 0 && !ofRequests) return proceed()
      const request = requestFaults()
      const own = request.own?.epoch === epoch ? [request.own.rule] : []
      const facts = { ...request.facts, ...call.facts }
      const fire = (rule: ActiveRule) => firing(rule, seam, facts, call, set.tally)
      const fired = allFiring([...own, ...rules.values()], fire)
      if (fired.length > 0) equipment.onFired()
      for (const { rule } of fired) hear('fired', viewOf(rule))
      return fired.reduceRight<typeof proceed>((next, { rule, step }) => {
        const { apply } = step.effect as CallEffect<typeof seam>
        const tools = { ...equipment.tools(), rule: handleOf(rule, (id) => rules.get(id)) }
        const run = () => apply(step.settings, call, next, tools)
        return () => (own.includes(rule) ? whileHeld(holding, rule, run) : run())
      }, proceed)()
    },
    async add(input, counts?: RuleCounts) {
      const rule = { ...(await parse([input]))[0]!, ...counts }
      return set.inTurn(async () => {
        expectRoom([...rules.keys(), rule.id])
        await set.enter(rule)
        return viewOf(rule)
      })
    },
    async set(inputs) {
      const wanted = await parse(inputs)
      expectRoom(wanted.map(({ id }) => id))
      await set.inTurn(() => set.replace(wanted))
      return wanted.map(viewOf)
    },
    list: () => [...rules.values()].map(viewOf),
    remove: (id) => set.inTurn(() => set.remove(id)),
    async clear() {
      ;[ofRequests, epoch] = [false, {}]
      all.abort()
      all = manyAborted()
      // At once, so that what is held cannot hold up the end of the simulator; taking back has its turn.
      const leaving = [...rules.values(), ...holding.keys()]
      for (const rule of leaving) rule.removal.abort()
      await set.inTurn(() => set.leave([...new Set([...rules.values(), ...leaving])]))
    },
    async arm(header) {
      const [parsed] = (await equipment.parse([ruleOfText(header)])) as [FaultRule]
      refuseStanding(parsed)
      const rule = { ...activeRuleOf(parsed, parsed.id ?? 'header'), cleared: all.signal }
      addRequestFaults({ own: { rule, epoch } })
      ofRequests = true
      return () => set.endRequest(rule)
    },
    save: () => ({ made: names.made(), rules: [...rules.values()].map(again) }),
    async restore(saved) {
      ;[ofRequests, epoch] = [false, {}]
      names.goOnFrom(saved.made)
      const leaving = [...rules.values(), ...holding.keys()]
      // The chains are back already, and with them whatever rules had changed there.
      for (const rule of leaving) rule.changes.clear()
      await set.leave(leaving)
      for (const rule of saved.rules) await set.enter(again(rule))
    },
  }
}

/**
 * Removes all rules and lets go what they hold, but takes nothing back: the chains are about to be replaced. Resolves to how
 * to put the rules back when that comes to nothing.
 */
export async function liftFaults(faults: Stateful<Saved>): Promise<() => Promise<void>> {
  const saved = faults.save()
  await faults.restore({ ...saved, rules: [] })
  return async () => faults.restore(saved)
}

/** What the rules work with, as soon as it is known. */
function createEquipment() {
  let given: FaultEquipment | undefined
  const known = (): FaultEquipment => {
    if (!given) throw new Error('there can be no fault rules yet: the engine is not equipped')
    return given
  }
  return {
    set(equipment: FaultEquipment): void {
      given = equipment
    },
    tools: () => known().tools,
    onFired: () => known().onFired(),
    async parse(inputs: readonly unknown[]): Promise<FaultRule[]> {
      const targets = await known().loadTargets()
      return Promise.all(inputs.map((input) => parseRule(input, targets)))
    },
  }
}

/** Names for rules that were given none. */
function createNames(repeats: () => boolean) {
  let made = 0
  /** How many have been given, restored or not. */
  let ever = 0
  return {
    made: () => made,
    goOnFrom(count: number): void {
      made = count
    },
    /** One that no rule has: rules of a run before keep theirs. */
    next(taken: ReadonlyMap<string, unknown>): string {
      do {
        made = (repeats() ? made : Math.max(made, ever)) + 1
        ever = Math.max(made, ever)
      } while (taken.has(`fault_${made}`))
      return `fault_${made}`
    },
  }
}

/** Those of the rules that fire, with what they do. */
function allFiring(
  rules: readonly ActiveRule[],
  fire: (rule: ActiveRule) => RuleStep | undefined,
): { rule: ActiveRule; step: RuleStep }[] {
  return rules.flatMap((rule) => {
    const step = fire(rule)
    return step ? [{ rule, step }] : []
  })
}

function refuseStanding(rule: FaultRule): void {
  const [step] = rule.steps
  if (step === 'ok' || step?.effect.on !== 'chain.stand') return
  throw new ServiceError(
    'invalid_params',
    `${rule.on}.${step.effect.name} stands until it is removed, so a request cannot carry it; POST it to /_sim/faults`,
  )
}

/** Every call at a seam is held against every rule. */
const maxRules = 1_000

/** Rejects with the reason when there cannot be rules of all these ids. */
function expectRoom(ids: readonly string[]): void {
  if (ids.length > maxRules)
    throw new ServiceError('conflict', `There can be ${maxRules} fault rules, not ${ids.length}`, {
      hint: 'Remove some first; a sequence or a wider match needs fewer rules.',
    })
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined)
    throw new ServiceError('invalid_params', `there is a rule "${twice}" already; remove it first`)
}
