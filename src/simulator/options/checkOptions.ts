import { isLoopback } from '../../http/core/loopback.js'
import { type ClockStart, isoSeconds, latestMs, parseClock } from '../../time/clock.js'
import { type ClockOption, clockText } from '../../time/clockOption.js'
import type { SimulatorOptions } from './options.js'

/** What an option may be: a test, and the words for it. */
type Kind = [isGood: (value: unknown) => boolean, allowed: string]

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

const text: Kind = [isText, 'a text that is not empty']
const texts: Kind = [
  (value) => Array.isArray(value) && value.every(isText),
  'a list of texts that are not empty',
]
const flag: Kind = [(value) => typeof value === 'boolean', 'true or false']
const seed: Kind = [isSeed, 'a whole number, 0 or more, as 42, 42n or "42"']

function whole(least: number, most: number): Kind {
  const isGood = (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
  return [isGood, `a whole number from ${least} to ${most}`]
}

/** The longest time that may be waited for: a day. */
const duration = whole(0, 86_400_000)

const clock: Kind = [
  isClock,
  `"real", "auto", "frozen", "frozen@" and an instant such as 2026-01-01T00:00:00Z, or { frozenAt } with such an instant or a Date, up to ${isoSeconds(latestMs)}`,
]

const log: Kind = [
  isLog,
  '"pretty", "json", or a log of your own with the functions debug and error, and request and happened if you want',
]

/** Looked at where they are used, since they are more than a text or a number. */
const elsewhere: Kind = [() => true, '']

const kinds: Record<keyof SimulatorOptions, Kind> = {
  host: text,
  port: whole(0, 65_535),
  dataDir: text,
  fromExport: text,
  snapshot: text,
  fork: elsewhere,
  bundle: text,
  saveBundle: flag,
  forkCache: text,
  forkMaxRequests: whole(0, Number.MAX_SAFE_INTEGER),
  assumeEmpty: texts,
  apiKeys: texts,
  revokedApiKeys: texts,
  seed,
  rpcPortBase: whole(1, 65_531),
  rpcUnsafe: flag,
  controlToken: text,
  allowedHosts: texts,
  corsOrigins: texts,
  clock,
  readTimeoutMs: duration,
  longPollMs: duration,
  bridgeDelayMs: duration,
  rpcTimeoutMs: duration,
  worlds: whole(0, 1_000),
  maxWorlds: whole(0, 1_000),
  scenarios: text,
  trace: text,
  noUi: flag,
  onProgress: [isFunction, 'a function'],
  log,
}

/** How the clock is to run at the start; undefined when nobody said. Throws when it cannot. */
export function clockStart(clock: ClockOption | undefined): ClockStart | undefined {
  if (clock === undefined) return undefined
  return parseClock(clockText(clock))
}

function isSeed(value: unknown): boolean {
  if (typeof value === 'string') return /^\d+$/.test(value)
  return typeof value === 'bigint' ? value >= 0n : Number.isSafeInteger(value) && Number(value) >= 0
}

function isClock(value: unknown): boolean {
  try {
    return clockStart(value as ClockOption) !== undefined
  } catch {
    return false
  }
}

function isLog(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === 'pretty' || value === 'json'
  const { debug, error, request, happened } = value as Record<string, unknown>
  const mayMiss = [request, happened].filter((each) => each !== undefined)
  return [debug, error, ...mayMiss].every(isFunction)
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

/** Throws when an option is none, or has a value that it cannot have; what is undefined counts as absent. */
export function checkOptions(options: SimulatorOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const kind = kinds[name as keyof SimulatorOptions]
    if (!kind)
      throw new TypeError(
        `createSimulator has no option "${name}"; its options are ${Object.keys(kinds).join(', ')}.`,
      )
    const [isGood, allowed] = kind
    if (value !== undefined && !isGood(value))
      throw new TypeError(
        `The option ${name} of createSimulator must be ${allowed}, not ${shown(name, value)}.`,
      )
  }
  const { host, controlToken } = options
  if (host !== undefined && !isLoopback(host) && controlToken === undefined)
    throw new TypeError(
      `Other machines may reach ${host}, and the control API there needs a token. Give createSimulator one with the option controlToken, or listen on 127.0.0.1.`,
    )
}

/** Secrets are not repeated. */
function shown(name: string, value: unknown): string {
  if (/key|token/i.test(name)) return `what was given (${typeof value})`
  if (typeof value === 'bigint') return `${value}n`
  // What a log holds may be anything.
  if (name === 'log' && typeof value === 'object') return 'an object without them'
  return JSON.stringify(value) ?? String(value)
}
