import { ServiceError } from '../../lib/errors.js'
import type { Stateful } from '../../lib/lifecycle.js'
import {
  type ActiveRule,
  activeRuleOf,
  type RuleWorld,
  withoutEffects,
} from '../rules/activeRule.js'
import type { RuleStep } from '../rules/effect.js'
import type { FaultRules, RuleView } from '../rules/faultRules.js'
import { type FaultRule, parseRule, ruleOfText } from '../rules/rules.js'
import type { Stoppage, Stoppages } from '../rules/stoppages.js'
import type { RuleTargets } from '../rules/targets.js'
import { viewOf } from '../rules/view.js'
import { addRequestFaults, type FaultSeams, type OpenSeams } from './seams.js'

/** The faults of a simulator. Off until a rule is added. */
export interface Faults extends FaultRules {
  seams: FaultSeams
  /**
   * Arms the rule of a request's header for this request and the work that it leaves behind. Rejects with `invalid_params`. Resolves to a
   * function that reverts the rule's changes: call it after the response.
   */
  addForRequest(header: string): Promise<() => Promise<void>>
}

type Saved = {
  made: number
  rules: readonly ActiveRule[]
  stoppages: readonly Stoppage[]
}

export interface FaultParts extends RuleWorld {
  /** The effects by name; loaded with the first rule, so that a start without faults does not pay for it. */
  loadTargets(): Promise<RuleTargets>
  /** After a restore an id that has been given is given again only while this says so. */
  repeats(): boolean
}

/** A rule as a data folder has it. */
export interface SavedRule extends RuleView {
  /** The deposits under way that it has met, by relay hash, each with the place of its step; null where the rule let the deposit pass. */
  met?: readonly (readonly [key: string, place: number | null])[]
}

/** The faults as a data folder has them. Folders of earlier versions have less. */
export interface SavedFaults {
  rules: readonly SavedRule[]
  stoppages?: readonly Stoppage[]
  /** How many ids have been given. */
  made?: number
  /** Since when each deposit under way has been served, by relay hash. */
  deposits?: readonly (readonly [key: string, sinceMs: number])[]
}

type RuleCounts = Pick<ActiveRule, 'seen' | 'hits' | 'earlier_hits' | 'next'>

export interface FaultEngine extends Faults, Stateful<Saved> {
  /** As `Faults` has it; a rule may have counted already. */
  add(rule: unknown, counts?: RuleCounts, met?: SavedRule['met']): Promise<RuleView>
  stoppages: Stoppages
  /** For a data folder. */
  saved(): SavedFaults
  /** Goes on from what a data folder has; its rules are added afterwards. */
  resume(saved: SavedFaults): void
}

/** Makes what rules come from. The seams are there already, around the parts that the rules work with. */
export function createFaults(
  seams: OpenSeams,
  { loadTargets, repeats, tools, onFired }: FaultParts,
): FaultEngine {
  const { set } = seams
  const { rules, holding, stoppages, deposits } = set
  const names = createNames(repeats)
  const world = { tools, onFired }

  const checked = async (inputs: readonly unknown[]): Promise<FaultRule[]> => {
    const targets = await loadTargets()
    return Promise.all(inputs.map((input) => parseRule(input, targets)))
  }
  const parse = async (inputs: readonly unknown[]): Promise<ActiveRule[]> => {
    const parsed = await checked(inputs)
    return parsed.map((rule) =>
      after(deposits, activeRuleOf(rule, rule.id ?? names.next(rules), world)),
    )
  }

  return {
    seams,
    stoppages,
    saved: () => ({
      rules: [...rules.values()].map((rule) => savedRule(rule, deposits)),
      stoppages: stoppages.save(),
      made: names.highest(),
      deposits: [...deposits],
    }),
    resume(saved) {
      names.goOnFrom(saved.made ?? 0)
      stoppages.restore(saved.stoppages ?? [])
      for (const [key, sinceMs] of saved.deposits ?? []) deposits.set(key, sinceMs)
    },
    async add(input, counts?: RuleCounts, met: SavedRule['met'] = []) {
      const rule = { ...(await parse([input]))[0]!, ...counts }
      for (const [key, place] of met) rule.done.set(key, stepAt(rule, place))
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
      seams.voidRequests('end')
      // At once, so that a held request cannot delay the end of the simulator. Undoing changes waits for its turn.
      const leaving = [...rules.values(), ...holding.keys()]
      for (const rule of leaving) rule.removal.abort()
      await set.inTurn(() => set.leave([...new Set([...rules.values(), ...leaving])]))
    },
    async addForRequest(header) {
      const [parsed] = (await checked([ruleOfText(header)])) as [FaultRule]
      refusePersistent(parsed)
      const rule = activeRuleOf(parsed, parsed.id ?? 'header', world)
      const hasRules = { ...rule, cleared: seams.cleared }
      addRequestFaults({ own: seams.addForRequest(hasRules) })
      return () => set.endRequest(hasRules)
    },
    save: () => ({
      made: names.made(),
      rules: [...rules.values()].map(withoutEffects),
      stoppages: stoppages.save(),
    }),
    async restore(saved) {
      seams.voidRequests()
      names.goOnFrom(saved.made)
      const leaving = [...rules.values(), ...holding.keys()]
      // The chains are back already, and with them whatever rules had changed there.
      for (const rule of leaving) rule.changes.clear()
      await set.leave(leaving)
      stoppages.restore(saved.stoppages)
      // The relayer's own state has when they are due.
      deposits.clear()
      for (const rule of saved.rules) await set.enter(withoutEffects(rule))
      stoppages.endOthers(rules, tools.clock.now())
    },
  }
}

