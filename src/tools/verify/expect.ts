import { isDeepStrictEqual } from 'node:util'
import { short } from '../../clients/scenarios/expect.js'
import { describe, type ScenarioReply } from '../../clients/scenarios/target.js'
import { Differs } from './types.js'

/** An answer that a probe awaits: its status, and its code when it is an error. */
export interface Awaited {
  status: number
  code?: string
}

type Path = readonly (string | number)[]

/** A value of an answer that knows its place. Every check throws `Differs` with the place, what was expected, and the value. */
export class Seen<T = unknown> {
  readonly request: string
  readonly value: T
  /** The fields that lead to the value, or what it is called; empty for a whole body. */
  readonly place: string

  constructor(request: string, value: T, place = '') {
    this.request = request
    this.value = value
    this.place = place
  }

  get where(): string {
    return this.place === '' ? this.request : `${this.request}: ${this.place}`
  }

  /** What is at a path of fields and positions; its value is undefined where there is nothing. */
  at(...path: Path): Seen {
    const place = [...(this.place === '' ? [] : [this.place]), ...path].join('.')
    return new Seen(this.request, at(this.value, ...path), place)
  }

  holds(isSo: boolean, expected: string): this {
    if (!isSo) throw new Differs({ where: this.where, expected, seen: textOf(this.value) })
    return this
  }

  is(expected: T): void {
    this.holds(isDeepStrictEqual(this.value, expected), textOf(expected))
  }

  text(): Seen<string> {
    return this.holds(typeof this.value === 'string', 'a text') as Seen<string>
  }

  list(): Seen[] {
    this.holds(Array.isArray(this.value), 'a list')
    return (this.value as unknown[]).map((_, i) => this.at(i))
  }

  /** The fields of an object whose names begin like this; none where there is no object. */
  entries(start = ''): [name: string, value: Seen][] {
    const names = Object.keys(this.value ?? {}).filter((name) => name.startsWith(start))
    return names.map((name) => [name, this.at(name)])
  }

  /** An amount in the smallest unit, such as "52000000". */
  amount(): Seen<bigint> {
    const text = typeof this.value === 'string' ? this.value : ''
    this.holds(/^[0-9]+$/.test(text), 'a decimal integer string')
    return new Seen(this.request, BigInt(text), this.place)
  }

  /** An amount as folios write it, in the smallest unit: "52e6" is 52000000, a decimal in whole units and the decimals of the asset. */
  units(): Seen<bigint> {
    const [, sign = '', whole = '', fraction = '', decimals = ''] =
      /^(-?)(\d+)(?:\.(\d+))?e(\d+)$/.exec(String(this.value)) ?? []
    const isExact = whole !== '' && fraction.length <= Number(decimals)
    this.holds(isExact, 'an amount such as "52e6" or "0.5e18"')
    const units = BigInt(sign + whole + fraction.padEnd(Number(decimals), '0'))
    return new Seen(this.request, units, this.place)
  }
}

/** Throws unless the answer has one of these statuses and codes; returns its body. */
export function must(
  where: string,
  answer: ScenarioReply,
  ...allowed: readonly [Awaited, ...Awaited[]]
): Seen {
  const code = answer.cut ? null : errorCodeOf(answer)
  const fits = allowed.some(
    (each) => !answer.cut && answer.status === each.status && (each.code ?? null) === code,
  )
  if (fits) return new Seen(where, answer.body)
  const expected = allowed.map(({ status, code }) => (code ? `${status} ${code}` : `${status}`))
  throw new Differs({ where, expected: expected.join(' or '), seen: describe(answer) })
}

/** The code of an error answer; null for any other. */
export function errorCodeOf({ status, body }: ScenarioReply): string | null {
  if (status < 400) return null
  const { error } = (body ?? {}) as { error?: unknown }
  return typeof error === 'string' ? error : ''
}

/** That a plan was executed; interface.md shows the body of that, and no status. */
export const executed = [{ status: 200 }, { status: 202 }] as const

function textOf(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : short(value)
}

/** What is at a path of fields and positions of a body; undefined where there is nothing. */
export function at(body: unknown, ...path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown> | null | undefined)?.[key],
    body,
  )
}
