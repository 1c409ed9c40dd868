import type { NetworkName } from '../../deployments/networks.js'
import { ServiceError } from '../../lib/errors.js'
import { matchesGlob } from '../../lib/glob.js'
import { fieldsNaming } from '../../service/plans/model/fields.js'
import { asksQuotes, type PlanKind } from '../../service/plans/model/kind.js'
import type { AnswerRoute, Effect, FaultFacts, RuleMatch, RuleStep } from './effect.js'

/** A route of the service, as far as a rule may name it. */
export interface RouteFacts extends AnswerRoute {
  kind?: PlanKind
  codes: readonly string[]
}

/** What there is, so that a rule that can never fire is refused. */
export interface RuleTargets {
  effects: readonly Effect[]
  kinds: readonly PlanKind[]
  routes: readonly RouteFacts[]
  /** Symbols of a network, or of all. */
  assets(network?: NetworkName): readonly string[]
  hasAccount(accountId: string): Promise<boolean>
}

type Key = keyof FaultFacts

const everything: readonly Key[] = ['account_id', 'kind', 'network', 'asset', 'path', 'method']

/** The facts that `match` can use at each seam. */
const carried: Record<string, readonly Key[]> = {
  request: everything,
  folio: ['account_id', 'kind', 'path', 'method'],
  quote: everything,
  plan: everything,
  execute: everything,
  bridge: ['account_id', 'network', 'asset'],
  chain: ['account_id', 'kind', 'network', 'asset'],
  'chain.request': ['network', 'method'],
  'chain.stand': ['network'],
  events: ['account_id'],
  answer: everything,
  'answer.delivery': ['account_id'],
}

export function matchKeys({ on }: Pick<Effect, 'on'>): readonly Key[] {
  return carried[on] ?? carried[on.split('.')[0]!] ?? everything
}

/** The routes whose requests come by a seam; all of them when a seam is not here. */
const seamRoutes: Record<string, (route: RouteFacts) => boolean> = {
  folio: ({ kind, path }) => kind !== undefined || path.endsWith('/folio'),
  quote: ({ kind }) => kind !== undefined && asksQuotes(kind),
  plan: ({ kind }) => kind !== undefined,
  execute: ({ path }) => path.endsWith('/execute'),
}

/** Seams at which assets and networks are those of the request; at others they are those of the call. */
const namedByRequest = ['request', 'plan', 'answer']

/** The match with the kind and the path in their canonical spelling. Rejects with `invalid_params` what no call can ever match. */
export async function checkMatch(
  given: RuleMatch,
  step: RuleStep,
  targets: RuleTargets,
): Promise<RuleMatch> {
  const match = given.path === undefined ? given : { ...given, path: routePattern(given.path) }
  const { effect, settings } = step
  const [seam] = effect.on.split('.') as [string]
  const name = `${seam}.${effect.name}`
  const keys = matchKeys(effect)
  for (const key of Object.keys(match) as Key[])
    if (!keys.includes(key))
      throw never(`calls at ${name} carry no ${key}; match by ${keys.join(', ')}`)
  const kind = match.kind === undefined ? undefined : kindNamed(match.kind, seam, targets)
  checkAsset(match, targets)
  const { account_id } = match
  if (account_id && !account_id.includes('*') && !(await targets.hasAccount(account_id)))
    throw never(`there is no account ${account_id}; create it first, or leave account_id out`)
  const routes = matchingRoutes({ ...match, ...(kind && { kind }) }, step, targets)
  const { error } = settings as { error?: string }
  const narrowed = match.path ?? match.kind ?? match.method
  if (seam === 'request' && error && narrowed && !routes.some((r) => r.codes.includes(error)))
    throw never(
      `no route that this matches returns ${error}; they return ${[...new Set(routes.flatMap((r) => r.codes))].join(', ')}`,
    )
  return kind === undefined ? match : { ...match, kind }
}

