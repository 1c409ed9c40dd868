// By hand rather than by the schema library: that takes 50 ms to load, and options are read before the nodes are started.

import { isoSeconds, latestMs, parseClock } from '../../time/clock.js'
import { type ClockOption, clockText } from '../../time/clockOption.js'
import type { SimulatorOptions } from './options.js'

/** The commands that have options. */
export const commandNames = [
  ...([
    'start',
    'exec',
    'fund',
    'scenario',
    'why',
    'env',
    'coverage',
    'verify',
    'corpus',
    'swarm',
    'openapi',
    'data',
    'bundle',
    'mcp',
    'ui',
    'doctor',
  ] as const),
] as const

export type CommandName = (typeof commandNames)[number]

/** One option; its flag, environment variable and file key follow from its name in the table. */
export interface OptionSpec<T = unknown> {
  commands: readonly CommandName[]
  /** Placeholder of the value in the help text, such as `N`; absent for a yes-or-no option. */
  value?: string
  /** Another name that is accepted everywhere; the help does not list it. */
  alias?: string
  /** May be given several times; its value is a list. */
  many?: boolean
  /** How a list in one text, as in the environment, is taken apart; at every comma when absent. */
  split?: (text: string) => string[]
  help: string
  /** What commands say for which the option means something else; the others say `help`. */
  helpOf?: Partial<Record<CommandName, string>>
  /** Commands that take it once, although it is a list for others. */
  once?: readonly CommandName[]
  /** Its text may hold a key and is not repeated in errors. */
  isSecret?: boolean
  /** Throws with what is wrong with the text. Without it any text will do, or for an option without `value` yes or no. */
  parse?: (text: string) => T
  /** The same for commands that allow other texts. */
  parseOf?: Partial<Record<CommandName, (text: string) => T>>
  /** What `createSimulator` calls it, where that is not its name here; false when it takes no such option. */
  library?: keyof SimulatorOptions | false
  /** What is wrong with a value that `createSimulator` is given; undefined when nothing is. By `parse` when absent. */
  problem?: (value: unknown) => string | undefined
  /** The value when it is given nowhere; false for a yes-or-no option. */
  fallback?: T | readonly T[]
}

// Each function below turns the text of an option into its value, or throws with what is wrong and what to do.

/** An address to listen on. Whether it needs a control token is checked with the other options. */
export function host(text: string): string {
  if (/^[0-9A-Za-z._:-]+$/.test(text) && !/^[0-9A-Za-z._-]+:\d+$/.test(text)) return text
  throw new Error(
    'it must be an IP address or a host name without scheme, port or brackets, for example 127.0.0.1, localhost or ::1',
  )
}

/** A bearer token: the characters that RFC 6750 allows, which need no quoting in a shell either. */
export function token(text: string): string {
  if (/^[A-Za-z0-9._~+/-]+=*$/.test(text)) return text
  throw new Error('it may have letters, digits and . _ ~ + / - only, with = at the end')
}

/** A number, in a text and as `createSimulator` takes it. `inText` is what else is said of the text. */
export function whole(least: number, most: number, inText = '') {
  const rule = `it must be a whole number from ${least} to ${most}`
  const isIn = (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
  return {
    parse(text: string): number {
      const value = wholeNumber(text)
      if (isIn(value)) return value
      throw new Error(`${rule}${inText}`)
    },
    problem: (value: unknown) => (isIn(value) ? undefined : rule),
  }
}

/** How many of something. */
export const howMany = whole(0, 1_000)

/** How many of something that has no bound. */
export function wholeCount(text: string): number {
  const number = wholeNumber(text)
  if (number !== undefined) return number
  throw new Error('it must be a whole number, 0 or more, in decimal digits')
}

/** A seed: any whole number that is not negative. */
export const seed = {
  parse(text: string): bigint {
    if (/^\d+$/.test(text)) return BigInt(text)
    throw new Error('it must be a whole number, 0 or more, in decimal digits')
  },
  problem(value: unknown): string | undefined {
    const isNumber = typeof value === 'bigint' || Number.isSafeInteger(value)
    const isSeed = typeof value === 'string' ? /^\d+$/.test(value) : isNumber && Number(value) >= 0
    return isSeed ? undefined : 'it must be a whole number, 0 or more, as 42, 42n or "42"'
  },
}

/** How the clock runs; kept as text, which is how the simulator takes it. */
export const clock = {
  parse(text: string): string {
    parseClock(text)
    return text
  },
  problem(value: unknown): string | undefined {
    try {
      parseClock(clockText(value as ClockOption))
      return undefined
    } catch {
      return `it must be "real", "auto", "frozen", "frozen@" and an instant such as 2026-01-01T00:00:00Z, or { frozenAt } with such an instant or a Date, up to ${isoSeconds(latestMs)}`
    }
  },
}

/** An instant, as Unix seconds. */
export function instant(text: string): number {
  const start = /^\d{4}-/.test(text) ? parseClock(`frozen@${text}`) : undefined
  if (start?.mode === 'frozen' && start.atMs !== 'earliest') return Math.floor(start.atMs / 1000)
  throw new Error('it must be an instant such as 2026-01-01T00:00:00Z')
}

/** Text that must be one of a few words. */
export function oneOf<T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text)
    if (choice !== undefined) return choice
    throw new Error(`allowed: ${choices.join(', ')}`)
  }
}

/** Yes or no. A flag is given without a value; the environment and the file say true or false. */
export function yesOrNo(text: string): boolean {
  return oneOf(['true', 'false', '1', '0'])(text) === 'true' || text === '1'
}

/** The address of a running simulator, without a slash at its end. */
export function baseUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new Error('it must be an http:// or https:// address, for example http://127.0.0.1:4477')
}

/** The URL by which clients reach a simulator, perhaps with a path, without a slash at its end. */
export function advertisedUrl(text: string): string {
  if (/^https?:\/\/[^\s?#@]+$/.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new Error(
    'it must be an http:// or https:// address, with a path or without, for example https://sim.example/pod-3',
  )
}

/** A time in whole seconds. */
export function seconds(text: string): number {
  const number = wholeNumber(text)
  if (number !== undefined && number <= 86_400) return number
  throw new Error('it must be a whole number of seconds from 0 to 86400')
}

const unitSeconds = { s: 1, m: 60, h: 3_600 } as const

/** A time such as `90s`, `10m` or `2h`, in seconds. */
export function span(text: string): number {
  const [, digits, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? []
  if (digits !== undefined && Number(digits) > 0)
    return Number(digits) * unitSeconds[unit as keyof typeof unitSeconds]
  throw new Error('it must be a time such as 90s, 10m or 2h')
}

/** Text that the simulator itself judges. */
export function anyText(text: string): string {
  return text
}

/** An address, or the signers of all sub-accounts. */
export function emptyAccount(text: string): string {
  if (text === 'signers' || /^0x[0-9a-f]{40}$/i.test(text)) return text.toLowerCase()
  throw new Error('it must be an address (0x and 40 hex digits), or signers')
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
