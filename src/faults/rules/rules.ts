import { z } from 'zod'
import { networkNames } from '../../deployments/networks.js'
import { ServiceError } from '../../lib/errors.js'
import { parseJson } from '../../lib/json.js'
import type { Effect, RuleMatch, RuleStep } from './effect.js'
import { leastOf, refusedFields } from './refusedFields.js'
import { checkMatch, type RuleTargets } from './targets.js'

/** A rule as it is armed: which effect comes in where, for which calls, and how often. */
export interface FaultRule {
  id: string | undefined
  on: string
  /** Where it comes in: the same for all of its steps. */
  seam: Effect['on']
  /** One step that fires over and over, or with `isSequence` what happens at each call in turn; `ok` lets a call pass. */
  steps: readonly (RuleStep | 'ok')[]
  isSequence: boolean
  match: RuleMatch
  /** Matching calls that pass before it fires. */
  after: number
  /** How often it fires; undefined: always. */
  times: number | undefined
  /** How likely it fires, above 0 and up to 1; undefined: for certain. */
  probability: number | undefined
}

const text = z.string().min(1).max(200)
/** `{name: settings}`. */
export const withSettings = z
  .record(z.string(), z.unknown())
  .meta({ id: 'EffectWithSettings', description: 'One effect: `{name: settings}`.' })
const effectField = z.union([text, withSettings])

/**
 * A rule as callers write it. `effect` is a name, or an object of one name with its settings. A `sequence` has an entry for each call: `ok`,
 * an effect, or either with a count (`unavailable x2`); after its end all calls pass.
 */
export const ruleSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'must be 1 to 64 letters, digits and _ . : -')
      .optional()
      .meta({ description: 'Id to remove the rule by; generated when absent.' }),
    on: text.meta({ description: 'The seam where it applies.', example: 'quote' }),
    match: z
      .strictObject({
        account_id: text,
        kind: text,
        network: z.enum(networkNames),
        asset: text,
        path: text.meta({ description: '`*` matches anything.' }),
        method: text,
      })
      .partial()
      .default({})
      .meta({ description: 'Which calls it applies to; all conditions must match.' }),
    effect: effectField.optional().meta({ description: 'A name, or `{name: settings}`.' }),
    sequence: z
      .array(effectField)
      .min(1)
      .max(100)
      .optional()
      .meta({
        description: 'Instead of `effect`: what happens at each matching call in turn.',
        example: ['ok', 'unavailable x2', 'ok'],
      }),
    after: z
      .int()
      .min(0)
      .max(1e9)
      .default(0)
      .meta({ description: 'Matching calls that pass first.' }),
    times: z.int().min(1).max(1e9).optional().meta({ description: 'How often it fires.' }),
    probability: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .meta({ description: 'Chance that it fires, drawn from the run’s seed.' }),
  })
  .meta({ id: 'FaultRule' })

/** The seam that a rule names for an effect: `chain` for `chain.request`. */
export function seamOf(effect: Pick<Effect, 'on'>): string {
  return effect.on.split('.')[0]!
}

/** Reads a rule. Rejects with `invalid_params` what does not exist, does not fit or can never fire, naming what is allowed. */
export async function parseRule(input: unknown, targets: RuleTargets): Promise<FaultRule> {
  const rule = readRule(input, targets.effects)
  let { match } = rule
  for (const step of new Set(rule.steps))
    if (step !== 'ok') match = await checkMatch(match, step, targets)
  return { ...rule, match }
}

