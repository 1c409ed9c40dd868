import { short } from '../../clients/scenarios/expect.js'
import { describe, type ScenarioReply } from '../../clients/scenarios/target.js'
import { errorCodeOf } from './documented.js'
import { Differs } from './types.js'

/** An answer that a probe awaits: its status, and its code when it is an error. */
export interface Awaited {
  status: number
  code?: string
}

/** Throws unless the answer has the status and code; answers its body. */
export function must(
  where: string,
  answer: ScenarioReply,
  ...allowed: readonly [Awaited, ...Awaited[]]
): unknown {
  const code = answer.cut ? null : errorCodeOf(answer)
  const fits = allowed.some(
    (each) => !answer.cut && answer.status === each.status && (each.code ?? null) === code,
  )
  if (fits) return answer.body
  const expected = allowed.map(({ status, code }) => (code ? `${status} ${code}` : `${status}`))
  throw new Differs({ where, expected: expected.join(' or '), seen: describe(answer) })
}

/** That a plan was executed; interface.md shows the body of that, and no status. */
export const executed = [{ status: 200 }, { status: 202 }] as const

/** Throws unless both are the same text, number or truth. */
export function same<T extends string | number | bigint | boolean | null | undefined>(
  where: string,
  seen: T,
  expected: T,
): void {
  if (seen !== expected)
    throw new Differs({ where, expected: textOf(expected), seen: textOf(seen) })
}

/** Throws with what was expected unless it holds. */
export function holds(where: string, isSo: boolean, expected: string, seen: unknown): void {
  if (!isSo) throw new Differs({ where, expected, seen: short(seen) })
}

function textOf(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : short(value)
}

/** An amount in the smallest unit; throws when the text is none. */
export function amountIn(where: string, text: unknown): bigint {
  holds(where, typeof text === 'string' && /^[0-9]+$/.test(text), 'a decimal integer string', text)
  return BigInt(String(text))
}

/** What is at a path of keys and places in a body; undefined where there is nothing. */
export function at(body: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown> | null | undefined)?.[key],
    body,
  )
}

/** A text at a path of a body; throws when there is none. */
export function textAt(
  where: string,
  body: unknown,
  ...path: readonly (string | number)[]
): string {
  const value = at(body, ...path)
  holds(`${where}: ${path.join('.')}`, typeof value === 'string', 'a text', value)
  return value as string
}

/** A list at a path of a body; throws when there is none. */
export function listAt(
  where: string,
  body: unknown,
  ...path: readonly (string | number)[]
): readonly unknown[] {
  const value = at(body, ...path)
  holds(`${where}: ${path.join('.')}`, Array.isArray(value), 'a list', value)
  return value as readonly unknown[]
}
