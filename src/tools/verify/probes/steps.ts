import type { Expectation, Step } from '../../../clients/scenarios/schema.js'

/** Steps of scenarios as probes write them. A reference is to an account, or to a step by its name. */

type PlaceCheck = NonNullable<Expectation['where']>[number]
type Place = PlaceCheck['at']
type Call = NonNullable<Step['call']>
type Body = Record<string, unknown>

export type Expected = Pick<Expectation, 'status' | 'error' | 'any_of'>

/** The expectation, or the name of the step. */
export type Look = PlaceCheck | { as: string }

/** A place: fields and positions between dots, or as scenarios have it. */
export type PlaceText = string | Place

export const is = (at: PlaceText, value: unknown): Look => ({ at: placeOf(at), is: value })
export const hasType = (at: PlaceText, type: 'object' | 'list' | 'text'): Look => ({
  at: placeOf(at),
  type,
})
export const hasLength = (at: PlaceText, length: number): Look => ({ at: placeOf(at), length })
export const isAbsent = (at: PlaceText): Look => ({ at: placeOf(at), exists: false })
export const as = (name: string): Look => ({ as: name })

function placeOf(at: PlaceText): Place {
  if (typeof at !== 'string') return at
  if (at === '') return []
  return at.split('.').map((key) => (/^-?\d+$/.test(key) ? Number(key) : key))
}

function looked(looks: readonly Look[], answer: Expected) {
  const where = looks.filter((look) => 'at' in look)
  const named = looks.find((look) => 'as' in look)
  return { ...named, expect: { ...answer, ...(where.length > 0 && { where }) } }
}

export const sends = (
  method: Call['method'],
  path: string,
  more: Pick<Call, 'body' | 'raw' | 'key' | 'headers'>,
  answer: Expected,
  ...looks: readonly Look[]
): Step => ({ call: { method, path, ...more, ...looked(looks, answer) } })

export const reads = (path: string, ...looks: readonly Look[]): Step =>
  sends('GET', path, {}, { status: 200 }, ...looks)

export const plans = (
  name: string,
  account: string,
  kind: string,
  body: Body,
  ...looks: readonly Look[]
): Step => ({ plan: { account, kind, body, as: name, ...looked(looks, { status: 201 }) } })

export const refuses = (account: string, kind: string, body: Body, answer: Expected): Step => ({
  plan: { account, kind, body, expect: answer },
})

/** interface.md shows the body of a successful execution, and no status. */
const executed: Expected = { any_of: [{ status: 200 }, { status: 202 }] }

/** The execution of a plan, which must succeed; its name is `PLAN_execution` unless it is given another. */
export const executes = (plan: string, ...looks: readonly Look[]): Step => ({
  execute: { plan, as: `${plan}_execution`, ...looked(looks, executed) },
})

export const refusesToExecute = (plan: string, answer: Expected, signature = 'valid'): Step => ({
  execute: { plan, signature, expect: answer },
})

export const settles = (account: string, plan: string): Step => ({
  wait: { account, activity: `${plan}_execution`, status: 'ended' },
})

/** A plan that is made, executed and followed to its end. */
export const carriesOut = (plan: string, account: string, kind: string, body: Body): Step[] => [
  plans(plan, account, kind, body),
  executes(plan),
  settles(account, plan),
]
