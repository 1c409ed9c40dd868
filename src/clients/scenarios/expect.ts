import { isDeepStrictEqual } from 'node:util'
import type { Expectation } from './schema.js'
import { describe, type ScenarioReply } from './target.js'

/** `where` is the request, or the place in the response. */
export interface Difference {
  where: string
  expected: string
  seen: string
}

interface Problem extends Difference {
  message: string
}

export function mismatch(
  answer: ScenarioReply,
  expected: Expectation | undefined,
): string | undefined {
  return problemOf(answer, expected)?.message
}

/** Undefined when the response is as expected. Without an expectation it must be a success. */
export function problemOf(
  answer: ScenarioReply,
  expected: Expectation | undefined,
): Problem | undefined {
  const not = (wanted: string): Problem => {
    const actual = describe(answer)
    return {
      where: '',
      expected: wanted,
      seen: actual,
      message: `expected ${wanted}, got ${actual}`,
    }
  }
  if (expected === undefined) {
    const isSuccess = answer.status >= 200 && answer.status < 300
    return isSuccess && !answer.cut ? undefined : not('a success')
  }
  if (expected.connection === 'any') return undefined
  if (expected.connection === 'cut') return answer.cut ? undefined : not('no complete answer')
  if (answer.cut) return not('an answer')
  const { status, error, any_of, where, body, hint, fault } = expected
  if (status !== undefined && status !== answer.status) return not(`status ${status}`)
  const code = (answer.body as { error?: unknown } | null)?.error
  if (error !== undefined && code !== error) return not(`error ${error}`)
  const allowed = any_of?.some(
    (outcome) =>
      outcome.status === answer.status &&
      (answer.status >= 400 ? code : undefined) === outcome.error,
  )
  if (allowed === false)
    return not(any_of!.map((each) => [each.status, each.error].join(' ').trim()).join(' or '))
  if (status === undefined && error === undefined && !any_of && answer.status >= 300)
    return not('a success')
  for (const [header, text] of [
    ['x-svc-sim-hint', hint],
    ['x-svc-sim-fault', fault],
  ] as const) {
    const value = answer.headers[header] ?? ''
    if (text !== undefined && !value.includes(text))
      return problem(header, 'to hold', JSON.stringify(text), value)
  }
  return (
    first(where?.map((check) => placeProblem(answer.body, check)) ?? []) ??
    (body === undefined ? undefined : missing(answer.body, body, 'body'))
  )
}

function problem(where: string, verb: string, expected: string, actual: unknown): Problem {
  const actualText = short(actual)
  const message = `expected ${where} ${verb} ${expected}, but it is ${actualText}`
  return { where, expected, seen: actualText, message }
}

function placeProblem(
  body: unknown,
  { at, is, type, length, exists }: NonNullable<Expectation['where']>[number],
): Problem | undefined {
  const value = at.reduce(inside, body)
  const keys = at.map((key) => (typeof key === 'object' ? JSON.stringify(key) : key))
  const not = (expected: string) => problem(['body', ...keys].join('.'), 'to be', expected, value)
  if (is !== undefined && !isDeepStrictEqual(value, is)) return not(short(is))
  if (type !== undefined && typeOf(value) !== type) return not(`a value of type ${type}`)
  if (length !== undefined && sizeOf(value) !== length) return not(`of length ${length}`)
  return exists === false && value !== undefined ? not('missing') : undefined
}

type Place = NonNullable<Expectation['where']>[number]['at']

function inside(value: unknown, key: Place[number]): unknown {
  if (typeof key === 'object')
    return (Array.isArray(value) ? value : []).find((item) => has(item, key))
  if (typeof key === 'number') return Array.isArray(value) ? value.at(key) : undefined
  return (value as Record<string, unknown> | null | undefined)?.[key]
}

function has(value: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return value === part
  return Object.entries(part).every(([field, wanted]) => has(inside(value, field), wanted))
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'text'
  return value === null ? 'null' : typeof value
}

function sizeOf(value: unknown): number | undefined {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined
}

/** Objects may have more fields than expected; lists must have the same length. */
export function missingPart(actual: unknown, part: unknown, path: string): string | undefined {
  return missing(actual, part, path)?.message
}

function missing(actual: unknown, part: unknown, path: string): Problem | undefined {
  const not = (expected: string) => problem(path, 'to be', expected, actual)
  if (Array.isArray(part)) {
    if (!Array.isArray(actual) || actual.length !== part.length)
      return not(`a list of ${part.length}`)
    return first(part.map((item, i) => missing(actual[i], item, `${path}.${i}`)))
  }
  if (typeof part === 'object' && part !== null) {
    if (typeof actual !== 'object' || actual === null) return not('an object')
    return first(
      Object.entries(part).map(([key, item]) =>
        missing((actual as Record<string, unknown>)[key], item, `${path}.${key}`),
      ),
    )
  }
  return isDeepStrictEqual(actual, part) ? undefined : not(short(part))
}

function first(problems: readonly (Problem | undefined)[]): Problem | undefined {
  return problems.find((each) => each !== undefined)
}

export function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 300 ? `${text.slice(0, 300)}...` : text
}
