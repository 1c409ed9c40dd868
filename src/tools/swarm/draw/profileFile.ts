import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { effects as allEffects } from '../../../faults/effects/index.js'
import type { Effect } from '../../../faults/rules/effect.js'
import { problemsOf, refusedFields } from '../../../faults/rules/refusedFields.js'
import { seamOf } from '../../../faults/rules/rules.js'
import { shownPackageFile } from '../../../lib/files/packageFile.js'
import { type DrawnEffect, isSurvivable, type Profile, profiles, withRestarts } from './profiles.js'

class ProfileError extends Error {
  override name = 'ProfileError'
}

const wholeNumber = z.int().min(0)
const range = z
  .tuple([wholeNumber, wholeNumber])
  .refine(([least, most]) => least <= most, 'must be [least, most]')
  .meta({ example: [30, 120] })
const oneOf = z
  .strictObject({ oneOf: z.array(z.string()).min(1) })
  .meta({ example: { oneOf: ['nonce', 'price'] } })
const drawn = z.union([z.number(), z.string(), z.boolean(), range, oneOf])
const profileSchema = z.strictObject({
  most_rules: z.int().min(1).max(20).default(4),
  effects: z.record(
    z.string(),
    z.strictObject({
      weight: z.number().gt(0).max(1_000).default(1),
      times: range.refine(([least]) => least > 0, 'must be 1 or more').optional(),
      settings: z.record(z.string(), drawn).default({}),
    }),
  ),
})
type WantedEffect = z.infer<typeof profileSchema>['effects'][string]

/**
 * Reads the file of a profile (YAML or JSON): `effects` by their names, such as `bridge.delay`, each with a weight and the bounds of its
 * settings. Defaults are those of the built-in profiles. Throws `ProfileError`.
 */
export function readProfile(file: string): Profile {
  if (!existsSync(file))
    throw new ProfileError(`There is no built-in profile and no file ${file}. ${whatElse()}`)
  const fail: Fail = (why) => {
    throw new ProfileError(`The profile ${file} cannot be used: ${why} ${whatElse()}`)
  }
  let content: unknown
  try {
    content = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    return fail(`${(error as Error).message}.`)
  }
  const parsed = profileSchema.safeParse(content)
  if (!parsed.success) return fail(`${problemsOf(profileSchema, parsed.error.issues)}.`)
  const effects = Object.entries(parsed.data.effects).map(([name, wanted]) =>
    effectOfFile(name, wanted, fail),
  )
  if (effects.length === 0) return fail('it has no effects.')
  return { name: file, mostRules: parsed.data.most_rules, effects }
}

function whatElse(): string {
  const builtIn = Object.keys(profiles).join(', ')
  return `The built-in profiles are ${builtIn}. ${shownPackageFile('docs/swarm.md')} describes profile files.`
}

type Fail = (why: string) => never
type Settings = DrawnEffect['settings']

function effectOfFile(
  name: string,
  { weight, times, settings }: WantedEffect,
  fail: Fail,
): DrawnEffect {
  const effect = allEffects.find((each) => `${seamOf(each)}.${each.name}` === name)
  if (!effect) return fail(`there is no effect "${name}".`)
  const usual = [...withRestarts(profiles.any()).effects, ...profiles.open().effects].find(
    (each) => each.name === name,
  )
  if (!usual) return fail(`"${name}" cannot be drawn: it holds until it is removed.`)
  const all = { ...usual.settings, ...settings }
  expectFitting(effect, all, (why) => fail(`effects.${name}.settings: ${why}.`))
  return {
    ...usual,
    weight,
    ...(times === undefined ? {} : { times }),
    settings: all,
    survivable: isSurvivable({
      on: seamOf(effect),
      effect: { [effect.name]: all },
      times: (times ?? usual.times)?.[1],
    }),
  }
}

/** The effect must accept every value that can be drawn: a refused rule never fires. */
function expectFitting({ settings: schema }: Effect, drawn: Settings, fail: Fail): void {
  const choices = Object.entries(drawn).map(([key, value]) => [key, choicesOf(value)] as const)
  const first = Object.fromEntries(choices.map(([key, [value]]) => [key, value]))
  const others = choices.flatMap(([key, values]) =>
    values.map((value) => ({ ...first, [key]: value })),
  )
  for (const settings of [first, ...others]) {
    const { error } = schema.safeParse(settings)
    if (error) fail(refusedFields(schema, error.issues, settings))
  }
}

/** The values that can be drawn; the ends of a range. */
function choicesOf(drawn: Settings[string]): readonly unknown[] {
  if (typeof drawn !== 'object') return [drawn]
  return 'oneOf' in drawn ? drawn.oneOf : drawn
}
