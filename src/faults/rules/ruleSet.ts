import { expectMining } from '../../chain/transactions/mining.js'
import { serialQueue } from '../../lib/serialQueues.js'
import { note } from '../../service/context/requestContext.js'
import {
  type ActiveRule,
  beginPersistent,
  beginTime,
  type Changes,
  type Firing,
  type HoldingRules,
  takeBack,
  withoutEffects,
} from './activeRule.js'
import type { RuleView } from './faultRules.js'
import { createStoppages } from './stoppages.js'
import { expectNotStopped } from './stoppedNodes.js'
import { viewOf } from './view.js'

/** `ended`: by itself, when its time was over. */
export type RuleChange = 'added' | 'removed' | 'fired' | 'ended'

/** `effect`: of a rule that fired. */
export type RuleListener = (change: RuleChange, rule: RuleView, effect?: string) => void

/** The rules there are, in their order, and how they come and go. */
export function createRuleSet(seed: bigint, observe: RuleListener) {
  const rules = new Map<string, ActiveRule>()
  const tally = createTally(seed)
  /** Rules of requests, as far as they hold something. */
  const holding: HoldingRules = new Map()
  const stoppages = createStoppages()
  /** The deposits that are being served, by relay hash: from when, in milliseconds of the clock. */
  const deposits = new Map<string, number>()
  const inTurn = serialQueue()

  const endByItself = (rule: ActiveRule) => (): void => {
    rule.over = true
    stoppages.end(rule)
    note({ type: 'rule_end', rule: rule.id })
    observe('ended', viewOf(rule))
    rule.world.onFired()
  }
  const enter = async (rule: ActiveRule): Promise<void> => {
    rules.set(rule.id, rule)
    try {
      await beginPersistent(rule, rule.world.tools, { ...tally, onOver: endByItself(rule) })
      stoppages.begin(rule)
      observe('added', viewOf(rule))
    } catch (error) {
      rules.delete(rule.id)
      throw error
    }
  }
  const changing = (): Changes[] =>
    [...rules.values(), ...holding.keys()].map((rule) => rule.changes)
  const leave = async (leaving: readonly ActiveRule[]): Promise<void> => {
    for (const rule of leaving) {
      if (rules.get(rule.id) === rule) {
        rules.delete(rule.id)
        observe('removed', viewOf(rule))
        stoppages.end(rule)
      }
      holding.delete(rule)
      rule.removal.abort()
    }
    // A persistent effect may prevent undoing.
    await Promise.all(leaving.map((rule) => rule.persistent?.end()))
    await Promise.all(leaving.map(({ changes }) => takeBack(changes, changing())))
  }
  return {
    rules,
    tally,
    holding,
    stoppages,
    deposits,
    enter,
    leave,
    inTurn,
    /** Called when a rule has fired. One that a request carries is in no list, and ends with its request. */
    beginTime(rule: ActiveRule): void {
      if (rules.get(rule.id) === rule) beginTime(rule, endByItself(rule))
    },
    async remove(id: string): Promise<boolean> {
      const rule = rules.get(id)
      if (!rule) return false
      await expectRemovable(rule)
      await leave([rule])
      return true
    },
    /** Ends a request that carries a rule. Its background work stays subject to the rule. */
    async endRequest(rule: ActiveRule): Promise<void> {
      const { changes } = rule
      await takeBack(
        changes,
        changing().filter((other) => other !== changes),
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
        for (const rule of before) await enter(withoutEffects(rule))
        throw error
      }
    },
  }
}

/**
 * Called before one of several rules is removed: reverting its changes would wait, perhaps for ever, for a chain that another rule holds.
 *
 * @throws `ServiceError` `conflict` when a needed chain does not respond, or mines no blocks.
 */
async function expectRemovable({ id, changes, persistent }: ActiveRule): Promise<void> {
  const changed = [...changes.values()].map(({ node }) => node)
  const so = `rule ${id} stays`
  expectNotStopped([...changed, ...(persistent?.nodes ?? [])], so)
  await expectMining(changed, so)
}

/** Counts how often each effect has fired. */
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