/**
 * Removes all rules and releases what they hold, but reverts nothing: the chains are about to be replaced. Resolves to a function that puts
 * the rules back if they are not.
 */
export async function liftFaults(faults: Stateful<Saved>): Promise<() => Promise<void>> {
  const saved = faults.save()
  await faults.restore({ ...saved, rules: [] })
  return async () => faults.restore(saved)
}

/** For callers in this process: like HTTP requests, they wait for what earlier ones left behind. */
export function settledFaults(
  faults: FaultRules,
  settled: () => Promise<unknown> | undefined,
): FaultRules {
  const first = <A extends unknown[], T>(change: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      await settled()
      return change(...args)
    }
  }
  return {
    list: faults.list,
    add: first(faults.add),
    set: first(faults.set),
    remove: first(faults.remove),
    clear: first(faults.clear),
  }
}

/** Makes a new rule let the deposits pass that are under way already: they are served again after a restore or a restart. */
function after(deposits: ReadonlyMap<string, unknown>, rule: ActiveRule): ActiveRule {
  for (const key of deposits.keys()) rule.done.set(key, undefined)
  return rule
}

function savedRule(rule: ActiveRule, deposits: ReadonlyMap<string, unknown>): SavedRule {
  const underWay = [...rule.done].filter(([key]) => deposits.has(key))
  const met = underWay.map(([key, step]) => [key, step ? rule.steps.indexOf(step) : null] as const)
  return { ...viewOf(rule), ...(met.length > 0 && { met }) }
}

function stepAt({ steps }: ActiveRule, place: number | null): RuleStep | undefined {
  const step = place === null ? undefined : steps[place]
  return step === 'ok' ? undefined : step
}

function createNames(repeats: () => boolean) {
  let made = 0
  /** How many have been given, restored or not. */
  let ever = 0
  return {
    made: () => made,
    /** The next id comes after this one. */
    highest: () => (repeats() ? made : Math.max(made, ever)),
    goOnFrom(count: number): void {
      made = count
      ever = Math.max(made, ever)
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

function refusePersistent(rule: FaultRule): void {
  const [step] = rule.steps
  if (step === 'ok' || step?.effect.on !== 'chain.stand') return
  throw new ServiceError(
    'invalid_params',
    `${rule.on}.${step.effect.name} stays in force until it is removed, so a request cannot carry it; POST it to /_sim/faults`,
  )
}

/** Every call at a seam is held against every rule. */
const maxRules = 1_000

/** Rejects with the reason when there cannot be rules of all these ids. */
function expectRoom(ids: readonly string[]): void {
  if (ids.length > maxRules)
    throw new ServiceError(
      'conflict',
      `Too many fault rules: ${ids.length} (the limit is ${maxRules})`,
      {
        hint: 'Remove some first; a sequence or a wider match needs fewer rules.',
      },
    )
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined)
    throw new ServiceError('invalid_params', `there is a rule "${twice}" already; remove it first`)
}
