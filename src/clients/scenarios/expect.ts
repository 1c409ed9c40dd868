import { isDeepStrictEqual } from 'node:util'
import type { Expectation } from './schema.js'
import { describe, type ScenarioReply } from './target.js'

/** What is wrong with an answer, or undefined when it is as expected. Without expectation it must be a success. */
export function mismatch(
  answer: ScenarioReply,
  expected: Expectation | undefined,
): string | undefined {
  if (expected === undefined) {
    const isSuccess = answer.status >= 200 && answer.status < 300
    return isSuccess && !answer.cut ? undefined : `expected a success, got ${describe(answer)}`
  }
  if (expected.connection === 'cut')
    return answer.cut ? undefined : `expected no complete answer, got ${describe(answer)}`
  if (answer.cut) return `expected an answer, got ${describe(answer)}`
  const { status, error, body, hint, fault } = expected
  if (status !== undefined && status !== answer.status)
    return `expected status ${status}, got ${describe(answer)}`
  const code = (answer.body as { error?: unknown } | null)?.error
  if (error !== undefined && code !== error)
    return `expected error ${error}, got ${describe(answer)}`
  if (status === undefined && error === undefined && answer.status >= 300)
    return `expected a success, got ${describe(answer)}`
  for (const [header, text] of [
    ['x-svc-sim-hint', hint],
    ['x-svc-sim-fault', fault],
  ] as const) {
    const value = answer.headers[header] ?? ''
    if (text !== undefined && !value.includes(text))
      return `expected ${header} to hold ${JSON.stringify(text)}, but it is ${JSON.stringify(value)}`
  }
  if (body !== undefined) return missingPart(answer.body, body, 'body')
  return undefined
}

/** Where `actual` lacks what `part` asks for: objects may have more fields, lists must be as long, all else equal. */
export function missingPart(actual: unknown, part: unknown, path: string): string | undefined {
  if (Array.isArray(part)) {
    if (!Array.isArray(actual) || actual.length !== part.length)
      return `expected ${path} to be a list of ${part.length}, but it is ${short(actual)}`
    return first(part.map((item, i) => missingPart(actual[i], item, `${path}.${i}`)))
  }
  if (typeof part === 'object' && part !== null) {
    if (typeof actual !== 'object' || actual === null)
      return `expected ${path} to be an object, but it is ${short(actual)}`
    return first(
      Object.entries(part).map(([key, item]) =>
        missingPart((actual as Record<string, unknown>)[key], item, `${path}.${key}`),
      ),
    )
  }
  if (isDeepStrictEqual(actual, part)) return undefined
  return `expected ${path} to be ${short(part)}, but it is ${short(actual)}`
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined)
}

/** A value in a message. */
export function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 300 ? `${text.slice(0, 300)}...` : text
}
