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
const seed: Kind = [
  (value) => typeof value === 'bigint' && value >= 0n,
  'a bigint, 0 or more, for example 42n',
]

function whole(least: number, most: number): Kind {
  const isGood = (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
  return [isGood, `a whole number from ${least} to ${most}`]
}

/** The longest time that may be waited for: a day. */
const duration = whole(0, 86_400_000)

/** Looked at where they are used, since they are more than a text or a number. */
const elsewhere: Kind = [() => true, '']

const kinds: Record<keyof SimulatorOptions, Kind> = {
  host: text,
  port: whole(0, 65_535),
  dataDir: text,
  snapshot: text,
  fork: elsewhere,
  bundle: text,
  saveBundle: flag,
  forkCache: text,
  forkMaxRequests: whole(0, Number.MAX_SAFE_INTEGER),
  apiKeys: texts,
  revokedApiKeys: texts,
  seed,
  rpcPortBase: whole(1, 65_531),
  rpcUnsafe: flag,
  controlToken: text,
  allowedHosts: texts,
  corsOrigins: texts,
  clock: elsewhere,
  readTimeoutMs: duration,
  longPollMs: duration,
  bridgeDelayMs: duration,
  rpcTimeoutMs: duration,
  worlds: whole(0, 1_000),
  maxWorlds: whole(0, 1_000),
  scenarios: text,
  trace: text,
  noUi: flag,
  onProgress: elsewhere,
  log: elsewhere,
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
}

/** Secrets are not repeated. */
function shown(name: string, value: unknown): string {
  if (/key|token/i.test(name)) return `what was given (${typeof value})`
  return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? String(value))
}
