import { effects as allEffects } from '../../../faults/effects/index.js'
import { seamOf } from '../../../faults/rules/rules.js'

/** A setting is a constant, or drawn from a range `[least, most]` of whole numbers or from a choice of words. */
export type Drawn =
  | number
  | string
  | boolean
  | readonly [number, number]
  | { oneOf: readonly string[] }

/** An effect gets a rule for each thing of this kind that the client uses. */
export type Target = 'route' | 'change' | 'execute' | 'kind' | 'network' | 'folio' | 'everything'

export interface DrawnEffect {
  /** `seam.effect`, as faults name it. */
  name: string
  weight: number
  target: Target
  settings: Readonly<Record<string, Drawn>>
  /** How often a rule fires; absent for a fault that lasts. */
  times?: readonly [number, number]
  /** Whether a good client survives it. */
  survivable: boolean
  /** Tried alone, and never drawn together with others. */
  alone?: boolean
}

export interface Profile {
  name: string
  /** Most rules of one run. */
  mostRules: number
  effects: readonly DrawnEffect[]
}

const once = [1, 1] as const
const some = [1, 3] as const

/** Weight 1 unless it says so. */
function effect(
  name: string,
  target: DrawnEffect['target'],
  given: Partial<Omit<DrawnEffect, 'name' | 'target'>> = {},
): DrawnEffect {
  return { name, target, weight: 1, settings: {}, times: once, survivable: true, ...given }
}

/** A fault that lasts from the beginning of the run for some real milliseconds. */
function brief(
  name: string,
  target: DrawnEffect['target'] = 'network',
  ms: readonly [number, number] = [20, 100],
): DrawnEffect {
  const { times: _, ...lasting } = effect(name, target, { settings: { ms } })
  return lasting
}

/** Faults that a good client survives. Refusals fire once, so that a client with three retries survives three rules. */
const survivable: readonly DrawnEffect[] = [
  effect('request.respond', 'route', { weight: 3, settings: { error: 'internal_error' } }),
  effect('request.respond', 'execute', {
    settings: { error: 'internal_error', done: true },
    times: once,
  }),
  effect('request.reset_before', 'route', { weight: 3 }),
  effect('request.reset_after', 'route', { weight: 3 }),
  effect('request.truncate', 'route', { weight: 2 }),
  effect('request.rate_limit', 'route', { weight: 3, settings: { retry_after: [0, 1] } }),
  effect('request.latency', 'route', { settings: { ms: [10, 5_000] }, times: some }),
  effect('folio.timeout', 'folio'),
  effect('folio.latency', 'folio', { settings: { ms: [10, 5_000] }, times: some }),
  effect('quote.unavailable', 'kind'),
  effect('quote.http_error', 'kind', { settings: { status: [500, 504] } }),
  effect('quote.malformed', 'kind'),
  effect('quote.expired', 'kind'),
  effect('plan.stale', 'kind', { weight: 3, settings: { by: 'nonce' } }),
  effect('plan.expire', 'kind', { weight: 3 }),
  effect('execute.response_lost', 'kind', { weight: 3 }),
  effect('execute.duplicate', 'kind'),
  effect('execute.stuck', 'kind', { weight: 2, settings: { seconds: [1, 60] } }),
  effect('execute.reject_signature', 'kind'),
  effect('bridge.delay', 'network', { weight: 2, settings: { seconds: [1, 240] } }),
  effect('events.delay', 'everything', { weight: 2, settings: { seconds: [1, 60] }, times: some }),
  effect('events.duplicate', 'everything', { weight: 2, times: some }),
  effect('events.reorder', 'everything', { weight: 2 }),
  effect('chain.slow', 'network', { settings: { ms: [5, 40] }, times: [1, 5] }),
  // A node that stops for a moment: one call waits.
  effect('chain.slow', 'network', { settings: { ms: [20, 100] } }),
  effect('chain.reorg', 'network', { weight: 2, settings: { depth: [1, 3] } }),
  // Windows cannot stop a process.
  ...(process.platform === 'win32' ? [] : [brief('chain.down')]),
  // By itself: every request waits for its end, in real time.
  { ...brief('request.outage', 'everything', [2_000, 2_000]), weight: 0.5, alone: true },
]

