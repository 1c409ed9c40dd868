import { randomBytes } from 'node:crypto'
import { ServiceError } from '../lib/errors.js'
import type { Stateful } from '../lib/lifecycle.js'
import { serialQueue } from '../lib/serialQueues.js'
import {
  type ActiveRule,
  activeRuleOf,
  again,
  firing,
  handleOf,
  stand,
  takeBack,
} from './activeRule.js'
import type { CallEffect, FaultTools, SeamName, Seams } from './effect.js'
import { addRequestFaults, requestFaults } from './requestFacts.js'
import { type FaultRule, parseRule, ruleOfText } from './rules.js'
import type { RuleTargets } from './targets.js'
import { type RuleView, viewOf } from './view.js'

export type { RuleView } from './view.js'

/** The faults of a simulator. Off until a rule is added. */
export interface Faults {
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
  /** Adds a rule (rules.ts); what stands, stands when it resolves. Rejects with `invalid_params`, nothing changed. */
  add(rule: unknown): Promise<RuleView>
  /** Replaces all rules by these. Rejects with `invalid_params`, nothing changed, when one of them will not do. */
  set(rules: readonly unknown[]): Promise<RuleView[]>
  list(): RuleView[]
  /** Removes a rule, lets go what it holds and takes back what it has changed. False when there is none of that id. */
  remove(id: string): Promise<boolean>
  /** Removes all rules, those of requests under way too. */
  clear(): Promise<void>
  /**
   * Arms the rule of a request's header for this request and the work that it leaves behind. Rejects with `invalid_params`.
   * Resolves to what has to be called when the request has been answered: what the rule changed is taken back then.
   */
  arm(header: string): Promise<() => Promise<void>>
}

type Saved = { made: number; rules: readonly ActiveRule[] }

/** Where rules look up what there is; loaded with the first rule, so that a start without faults does not pay for it. */
export type LoadGround = () => Promise<RuleTargets>

/**
 * Makes the engine. Equal seeds draw equally; without one they differ from run to run. After a restore an id that has been
 * given is given again only while `repeats` says so.
 */
export function createFaults(
  tools: FaultTools,
  loadGround: LoadGround,
  seed = BigInt(`0x${randomBytes(8).toString('hex')}`),
  repeats: () => boolean = () => true,
): Faults & Stateful<Saved> {
  const set = createRuleSet(tools)
  const { rules, holding } = set
  /** Whether requests have armed rules since all were cleared; those of another epoch are void. */
  let ofRequests = false
  let epoch = {}
  const names = createNames(repeats)

  const parse = async (inputs: readonly unknown[]): Promise<ActiveRule[]> => {
    const ground = await loadGround()
    const parsed = await Promise.all(inputs.map((input) => parseRule(input, ground)))
    return parsed.map((rule) => activeRuleOf(rule, rule.id ?? names.next()))
  }

  return {
    get armed() {
      return rules.size > 0 || ofRequests
    },
    around(seam, call, proceed) {
      if (rules.size === 0 && !ofRequests) return proceed()
      const request = requestFaults()
      const own = request.own?.epoch === epoch ? [request.own.rule] : []
      const facts = { ...request.facts, ...call.facts }
      return [...own, ...rules.values()]
        .flatMap((rule) => {
          const step = firing(rule, seam, facts, call, seed)
          return step ? [{ rule, step }] : []
        })
        .reduceRight<typeof proceed>((next, { rule, step }) => {
          const { apply } = step.effect as CallEffect<typeof seam>
          const handle = handleOf(rule, () => rules.get(rule.id) ?? rule)
          const run = () => apply(step.settings, call, next, { ...tools, rule: handle })
          return own.includes(rule) ? () => whileHeld(holding, rule, run) : run
        }, proceed)()
    },
    async add(input) {
      const [rule] = (await parse([input])) as [ActiveRule]
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
    remove: (id) =>
      set.inTurn(async () => {
        const rule = rules.get(id)
        if (rule) await set.leave([rule])
        return rule !== undefined
      }),
    async clear() {
      ;[ofRequests, epoch] = [false, {}]
      // At once, so that what is held cannot hold up the end of the simulator; taking back has its turn.
      const leaving = [...rules.values(), ...holding]
      for (const rule of leaving) rule.gone.abort()
      await set.inTurn(() => set.leave([...new Set([...rules.values(), ...leaving])]))
    },
    async arm(header) {
      const parsed = await parseRule(ruleOfText(header), await loadGround())
      refuseStanding(parsed)
      const rule = activeRuleOf(parsed, parsed.id ?? 'header')
      addRequestFaults({ own: { rule, epoch } })
      ofRequests = true
      return () => takeBack(rule)
    },
    save: () => ({ made: names.made(), rules: [...rules.values()].map(again) }),
    async restore(saved) {
      ;[ofRequests, epoch] = [false, {}]
      names.goOnFrom(saved.made)
      const leaving = [...rules.values(), ...holding]
      // The chains are back already, and with them whatever rules had changed there.
      for (const rule of leaving) rule.undos.clear()
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
    next(): string {
      made = (repeats() ? made : Math.max(made, ever)) + 1
      ever = Math.max(made, ever)
      return `fault_${made}`
    },
  }
}

/** The rules there are, in their order, and how they come and go. */
function createRuleSet(tools: FaultTools) {
  const rules = new Map<string, ActiveRule>()
  /** Rules of requests, as far as they hold something. */
  const holding = new Set<ActiveRule>()
  /** Changes of the rules come one after the other. */
  const inTurn = serialQueue()

  const enter = async (rule: ActiveRule): Promise<void> => {
    rules.set(rule.id, rule)
    try {
      await stand(rule, tools)
    } catch (error) {
      rules.delete(rule.id)
      throw error
    }
  }
  const leave = async (leaving: readonly ActiveRule[]): Promise<void> => {
    for (const rule of leaving) {
      if (rules.get(rule.id) === rule) rules.delete(rule.id)
      holding.delete(rule)
      rule.gone.abort()
    }
    // What stands may be in the way of taking back.
    await Promise.all(leaving.map((rule) => rule.end?.()))
    await Promise.all(leaving.map(takeBack))
  }
  return {
    rules,
    holding,
    enter,
    leave,
    inTurn,
    async replace(wanted: readonly ActiveRule[]): Promise<void> {
      const before = [...rules.values()]
      await leave(before)
      try {
        for (const rule of wanted) await enter(rule)
      } catch (error) {
        await leave(wanted)
        for (const rule of before) await enter(again(rule))
        throw error
      }
    },
  }
}

/** Keeps a request's rule where `clear` finds it, as long as its effect is under way. */
async function whileHeld<T>(
  holding: Set<ActiveRule>,
  rule: ActiveRule,
  run: () => Promise<T>,
): Promise<T> {
  holding.add(rule)
  try {
    return await run()
  } finally {
    if (rule.undos.size === 0) holding.delete(rule)
  }
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