/**
 * The path of a rule names a route in any spelling: `/accounts/{account_id}/folio` of the documents, `:account_id` of the timelines, or a
 * client's, encoded and with a slash at the end.
 */
function routePattern(path: string): string {
  const plain = path.replace(/(?<=\/):\w+|\{\w+\}/g, '*').replace(/(?<=.)\/+$/, '')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

function kindNamed(wanted: string, seam: string, { kinds }: RuleTargets): string {
  if (wanted.includes('*') && kinds.some(({ kind }) => matchesGlob(wanted, kind))) return wanted
  const planKind = kinds.find(({ kind, path }) => kind === wanted || path === wanted)
  if (!planKind)
    throw never(
      `there is no plan kind "${wanted}"; kinds: ${kinds.map(({ path }) => path).join(', ')}`,
    )
  if (seam === 'quote' && !asksQuotes(planKind)) {
    const asking = kinds.filter(asksQuotes).map(({ path }) => path)
    throw never(`plans of kind ${wanted} ask for no quotes; ${asking.join(', ')} do`)
  }
  return planKind.kind
}

function checkAsset({ asset, network }: RuleMatch, { assets }: RuleTargets): void {
  if (asset === undefined || asset.includes('*')) return
  const there = assets(network as NetworkName | undefined)
  if (there.some((symbol) => symbol.toLowerCase() === asset.toLowerCase())) return
  const where = network === undefined ? 'on any network' : `on ${network}`
  throw never(`there is no asset "${asset}" ${where}; existing assets: ${there.join(', ')}`)
}

/** The routes whose requests can meet the rule. Rejects a rule that none can meet. */
function matchingRoutes(
  match: RuleMatch,
  { effect, settings }: RuleStep,
  targets: RuleTargets,
): RouteFacts[] {
  const { path, method, kind } = match
  const [seam] = effect.on.split('.') as [string]
  // There `method` is one of JSON-RPC.
  if (seam === 'chain') return []
  const names = namedByRequest.includes(seam)
    ? (['asset', 'network'] as const).filter((what) => match[what] !== undefined)
    : []
  const there = targets.routes
    .filter(seamRoutes[seam] ?? (() => true))
    .filter((route) => !effect.meets || (route.kind && effect.meets(settings, route.kind)))
    .filter((route) => effect.at?.(route) ?? true)
  const reachable = there.filter(
    (route) =>
      (path === undefined || globsOverlap(path, route.path.replace(/:\w+/g, '*'))) &&
      (method === undefined || matchesGlob(method, route.method)) &&
      (kind === undefined || seam === 'execute' || matchesGlob(kind, route.kind?.kind ?? '')) &&
      names.every((what) => route.kind && fieldsNaming(what, route.kind.schema).length > 0),
  )
  if (reachable.length > 0) return reachable
  const wanted = [method, path, kind && `of kind ${kind}`].filter(Boolean).join(' ')
  const naming = names.length > 0 ? ` and names its ${names.join(' and ')}` : ''
  const all = there.map((route) => `${route.method} ${route.path}`)
  throw never(`no request at this seam is ${wanted}${naming}; its requests: ${all.join(', ')}`)
}

function globsOverlap(a: string, b: string): boolean {
  // reach[j]: the part of `a` read so far and the first j characters of `b` can have a text in common.
  let reach = Array.from({ length: b.length + 1 }, (_, j) => /^\**$/.test(b.slice(0, j)))
  for (const letter of a) {
    const next = [letter === '*' && reach[0]!]
    for (let j = 1; j <= b.length; j++) {
      const other = b[j - 1]!
      if (letter === '*') next[j] = reach[j]! || next[j - 1]!
      else if (other === '*') next[j] = reach[j]! || next[j - 1]!
      else next[j] = letter.toLowerCase() === other.toLowerCase() && reach[j - 1]!
    }
    reach = next as boolean[]
  }
  return reach[b.length]!
}

function never(message: string): ServiceError {
  return new ServiceError('invalid_params', `the rule can never fire: ${message}`)
}
