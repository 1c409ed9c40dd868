import type { ZodType } from 'zod'
import {
  type Answer,
  type AnswerCall,
  type AnswerRoute,
  defineEffect,
  type Effect,
  type EffectOutcome,
  type FaultTools,
  type RuleHandle,
} from '../rules/effect.js'

/** Another answer that the interface allows as well. */
interface AnswerEffect<Settings> {
  name: string
  summary: string
  settings?: ZodType<Settings>
  /** Whose answers can be otherwise; those of all routes when absent. */
  at?(route: AnswerRoute): boolean
  /** What it does, for `why`; absent where its name says enough. */
  outcome?(): EffectOutcome
  /** Set where it does something else than to change the answer: it has fired when `alter` returns another object, though an equal one. */
  actsBeside?: boolean
  /** Answers by itself, before anything is done; undefined lets the request go on. */
  instead?(call: AnswerCall, settings: Settings): Answer | undefined
  alter?(
    answer: Answer,
    call: AnswerCall,
    settings: Settings,
    tools: FaultTools & { rule: RuleHandle },
  ): Answer | Promise<Answer>
}

/** An effect of the seam `answer` as the register holds it. */
export function defineAnswer<Settings = object>(effect: AnswerEffect<Settings>): Effect {
  const { name, summary, settings, at = () => true, outcome, actsBeside, instead, alter } = effect
  return defineEffect({
    on: 'answer',
    name,
    summary,
    ...(settings && { settings }),
    ...(outcome && { outcome }),
    at,
    applies: (_, { route }) => at(route),
    // By its text: the order of fields is part of an answer.
    hasChanged: (before, after) =>
      before !== after && (actsBeside || JSON.stringify(before) !== JSON.stringify(after)),
    async apply(chosen, call, proceed, tools) {
      const own = instead?.(call, chosen)
      if (own) return own
      const answer = await proceed()
      if (!alter || answer.body === undefined) return answer
      return alter(answer, call, chosen, tools)
    },
  })
}

/** Whether a route is one of these, in Express' spelling. */
export function atPaths(...paths: readonly string[]): (route: AnswerRoute) => boolean {
  return ({ path }) => paths.includes(path)
}

export function atPlans({ path }: AnswerRoute): boolean {
  return path.startsWith('/accounts/:account_id/plan/')
}

export const executePath = '/accounts/:account_id/plan/execute'

/** The same error under another code, with the status of that. */
export function refused(status: number, error: string, message: string): Answer {
  return { status, body: { error, message } }
}

/** The code of an error answer; undefined for any other. */
export function errorOf({ status, body }: Answer): string | undefined {
  return status < 400 ? undefined : (body as { error?: string }).error
}

export function messageOf({ body }: Answer): string {
  return String((body as { message?: unknown }).message)
}

/** Fields of a request's body; none when it is no object. */
export function sentFields({ sent }: AnswerCall): Record<string, unknown> {
  return typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>) : {}
}

export type JsonObject = Record<string, unknown>

/** The place of a value: the keys that lead to it, `[]` for an element of a list. */
export type JsonPlace = readonly string[]

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy in which `change` has replaced every object, innermost first. */
export function mapObjects(
  value: unknown,
  change: (object: JsonObject, place: JsonPlace) => JsonObject,
  place: JsonPlace = [],
): unknown {
  if (Array.isArray(value)) return value.map((each) => mapObjects(each, change, [...place, '[]']))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inside]) => [
    key,
    mapObjects(inside, change, [...place, key]),
  ])
  return change(Object.fromEntries(entries), place)
}

/** A copy in which `change` has replaced every text. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => [key, mapTexts(inside, change)]),
  )
}

/** Whether the keys of the object there are data: symbols, networks, or keys of the folio. Its values are of one type, so no other may be added. */
export function isTable(object: JsonObject, place: JsonPlace): boolean {
  const keys = Object.keys(object)
  return (
    ['assets', 'networks', 'collaterals', 'supplies'].includes(place.at(-1) ?? '') ||
    keys.some((key) => key.includes('/')) ||
    (place.at(-2) === 'folio' && keys.length === 0)
  )
}

/** Only these fields of an object, as far as it has them. */
export function pick(object: unknown, fields: readonly string[]): JsonObject {
  if (!isObject(object)) return {}
  return Object.fromEntries(Object.entries(object).filter(([key]) => fields.includes(key)))
}
