import { z } from 'zod'
import { networkNames } from '../chain/networks.js'
import { ServiceError } from '../errors.js'
import type { Effect, RuleMatch } from './effect.js'

/** A rule as it is armed: which effect comes in where, for which calls, and how often. */
export interface Rule {
  id: string | undefined
  on: string
  effect: Effect
  /** As the effect's schema parsed them. */
  settings: unknown
  match: RuleMatch
  /** Matching calls that pass before it fires. */
  after: number
  /** How often it fires; undefined: always. */
  times: number | undefined
}

const text = z.string().min(1).max(200)

const ruleSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,64}$/)
    .optional(),
  on: text,
  match: z
    .strictObject({
      account_id: text,
      kind: text,
      network: z.enum(networkNames),
      asset: text,
      path: text,
      method: text,
    })
    .partial()
    .default({}),
  effect: z.union([text, z.record(z.string(), z.unknown())]),
  after: z.int().min(0).default(0),
  times: z.int().min(1).optional(),
})

/** The seam that a rule names for an effect: `chain` for `chain.request`. */
export function seamOf(effect: Effect): string {
  return effect.on.split('.')[0]!
}

/** Reads a rule. Rejects with `invalid_params` what does not exist or does not fit, naming what is allowed. */
export function parseRule(input: unknown, effects: readonly Effect[]): Rule {
  const parsed = ruleSchema.safeParse(input)
  if (!parsed.success) throw refuse(`the rule is malformed: ${issuesOf(parsed.error)}`)
  const { id, on, match, effect: wanted, after, times } = parsed.data
  const there = effects.filter((effect) => seamOf(effect) === on)
  if (there.length === 0)
    throw refuse(`there is no seam "${on}"; seams: ${[...new Set(effects.map(seamOf))].join(', ')}`)
  const [name, settings] = nameAndSettings(wanted)
  const effect = there.find((candidate) => candidate.name === name)
  if (!effect)
    throw refuse(
      `seam ${on} has no effect "${name}"; it has ${there.map((each) => each.name).join(', ')}`,
    )
  const fitting = effect.settings.safeParse(settings)
  if (!fitting.success)
    throw refuse(`settings of ${on}.${name} do not fit: ${issuesOf(fitting.error)}`)
  if (effect.on === 'chain.stand' && (after > 0 || times !== undefined))
    throw refuse(
      `${on}.${name} stands from when it is added until it is removed: "after" and "times" do not apply`,
    )
  return { id, on, effect, settings: fitting.data, match, after, times }
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

function issuesOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`)
    .join('; ')
}

function refuse(message: string): ServiceError {
  return new ServiceError('invalid_params', message)
}