/** Does not check whether the rule can ever match. Throws `invalid_params`. */
export function readRule(input: unknown, effects: readonly Effect[]): FaultRule {
  const parsed = ruleSchema.safeParse(input)
  if (!parsed.success)
    throw refuse(`the rule is malformed: ${refusedFields(ruleSchema, parsed.error.issues, input)}`)
  const { id, on, after, times, probability, effect, sequence } = parsed.data
  if ((effect === undefined) === (sequence === undefined))
    throw refuse('a rule has exactly one of "effect" and "sequence"')
  if (sequence && times !== undefined)
    throw refuse('"times" does not apply to a sequence; write the counts into it ("stale x2")')
  const there = effects.filter((each) => seamOf(each) === on)
  if (there.length === 0)
    throw refuse(`there is no seam "${on}"; seams: ${[...new Set(effects.map(seamOf))].join(', ')}`)
  const steps = sequence
    ? sequence.flatMap((item) => stepsOf(item, there))
    : [stepOf(effect!, there)]
  const [first, ...others] = new Set(steps.filter((step) => step !== 'ok'))
  if (!first) throw refuse('this sequence never fires: all of it is "ok"')
  const seam = first.effect.on
  const stranger = others.find((step) => step.effect.on !== seam)
  if (stranger)
    throw refuse(
      `${first.effect.name} and ${stranger.effect.name} come in at different places of ${on}; make two rules`,
    )
  if (seam === 'chain.stand' && (after > 0 || times !== undefined || sequence || probability))
    throw refuse(
      `${on}.${first.effect.name} applies from when it is added until it is removed: "after", "times", "sequence" and "probability" do not apply`,
    )
  return {
    id,
    on,
    seam,
    steps,
    isSequence: sequence !== undefined,
    match: parsed.data.match,
    after,
    times,
    probability,
  }
}

/** A rule as a request carries it: JSON, or `seam.effect` in short. */
export function ruleOfText(header: string): unknown {
  if (!header.trim().startsWith('{')) {
    const [, on, effect] = /^\s*([a-z]+)\.([a-z_]+)\s*$/.exec(header) ?? []
    if (on) return { on, effect }
    throw refuse(
      `x-svc-sim-fault must be a rule as JSON or "seam.effect", received "${header.slice(0, 80)}"`,
    )
  }
  try {
    return parseJson(header)
  } catch (error) {
    throw refuse(`x-svc-sim-fault cannot be read as JSON: ${(error as Error).message}`)
  }
}

/** `name x3` is three steps. */
function stepsOf(
  item: string | Record<string, unknown>,
  there: readonly Effect[],
): (RuleStep | 'ok')[] {
  const [, name, count] = (typeof item === 'string' && /^(.*?) x(\d{1,3})$/.exec(item)) || []
  const step = (name ?? item) === 'ok' ? ('ok' as const) : stepOf(name ?? item, there)
  const times = Number(count ?? 1)
  if (times === 0)
    throw refuse(`"${item}" of the sequence never comes: the count must be 1 or more`)
  return Array.from({ length: times }, () => step)
}

function stepOf(wanted: string | Record<string, unknown>, there: readonly Effect[]): RuleStep {
  const [name, settings] = nameAndSettings(wanted)
  const effect = there.find((candidate) => candidate.name === name)
  const on = seamOf(there[0]!)
  if (!effect)
    throw refuse(
      `seam ${on} has no effect "${name}"; it has ${there.map((each) => each.name).join(', ')}`,
    )
  const fitting = effect.settings.safeParse(settings)
  if (!fitting.success)
    throw refuse(
      `settings of ${on}.${name} do not fit: ${refusedFields(effect.settings, fitting.error.issues, settings)}`,
      `A rule that fits: ${exampleRule(on, effect)}. GET /_sim/effects has the settings of every effect.`,
    )
  return { effect, settings: fitting.data }
}

function nameAndSettings(effect: string | Record<string, unknown>): [string, unknown] {
  if (typeof effect === 'string') return [effect, {}]
  const entries = Object.entries(effect)
  if (entries.length !== 1)
    throw refuse(
      `"effect" is a name, or an object of one name with its settings; this one has ${entries.length} names`,
    )
  return entries[0]!
}

function exampleRule(on: string, { name, settings }: Effect): string {
  const least = leastOf(settings)
  const isBare = Object.keys(least).length === 0
  return JSON.stringify({ on, effect: isBare ? name : { [name]: least } })
}

function refuse(message: string, hint?: string): ServiceError {
  return new ServiceError('invalid_params', message, { hint })
}
