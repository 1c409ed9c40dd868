// Each function turns the text of an option into its value, or throws with what is wrong and what to do. Written by hand:
// the schema library takes 50 ms to load, and these run before the nodes are started.

import { parseClock } from '../../../time/clock.js'

/** A TCP port; 0 lets the system choose. */
export function port(text: string): number {
  const value = wholeNumber(text)
  if (value !== undefined && value <= 65535) return value
  throw new Error('it must be a whole number from 0 to 65535, where 0 takes a free port')
}

/** The first of five ports in a row. */
export function portBase(text: string): number {
  const value = wholeNumber(text)
  if (value !== undefined && value >= 1 && value <= 65531) return value
  throw new Error(
    'it must be a whole number from 1 to 65531: it and the four ports after it are used',
  )
}

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

/** How many of something. */
export function howMany(text: string): number {
  const number = wholeNumber(text)
  if (number !== undefined && number <= 1_000) return number
  throw new Error('it must be a whole number from 0 to 1000')
}

/** How many of something that has no bound. */
export function wholeCount(text: string): number {
  const number = wholeNumber(text)
  if (number !== undefined && Number.isSafeInteger(number)) return number
  throw new Error('it must be a whole number, 0 or more, in decimal digits')
}

/** A seed: any whole number that is not negative. */
export function seed(text: string): bigint {
  if (/^\d+$/.test(text)) return BigInt(text)
  throw new Error('it must be a whole number, 0 or more, in decimal digits')
}

/** How the clock runs; kept as text, which is how the simulator takes it. */
export function clock(text: string): string {
  parseClock(text)
  return text
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

/** The address of a Redis. */
export function redisUrl(text: string): string {
  if (/^rediss?:\/\//.test(text) && URL.canParse(text)) return text
  throw new Error(
    'it must be a redis:// or rediss:// address, for example redis://127.0.0.1:6379 or redis://:PASSWORD@redis.lan/0',
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
