import { networkNames } from '../../../deployments/networks.js'
import { type Exchange, isOfService, routeOf } from '../world/exchange.js'

/** What a client uses of the service, as its journal shows. */
export interface Usage {
  /** Methods and paths, with ids as `*`. */
  routes: readonly { method: string; path: string }[]
  /** Plan kinds. */
  kinds: readonly string[]
  /** Networks on which its plans did something. */
  networks: readonly string[]
}

/** Reads it from what was asked, and what happened on behalf of that. */
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
