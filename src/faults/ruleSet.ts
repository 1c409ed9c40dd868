import { serialQueue } from '../lib/serialQueues.js'
import {
  type ActiveRule,
  again,
  type Firing,
  type HoldingRules,
  stand,
  takeBack,
} from './activeRule.js'
import type { FaultTools } from './effect.js'
import type { RuleView } from './faultRules.js'
import { viewOf } from './view.js'

/** What can become of a rule. */
export type RuleChange = 'added' | 'removed' | 'fired'

/** Hears what becomes of rules. */
export type RuleListener = (change: RuleChange, rule: RuleView) => void

/** The rules there are, in their order, and how they come and go. */
export function createRuleSet(tools: () => FaultTools, seed: bigint, hear: RuleListener) {
  const rules = new Map<string, ActiveRule>()
  const tally = createTally(seed)
  /** Rules of requests, as far as they hold something. */
  const holding: HoldingRules = new Map()
  /** Changes of the rules come one after the other. */
  const inTurn = serialQueue()

  const enter = async (rule: ActiveRule): Promise<void> => {
    rules.set(rule.id, rule)
    try {
      await stand(rule, tools(), tally.onFired)
      hear('added', viewOf(rule))
    } catch (error) {
      rules.delete(rule.id)
      throw error
    }
  }
  /** Who may have changed something. */
  const changing = (): ActiveRule[] => [...rules.values(), ...holding.keys()]
  const leave = async (leaving: readonly ActiveRule[]): Promise<void> => {
    for (const rule of leaving) {
      if (rules.get(rule.id) === rule) {
        rules.delete(rule.id)
        hear('removed', viewOf(rule))
      }
      holding.delete(rule)
      rule.removal.abort()
    }
    // What stands may be in the way of taking back.
    await Promise.all(leaving.map((rule) => rule.end?.()))
    await Promise.all(leaving.map((rule) => takeBack(rule, changing())))
  }
  return {
    rules,
    tally,
    holding,
    enter,
    leave,
    inTurn,
    /** The end of a request with a rule of its own. What goes on after it is the rule's still. */
    async endRequest(rule: ActiveRule): Promise<void> {
      await takeBack(
        rule,
        changing().filter((other) => other !== rule),
      )
      if (holding.get(rule) === 0) holding.delete(rule)
    },
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

/** What rules fire with, and how often each effect did. */
function createTally(seed: bigint): Firing & { fired: ReadonlyMap<string, number> } {
  const fired = new Map<string, number>()
  return {
    seed,
    fired,
    onFired({ on }, { effect }) {
      const name = `${on}.${effect.name}`
      fired.set(name, (fired.get(name) ?? 0) + 1)
    },
  }
}
