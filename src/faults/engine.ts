import { networkNames } from '../chain/networks.js'
import { note } from '../context.js'
import { ServiceError } from '../errors.js'
import type {
  CallEffect,
  FaultFacts,
  FaultTools,
  RuleMatch,
  SeamName,
  Seams,
  StandingEffect,
} from './effect.js'
import { parseRule, type Rule, seamOf } from './rules.js'

/** A rule with what it has done so far. */
export interface RuleView {
  id: string
  on: string
  effect: string | Record<string, unknown>
  match: RuleMatch
  after: number
  times?: number
  /** Calls that matched. */
  seen: number
  /** Calls at which it fired; 1 for an effect that stands. */
  hits: number
}

/** The faults of a simulator. Off until a rule is added. */
export interface Faults {
  /** Whether there is any rule: all that the seams look at in a simulator without faults. */
  readonly armed: boolean
  /** Runs a call through the rules that fire for it, the first outermost; `proceed` is the real thing. */
  around<S extends SeamName>(
    seam: S,
    call: Seams[S]['call'],
    proceed: () => Promise<Seams[S]['result']>,
  ): Promise<Seams[S]['result']>
  /** Adds a rule (design of rules: rules.ts); what stands, stands when it resolves. Rejects with `invalid_params`, nothing changed. */
  add(rule: unknown): Promise<RuleView>
  list(): RuleView[]
  /** Removes a rule and lets go what it holds. False when there is none of that id. */
  remove(id: string): Promise<boolean>
  /** Removes all rules. */
  clear(): Promise<void>
}

interface Armed extends Rule {
  id: string
  seen: number
  hits: number
  gone: AbortController
  /** Ends what stands. */
  end?: () => Promise<void>
}

/** Makes the engine. The effects are loaded with the first rule: a start without faults does not pay for them. */
export function createFaults(tools: FaultTools): Faults {
  const rules = new Map<string, Armed>()
  let made = 0

  const fires = (rule: Armed, seam: SeamName, facts: FaultFacts): boolean => {
    if (rule.effect.on !== seam || !matches(rule.match, facts)) return false
    rule.seen++
    if (rule.seen <= rule.after) return false
    if (rule.times !== undefined && rule.hits >= rule.times) return false
    rule.hits++
    note({ type: 'fault', rule: rule.id, effect: `${rule.on}.${rule.effect.name}` })
    return true
  }

  const remove = async (id: string): Promise<boolean> => {
    const rule = rules.get(id)
    if (!rule) return false
    rules.delete(id)
    rule.gone.abort()
    await rule.end?.()
    return true
  }

  return {
    get armed() {
      return rules.size > 0
    },
    around(seam, call, proceed) {
      if (rules.size === 0) return proceed()
      const firing = [...rules.values()].filter((rule) => fires(rule, seam, call.facts))
      return firing.reduceRight<typeof proceed>((next, { effect, settings, ...rule }) => {
        const handle = { id: rule.id, match: rule.match, gone: rule.gone.signal }
        const { apply } = effect as CallEffect<typeof seam>
        return () => apply(settings, call, next, { ...tools, rule: handle })
      }, proceed)()
    },
    async add(input) {
      const { effects } = await import('./index.js')
      const rule = parseRule(input, effects)
      const id = rule.id ?? `fault_${++made}`
      if (rules.has(id))
        throw new ServiceError('invalid_params', `there is a rule "${id}" already; remove it first`)
      const armed: Armed = { ...rule, id, seen: 0, hits: 0, gone: new AbortController() }
      rules.set(id, armed)
      try {
        if (rule.effect.on === 'chain.stand') await stand(armed, tools)
      } catch (error) {
        rules.delete(id)
        throw error
      }
      return viewOf(armed)
    },
    list: () => [...rules.values()].map(viewOf),
    remove,
    async clear() {
      await Promise.all([...rules.keys()].map(remove))
    },
  }
}

async function stand(rule: Armed, tools: FaultTools): Promise<void> {
  const effect = rule.effect as StandingEffect
  const { network } = rule.match
  const networks = networkNames.filter((name) => network === undefined || name === network)
  rule.end = await effect.stand(rule.settings, networks, tools)
  rule.seen = 1
  rule.hits = 1
}

function viewOf({ id, on, effect, settings, match, after, times, seen, hits }: Armed): RuleView {
  const plain = Object.keys(settings as object).length === 0
  return {
    id,
    on: on ?? seamOf(effect),
    effect: plain ? effect.name : { [effect.name]: settings },
    match,
    after,
    ...(times === undefined ? {} : { times }),
    seen,
    hits,
  }
}

/** Every word of the match must be among the facts; `*` in it stands for anything. */
function matches(match: RuleMatch, facts: FaultFacts): boolean {
  return Object.entries(match).every(([key, wanted]) => {
    const fact = facts[key as keyof FaultFacts]
    const words = fact === undefined ? [] : typeof fact === 'string' ? [fact] : fact
    return words.some((word) => matchesWord(wanted, word))
  })
}

function matchesWord(wanted: string, word: string): boolean {
  if (!wanted.includes('*')) return wanted.toLowerCase() === word.toLowerCase()
  const pattern = wanted.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('.*')}$`, 'i').test(word)
}
