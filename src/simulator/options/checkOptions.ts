import { isLoopback } from '../../http/core/originPolicy.js'
import { type ClockStart, parseClock } from '../../time/clock.js'
import { type ClockOption, clockText } from '../../time/clockOption.js'
import { type Kind, type OptionSpec, whole } from './optionSpec.js'
import { defaultMaxWorlds, type SimulatorOptions } from './options.js'
import { defaultApiKey, type OptionsOfTable, simulatorOptions } from './simulatorOptions.js'

type LibraryName = keyof SimulatorOptions
type Problem = NonNullable<Kind['problem']>

/** At most a day. Milliseconds. */
const duration = whole(0, 86_400_000).problem

/** Options of the library that the command line lacks. */
const ofPrograms = {
  readTimeoutMs: duration,
  longPollMs: duration,
  bridgeDelayMs: duration,
  rpcTimeoutMs: duration,
  onProgress: (value) => (isFunction(value) ? undefined : 'it must be a function'),
  log: (value) =>
    isLog(value)
      ? undefined
      : 'it must be "pretty", "json", or a log of your own with the functions debug and error, and request and happened if you want',
} satisfies Record<Exclude<LibraryName, keyof OptionsOfTable | 'fork' | 'snapshot'>, Problem>

/** The checks of the options of `createSimulator`. */
const checks = new Map<string, Problem>([
  ...Object.entries<OptionSpec>(simulatorOptions).flatMap(([key, spec]) => {
    const names = [spec.library ?? key, spec.alias ?? []].flat()
    return spec.library === false
      ? []
      : names.map((name): [string, Problem] => [String(name), problemOf(spec)])
  }),
  ...Object.entries(ofPrograms),
])

function problemOf({ takes, many }: OptionSpec): Problem {
  if (takes?.problem) return takes.problem
  if (!takes)
    return (given) => (typeof given === 'boolean' ? undefined : 'it must be true or false')
  const ofText: Problem = (given) => {
    if (!isText(given)) return 'it must be a text that is not empty'
    try {
      takes.parse(given)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
  if (!many) return ofText
  return (given) =>
    Array.isArray(given) && given.every(isText)
      ? given.map(ofText).find((each) => each !== undefined)
      : 'it must be a list of texts that are not empty'
}

/**
 * Checks the options of `createSimulator`. An option that is undefined counts as absent.
 *
 * @throws `TypeError` for an unknown option, a value that is not allowed, or options that exclude each other.
 */
export function checkOptions(options: SimulatorOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const check = checks.get(name)
    if (!check)
      throw new TypeError(
        `createSimulator has no option "${name}"; its options are ${[...checks.keys()].join(', ')}.`,
      )
    const problem = value === undefined ? undefined : check(value)
    if (problem !== undefined)
      throw new TypeError(
        `The option ${name} of createSimulator ${problem.replace(/^it /, '')}, not ${shown(name, value)}.`,
      )
  }
  const conflict = optionConflict(options, (name) => name)
  if (conflict !== undefined) throw new TypeError(`createSimulator: ${conflict}`)
}

/** The name of an option in messages: a flag, or the library's name. */
export type OptionNaming = (name: LibraryName) => string

/** Why options exclude each other; undefined if they do not. */
export function optionConflict(options: SimulatorOptions, named: OptionNaming): string | undefined {
  const [first] = conflicts(options, named)
  return first
}

function* conflicts(options: SimulatorOptions, named: OptionNaming): Generator<string> {
  const { host = '127.0.0.1', controlToken, apiKeys = [], revokedApiKeys = [] } = options
  const isOpen = !isLoopback(host)
  if (isOpen && controlToken === undefined)
    yield `Other machines may reach ${host}, and the control API there needs a token. Give one with ${named('controlToken')}, or listen on 127.0.0.1.`
  const ofKeys = named('apiKeys')
  if (isOpen && apiKeys.includes(defaultApiKey))
    yield `Other machines may reach ${host}, and the API key ${defaultApiKey} is known to everybody. Give another one with ${ofKeys}, or none: then one is drawn.`
  if ((options.corsOrigins ?? []).includes('none') && options.corsOrigins!.length > 1)
    yield `${named('corsOrigins')}: none cannot be combined with other values: it turns browser apps off.`
  const accepted = apiKeys.length === 0 && !isOpen ? [defaultApiKey] : apiKeys
  const keys = [...accepted, ...revokedApiKeys]
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice !== undefined)
    yield `The API key ${twice} is given twice. Each key of ${ofKeys} and ${named('revokedApiKeys')} must be another one; without ${ofKeys} the default key counts as given.`
  const { fork = {}, bundle, saveBundle, worlds = 0, maxWorlds = defaultMaxWorlds } = options
  if (saveBundle && (bundle === undefined || Object.keys(fork).length === 0))
    yield `${named('saveBundle')} adds the state requested from ${named('fork')} to the bundle of ${named('bundle')}. Give both, or leave ${named('saveBundle')} out.`
  if (worlds > maxWorlds)
    yield `${named('worlds')} ${worlds} are to be kept ready, and there may be ${maxWorlds} at most. Lower it, or raise ${named('maxWorlds')}.`
  const { port, rpcPortBase } = options
  if (port && rpcPortBase && port >= rpcPortBase && port < rpcPortBase + 5)
    yield `${named('port')} ${port} is one of the five node ports from ${named('rpcPortBase')} ${rpcPortBase}. Move one of them.`
}

/** Throws for an invalid clock. */
export function clockStart(clock: ClockOption | undefined): ClockStart | undefined {
  return clock === undefined ? undefined : parseClock(clockText(clock))
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
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

/** Hides secrets. */
function shown(name: string, value: unknown): string {
  if (/key|token/i.test(name)) return `what was given (${typeof value})`
  if (typeof value === 'bigint') return `${value}n`
  // A log may hold anything.
  if (name === 'log' && typeof value === 'object') return 'an object without them'
  return JSON.stringify(value) ?? String(value)
}
