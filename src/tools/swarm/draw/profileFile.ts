import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { effects as allEffects } from '../../../faults/effects/index.js'
import { seamOf } from '../../../faults/rules/rules.js'
import type { DrawnEffect, Profile } from './profile.js'
import { isSurvivable, profiles } from './profiles.js'

/** A profile cannot be used. The message says what is wrong in which file. */
class ProfileError extends Error {
  override name = 'ProfileError'
}

const range = z.tuple([z.int().min(0), z.int().min(0)])
const drawn = z.union([
  z.number(),
  z.string(),
  z.boolean(),
  range,
  z.strictObject({ oneOf: z.array(z.string()).min(1) }),
])
const profileSchema = z.strictObject({
  most_rules: z.int().min(1).max(20).default(4),
  effects: z.record(
    z.string(),
    z.strictObject({
      weight: z.number().gt(0).max(1_000).default(1),
      times: range.optional(),
      settings: z.record(z.string(), drawn).default({}),
    }),
  ),
})

/**
 * Reads the file of a profile (YAML or JSON): `effects` by their names, such as `bridge.delay`, each with a weight and the bounds of its
 * settings. Where they are drawn, and what is left out, is as in the built-in profiles. Throws `ProfileError`.
 */
export function readProfile(file: string): Profile {
  const fail = (why: string): never => {
    throw new ProfileError(
      `The profile ${file} cannot be used: ${why} Name ${Object.keys(profiles).join(', ')}, or a file as docs/swarm.md describes it.`,
    )
  }
  let content: unknown
  try {
    content = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    return fail(`${(error as Error).message}.`)
  }
  const parsed = profileSchema.safeParse(content)
  if (!parsed.success) return fail(`${z.prettifyError(parsed.error)}.`)
  const effects = Object.entries(parsed.data.effects).map(([name, wanted]) => {
    const known = allEffects.some((each) => `${seamOf(each)}.${each.name}` === name)
    if (!known) return fail(`there is no effect "${name}".`)
    return (
      effectOfFile(name, wanted) ?? fail(`"${name}" cannot be drawn: it holds until it is removed.`)
    )
  })
  if (effects.length === 0) return fail('it has no effects.')
  return { name: file, mostRules: parsed.data.most_rules, effects }
}

function effectOfFile(
  name: string,
  { weight, times, settings }: z.infer<typeof profileSchema>['effects'][string],
): DrawnEffect | undefined {
  const usual = [...profiles.any().effects, ...profiles.open().effects].find(
    (each) => each.name === name,
  )
  if (!usual) return undefined
  const [on, effect] = name.split('.') as [string, string]
  const first = { ...usual.settings, ...settings }
  return {
    ...usual,
    weight,
    ...(times === undefined ? {} : { times }),
    settings: first,
    survivable: isSurvivable({ on, effect: { [effect]: first } }),
  }
}
