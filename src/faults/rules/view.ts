import { z } from 'zod'
import { count } from '../../lib/scalars.js'
import type { BridgeWorker, ExpectedFill } from '../../service/bridge/relayer.js'
import type { ActiveRule } from './activeRule.js'
import type { RuleStep } from './effect.js'
import type { RuleView } from './faultRules.js'
import { seamOf, withSettings } from './rules.js'

const stepField = z.union([z.string(), withSettings])

/** `RuleView` on the wire. */
export const ruleViewSchema: z.ZodType<RuleView> = z
  .strictObject({
    id: z.string(),
    on: z.string(),
    effect: stepField.optional(),
    sequence: z.array(stepField).optional(),
    match: z.record(z.string(), z.string()),
    after: count,
    times: count.optional(),
    probability: z.number().min(0).max(1).optional(),
    seen: count.meta({ description: 'Calls that matched.' }),
    // 1 for an effect that stands.
    hits: count.meta({
      description:
        'Calls on which it fired. A rule of the seam `answer` fires when it changes the response.',
    }),
  })
  .meta({ id: 'Fault' })

export function viewOf(rule: ActiveRule): RuleView {
  const { id, on, steps, match, after, times, probability, seen, hits } = rule
  const views = steps.map(stepView)
  return {
    id,
    on: on ?? seamOf({ on: rule.seam }),
    ...(rule.isSequence ? { sequence: views } : { effect: views[0]! }),
    match,
    after,
    ...(times === undefined ? {} : { times }),
    ...(probability === undefined ? {} : { probability }),
    seen,
    hits,
  }
}

function stepView(step: RuleStep | 'ok'): z.infer<typeof stepField> {
  if (step === 'ok') return step
  const { effect, settings } = step
  return Object.keys(settings as object).length === 0 ? effect.name : { [effect.name]: settings }
}

/** `execute.revert by nonce`. */
export function effectText(effect: string, settings: object = {}): string {
  return 'by' in settings ? `${effect} by ${settings.by}` : effect
}

/** The rules that keep one of the networks from mining or from responding, as `mean (chain.halt)`. */
export function rulesStopping(rules: readonly RuleView[], networks: readonly string[]) {
  return rules.flatMap(({ id, on, effect = '', match }) => {
    const [[word = '', settings] = []] = Object.entries(
      typeof effect === 'string' ? { [effect]: {} } : effect,
    )
    const isStop = on === 'chain' && ['halt', 'down'].includes(word)
    const isThere = match.network === undefined || networks.includes(match.network)
    if (!isStop || !isThere) return []
    // It stays listed when its time is over.
    const isTimed = 'ms' in (settings as object)
    return [{ rule: id, effect: `chain.${word}`, name: `${id} (chain.${word})`, isTimed }]
  })
}

/** The rules that stop a network until they are removed, as they are when it is called. */
export function stopsAmong(rules: ReadonlyMap<string, ActiveRule>) {
  return (network: string) =>
    rulesStopping([...rules.values()].map(viewOf), [network])
      .filter(({ isTimed }) => !isTimed)
      .map(({ rule, effect }) => ({ rule, effect }))
}

/** What a bridge waits for where a network that it needs next is stopped: no moment is certain then. */
export function expectedFillUnder(
  rules: readonly RuleView[],
  expected: BridgeWorker['expected'],
): BridgeWorker['expected'] {
  return (relayHash): ExpectedFill | undefined => {
    const fill = expected(relayHash)
    const stops = fill ? rulesStopping(rules, fill.on).filter(({ isTimed }) => !isTimed) : []
    if (!fill || stops.length === 0) return fill
    const { delivers, on, heldBy, isLost = false } = fill
    const holds = heldBy.map(({ rule, effect }) => `${rule} (${effect})`)
    const own = 'waitsFor' in fill ? [fill.waitsFor] : holds
    const waitsFor = [...own, ...stops.map(({ name }) => name)].join(' and ')
    return { delivers, on, heldBy, isLost, waitsFor, refundsAtMs: undefined }
  }
}
