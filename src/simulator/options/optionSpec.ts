// Without the schema library, which takes 50 ms to load: options are read before the nodes are started.

import { isoSeconds, latestMs, parseClock } from '../../time/clock.js'
import { type ClockOption, clockText } from '../../time/clockOption.js'
import type { SimulatorOptions } from './options.js'

export const commandNames = [
  ...(['start', 'exec', 'fund', 'scenario', 'why', 'env', 'coverage', 'verify'] as const),
  ...(['corpus', 'swarm', 'openapi', 'data', 'bundle', 'mcp', 'ui', 'doctor'] as const),
]

export type CommandName = (typeof commandNames)[number]

export interface Kind<T = unknown> {
  /** Placeholder in the help, such as `N`. */
  value: string
  /** Throws with the problem and what to do. */
  parse: (text: string) => T
  /** The problem of a value for `createSimulator`; undefined for none. By `parse` when absent. */
  problem?: (value: unknown) => string | undefined
  /** Splits a list in one text, for example in a variable; at every comma by default. */
  split?: (text: string) => string[]
}

/** Defines an option. Flag, variable and key of the configuration file follow from its name; help, checks and reference from this. */
export interface OptionSpec<T = unknown> {
  /** The commands whose help is `help`; `start` and `exec` if absent. */
  commands?: readonly CommandName[]
  help: string
  /** The help of other commands that take it. */
  helpOf?: Partial<Record<CommandName, string>>
  /** Absent for a yes-or-no option. */
  takes?: Kind<T>
  takesOf?: Partial<Record<CommandName, Kind<T>>>
  /** Whether it may be repeated; its value is a list. */
  many?: boolean
  /** Commands that take it only once, despite `many`. */
  once?: readonly CommandName[]
  /** Another name that is accepted everywhere; the help does not list it. */
  alias?: string
  /** Whether errors must not repeat the text, which may contain a key. */
  isSecret?: boolean
  /** The name in `createSimulator`, if different; false if the library lacks the option. */
  library?: keyof SimulatorOptions | false
  /** The default; without one, an empty list for `many`, and false for a yes-or-no option. */
  fallback?: T | readonly T[]
}

export function commandsOf({
  commands = ['start', 'exec'],
  helpOf = {},
}: OptionSpec): readonly CommandName[] {
  return [...new Set([...commands, ...(Object.keys(helpOf) as CommandName[])])]
}

/** The final value: a list for `many`, undefined without value and default. */
export type OptionValue<Spec> = Spec extends { takes: Kind<infer T> }
  ? Spec extends { many: true }
    ? readonly T[]
    : Spec extends { fallback: unknown }
      ? T
      : T | undefined
  : boolean

const asIs = (text: string): unknown => text

/** Text that the simulator itself validates. */
export const anyText = (value: string): Kind<string> => ({ value, parse: (text) => text })

export const file = anyText('FILE')
export const folder = anyText('DIR')

/** Text of this form, converted by `read`. */
export function matching<T = string>(
  value: string,
  pattern: RegExp,
  rule: string,
  read = asIs as (text: string) => T,
): Kind<T> {
  return {
    value,
    parse(text) {
      if (pattern.test(text)) return read(text)
      throw new Error(rule)
    },
  }
}

export function oneOf<const T extends string>(value: string, choices: readonly T[]): Kind<T> {
  return {
    value,
    parse(text) {
      const choice = choices.find((candidate) => candidate === text)
      if (choice !== undefined) return choice
      throw new Error(`allowed: ${choices.join(', ')}`)
    },
  }
}

/** A yes-or-no option as text, for example in a variable. */
export const yesOrNo: Kind<boolean> = {
  value: '',
  parse: (text) => ['true', '1'].includes(oneOf('', ['true', 'false', '1', '0']).parse(text)),
}

/** An address to listen on. `optionConflict` checks whether it needs a control token. */
export const host = matching(
  'HOST',
  /^(?![0-9A-Za-z._-]+:\d+$)[0-9A-Za-z._:-]+$/,
  'it must be an IP address or a host name without scheme, port or brackets, for example 127.0.0.1, localhost or ::1',
)

/** A bearer token with the characters of RFC 6750, which need no quoting in a shell. */
export const token = (value: string) =>
  matching(
    value,
    /^[A-Za-z0-9._~+/-]+=*$/,
    'it may have letters, digits and . _ ~ + / - only, with = at the end',
  )

const ofDigits = 'it must be a whole number, 0 or more, in decimal digits'

/** A count without an upper bound. */
export const wholeCount = matching('N', /^\d{1,9}$/, ofDigits, Number)

/** @param inText An addition to the rule for text. */
export function whole(least: number, most: number, inText = '') {
  const rule = `it must be a whole number from ${least} to ${most}`
  const isIn = (value: unknown) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
  return {
    value: 'N',
    parse(text: string): number {
      if (/^\d{1,9}$/.test(text) && isIn(Number(text))) return Number(text)
      throw new Error(`${rule}${inText}`)
    },
    problem: (value: unknown) => (isIn(value) ? undefined : rule),
  }
}

export const howMany = whole(0, 1_000)

export const seed: Kind<bigint> = {
  ...matching('N', /^\d+$/, ofDigits, BigInt),
  problem(value) {
    const isNumber = typeof value === 'bigint' || Number.isSafeInteger(value)
    const isSeed = typeof value === 'string' ? /^\d+$/.test(value) : isNumber && Number(value) >= 0
    return isSeed ? undefined : 'it must be a whole number, 0 or more, as 42, 42n or "42"'
  },
}

/** Kept as text, as the simulator takes it. */
export const clock: Kind<string> = {
  value: 'CLOCK',
  parse(text) {
    parseClock(text)
    return text
  },
  problem(value) {
    try {
      parseClock(clockText(value as ClockOption))
      return undefined
    } catch {
      return `it must be "real", "auto", "frozen", "frozen@" and an instant such as 2026-01-01T00:00:00Z, or { frozenAt } with such an instant or a Date, up to ${isoSeconds(latestMs)}`
    }
  },
}

/** The URL by which clients reach a simulator; may have a path. */
export const advertisedUrl = url(
  /^https?:\/\/[^\s?#@]+$/,
  'it must be an http:// or https:// address, with a path or without, for example https://sim.example/pod-3',
)

/** Removes slashes at the end. */
export function url(pattern: RegExp, rule: string): Kind<string> {
  return {
    value: 'URL',
    parse(text) {
      if (pattern.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
      throw new Error(rule)
    },
  }
}