/** The client dies at a request, before or after the service carries it out. */
const restarts: readonly DrawnEffect[] = [
  effect('request.crash', 'route', { weight: 2 }),
  effect('request.crash', 'change', { weight: 3, settings: { done: true } }),
]

export function withRestarts(profile: Profile): Profile {
  return { ...profile, effects: [...profile.effects, ...restarts] }
}

/** Failures that no client can avert. The client may fail too, but must know what became of its intent. */
const recoverable: readonly DrawnEffect[] = [
  effect('execute.revert', 'kind', {
    weight: 3,
    settings: { by: { oneOf: ['nonce', 'gas'] } },
    times: once,
  }),
  effect('execute.dropped', 'kind', { settings: { seconds: [1, 60] } }),
  effect('bridge.refund', 'network', { weight: 2 }),
  effect('bridge.stuck', 'network', { weight: 2 }),
].map((each) => ({ ...each, survivable: false }))

/** Other faults that no client can repair by retrying, and responses that never come. */
const beyond: readonly DrawnEffect[] = [
  effect('request.hang', 'route', { weight: 2 }),
  effect('folio.serve_stale', 'folio'),
  effect('quote.drain', 'kind'),
  effect('quote.slippage', 'kind', { settings: { bps: [10, 500] } }),
  effect('plan.stale', 'kind', { settings: { by: { oneOf: ['price', 'balance'] } } }),
  effect('plan.fail', 'kind'),
  effect('bridge.partial', 'network', { weight: 2, settings: { percent: [1, 99] } }),
  effect('events.drop', 'everything', { weight: 2 }),
  // The faucet refuses a network that mines nothing, and clients fund their accounts first.
  brief('chain.halt'),
].map((each) => ({ ...each, survivable: false }))

/** Every other way to read the interface, for the whole run. */
function otherReadings(): DrawnEffect[] {
  return allEffects
    .filter((each) => seamOf(each) === 'answer')
    .map(({ name }) => {
      const { times: _, ...stays } = effect(`answer.${name}`, 'everything')
      return { ...stays, weight: 3 }
    })
}

/** The profiles that `--profile` knows by name. */
export const profiles = {
  survivable: (): Profile => ({
    name: 'survivable',
    mostRules: 3,
    effects: [...survivable, ...recoverable.map((each) => ({ ...each, alone: true }))],
  }),
  any: (): Profile => ({
    name: 'any',
    mostRules: 4,
    effects: [...survivable, ...recoverable, ...beyond],
  }),
  open: (): Profile => ({
    name: 'open',
    mostRules: 4,
    effects: [...survivable, ...otherReadings()],
  }),
} as const

/** Whether a good client survives the rule. */
export function isSurvivable(rule: { on: string; effect?: unknown; times?: number }): boolean {
  const { name, settings } = effectOf(rule)
  if (rule.on === 'answer') return true
  return [...survivable, ...restarts].some(
    (bounds) =>
      bounds.name === `${rule.on}.${name}` &&
      isOftenEnough(bounds, rule.times) &&
      // A client survives `plan.stale` by nonce, but not by price.
      Object.entries(bounds.settings).every(([key, value]) => isWithin(settings[key], value)),
  )
}

/** No client survives a rule that fires more often than the profile allows. */
function isOftenEnough({ times }: DrawnEffect, given: number | undefined): boolean {
  return times === undefined || (given ?? Number.POSITIVE_INFINITY) <= times[1]
}

/** Whether a rule is a failure, once, that a client cannot avert and can recover from. */
export function isRecoverable(rule: { on: string; effect?: unknown; times?: number }): boolean {
  const name = `${rule.on}.${effectOf(rule).name}`
  return rule.times === 1 && recoverable.some((each) => each.name === name)
}

/** Whether a setting, or the bounds of one, are no worse than what is drawn. */
function isWithin(setting: unknown, drawn: Drawn): boolean {
  if (!Array.isArray(drawn)) return setting === drawn
  return Number(Array.isArray(setting) ? setting[1] : setting) <= drawn[1]
}

/** The name and settings of a rule's effect, in either of its spellings. */
export function effectOf({ effect: given }: { effect?: unknown }): {
  name: string
  settings: Record<string, unknown>
} {
  if (typeof given === 'string') return { name: given, settings: {} }
  const [[name, settings] = ['', {}]] = Object.entries((given ?? {}) as Record<string, object>)
  return { name, settings: settings as Record<string, unknown> }
}
