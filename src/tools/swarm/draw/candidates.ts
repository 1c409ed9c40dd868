import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import type { DrawnEffect, Profile } from './profile.js'
import type { Usage } from './usage.js'

/** An effect with what it is narrowed to. */
export interface Candidate {
  effect: DrawnEffect
  match: Readonly<Record<string, string>>
}

/** A candidate that can fire: so many calls of the baseline would have met it. */
export interface Meeting extends Candidate {
  calls: number
}

/** Everything that the profile's effects could be narrowed to, as the client is used. Whether it can fire is another question. */
export function candidatesOf({ effects }: Profile, usage: Usage): Candidate[] {
  return effects.flatMap((effect) => targetsOf(effect, usage).map((match) => ({ effect, match })))
}

function targetsOf({ target }: DrawnEffect, usage: Usage): Record<string, string>[] {
  const { routes, kinds, networks } = usage
  switch (target) {
    case 'route':
      return routes.map(({ method, path }) => ({ method, path }))
    case 'change':
      return routes
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => ({ method, path }))
    case 'execute':
      return routes
        .filter(({ path }) => path.endsWith('/plan/execute'))
        .map(({ path }) => ({ path }))
    case 'folio':
      return routes
        .filter(({ path }) => path.endsWith('/folio') || isPlanning(path))
        .map(({ path }) => ({ path }))
    case 'kind':
      return kinds.map((kind) => ({ kind }))
    case 'network':
      return networks.map((network) => ({ network }))
    case 'everything':
      return [{}]
  }
}

function isPlanning(path: string): boolean {
  return /\/plan\/(?!execute$)/.test(path)
}

/** Beyond the calls of any run: a rule that lets so many pass only counts them. */
const never = 1e9

/** A rule that fires never, and counts the calls at which the candidate could have. */
export function countingRule({ effect, match }: Candidate, id: string): FaultRuleInput {
  const [on, name] = effect.name.split('.') as [string, string]
  const settings = Object.entries(effect.settings).map(([key, drawn]) => [key, leastOf(drawn)])
  const stays = effect.times === undefined
  return {
    id,
    on,
    effect: settings.length === 0 ? name : { [name]: Object.fromEntries(settings) },
    match,
    ...(stays ? {} : { after: never }),
  } as FaultRuleInput
}

function leastOf(drawn: DrawnEffect['settings'][string]): unknown {
  if (typeof drawn !== 'object') return drawn
  return 'oneOf' in drawn ? drawn.oneOf[0] : drawn[0]
}
