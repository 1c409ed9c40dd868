import { networkNames } from '../../../deployments/networks.js'
import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import { type Exchange, isOfService, routeOf } from '../world/exchange.js'
import type { DrawnEffect, Profile } from './profiles.js'

export interface Candidate {
  effect: DrawnEffect
  match: Readonly<Record<string, string>>
}

/** A candidate that can fire at `calls` calls of the baseline. */
export interface ReachableEffect extends Candidate {
  calls: number
}

/** Every effect of a profile at every place that the client uses. A candidate need not be able to fire. */
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

/** More calls than any run has. */
const never = 1e9

/** A rule that never fires, and counts the calls at which the candidate could have fired. */
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

export interface Usage {
  /** Methods and paths, with ids as `*`. */
  routes: readonly { method: string; path: string }[]
  /** Plan kinds. */
  kinds: readonly string[]
  /** Networks on which its plans did something. */
  networks: readonly string[]
}

export function usageOf(exchanges: readonly Exchange[]): Usage {
  const routes = new Map<string, { method: string; path: string }>()
  const kinds = new Set<string>()
  const networks = new Set<string>()
  for (const { method, url, notes } of exchanges.filter(isOfService)) {
    const path = routeOf(url)
    if (method !== 'HEAD') routes.set(`${method} ${path}`, { method, path })
    for (const note of notes) {
      if (note.type === 'plan') kinds.add(String(note.kind))
      for (const network of [note.network, note.from, note.to])
        if (typeof network === 'string') networks.add(network)
    }
  }
  return {
    routes: [...routes.values()],
    kinds: [...kinds].sort(),
    networks: networkNames.filter((name) => networks.has(name)),
  }
}
