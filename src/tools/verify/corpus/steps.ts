import { z } from 'zod'
import { httpStatus } from '../../../lib/scalars.js'

/** The steps of a probe as data. docs/corpus.md describes them for writers of runners. */

const name = z.string().regex(/^\w+$/)
const amount = z.string().regex(/^[0-9]+$/)
const body = z.record(z.string(), z.unknown())

const expect = z
  .array(z.strictObject({ status: httpStatus, code: z.string().optional() }))
  .min(1)
  .meta({
    description:
      'The answer must be one of these. `code` is the field `error` of its body; without a code it must be no error.',
  })

const place = z.array(z.union([z.string(), z.int(), body])).meta({
  id: 'Place',
  description:
    'From the body inwards: a field, a place in a list (-1 is the last), or the first item of a list that has these fields. An empty path is the body.',
})

const check = z
  .union([
    z.strictObject({ at: place, equals: z.unknown() }),
    z.strictObject({ at: place, type: z.enum(['object', 'list', 'text']) }),
    z.strictObject({ at: place, length: z.int().min(0) }),
    z.strictObject({ at: place, absent: z.literal(true) }),
  ])
  .meta({ id: 'Check' })

/** What any answer may be looked at for. */
const looks = {
  checks: z.array(check).optional(),
  keep: z
    .record(z.string(), place)
    .optional()
    .meta({ description: 'Values of the body for later steps, by name: {name} stands for one.' }),
}

const account = z.strictObject({
  account: name,
  funds: z.array(z.strictObject({ asset: z.string(), network: z.string(), amount })).optional(),
})

const send = z.strictObject({
  send: z.strictObject({
    method: z.string(),
    path: z.string(),
    body: body.optional(),
    raw: z.string().optional(),
    key: z.string().nullable().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  expect,
  ...looks,
})

const plan = z.strictObject({ plan: name, by: name, kind: z.string(), body, ...looks })
const execute = z.strictObject({ execute: name, sign: z.string(), expect, ...looks })
const settle = z.strictObject({ settle: name })
const wait = z.strictObject({ wait: z.int().min(1) })

const oneStep = z
  .union([
    account.meta({
      description:
        'Use the account of this name. Create it with a new signer if the run has none, and give it each of the funds once per run.',
    }),
    send.meta({
      description:
        'Send a request: `body` as JSON, or `raw` as it is. `key` replaces the API key; null sends none.',
    }),
    plan.meta({
      description:
        'POST /accounts/{id}/plan/{kind}, for the account `by`, must return 201. Later steps use the plan by its name.',
    }),
    execute.meta({
      description:
        'POST /accounts/{id}/plan/execute for this plan. `sign` is valid (the digest, by the signer), other_key (the digest, by another key), personal_sign (the digest as a message, by the signer), or the signature itself.',
    }),
    settle.meta({
      description: 'Wait until the activity of this executed plan is confirmed or failed.',
    }),
    wait.meta({ description: 'Wait for this many seconds.' }),
  ])
  .meta({ id: 'Step' })

/** One step: `account`, `send`, `plan`, `execute`, `settle`, `wait`, or several that are done once in a run. */
export const stepSchema = z.union([
  oneStep,
  z.strictObject({ once: z.string(), steps: z.array(oneStep) }).meta({
    id: 'Once',
    description:
      'Steps that several probes share: do them when the first probe of the run comes to them, and keep accounts, plans and values for the others. If one of them fails, the probe is not exercised.',
  }),
])

export type ProbeStep = z.infer<typeof stepSchema>
export type AnswerCheck = z.infer<typeof check>
export type AnswerPlace = z.infer<typeof place>
export type OneStep = z.infer<typeof oneStep>
type Send = z.infer<typeof send>
export type Expected = Send['expect'][number]
type Body = Record<string, unknown>

/** What is looked at in an answer: something to check, or a value to keep under a name. */
export type Look = AnswerCheck | { keep: string; at: AnswerPlace }

/** A place as constructors take it: fields and positions between dots, or the place itself. */
export type PlaceText = string | AnswerPlace

export const is = (at: PlaceText, equals: unknown): Look => ({ at: placeOf(at), equals })
export const hasType = (at: PlaceText, type: 'object' | 'list' | 'text'): Look => ({
  at: placeOf(at),
  type,
})
export const hasLength = (at: PlaceText, length: number): Look => ({ at: placeOf(at), length })
export const isAbsent = (at: PlaceText): Look => ({ at: placeOf(at), absent: true })
export const keeps = (keep: string, at: PlaceText): Look => ({ keep, at: placeOf(at) })

function placeOf(at: PlaceText): AnswerPlace {
  if (typeof at !== 'string') return at
  if (at === '') return []
  return at.split('.').map((key) => (/^-?\d+$/.test(key) ? Number(key) : key))
}

function looked(looks: readonly Look[]): Pick<Send, 'checks' | 'keep'> {
  const checks = looks.filter((look) => !('keep' in look)) as AnswerCheck[]
  const kept = looks.flatMap((look) => ('keep' in look ? [[look.keep, look.at]] : []))
  return {
    ...(checks.length > 0 && { checks }),
    ...(kept.length > 0 && { keep: Object.fromEntries(kept) }),
  }
}

/** A request and the answer that it must get. */
export const sends = (
  method: string,
  path: string,
  more: Omit<Send['send'], 'method' | 'path'>,
  answer: Expected,
  ...looks: readonly Look[]
): OneStep => ({ send: { method, path, ...more }, expect: [answer], ...looked(looks) })

/** A read that must succeed. */
export const reads = (path: string, ...looks: readonly Look[]): OneStep =>
  sends('GET', path, {}, { status: 200 }, ...looks)

/** Steps that several probes share. */
export const once = (what: string, steps: readonly OneStep[]): ProbeStep => ({
  once: what,
  steps: [...steps],
})

/** A plan that must be made. */
export const plans = (
  plan: string,
  by: string,
  kind: string,
  body: Body,
  ...looks: readonly Look[]
): OneStep => ({ plan, by, kind, body, ...looked(looks) })

/** A plan that must be refused. */
export const refuses = (by: string, kind: string, body: Body, answer: Expected): OneStep =>
  sends('POST', `/accounts/{${by}.id}/plan/${kind}`, { body }, answer)

/** The execution of a plan, which must succeed. */
export const executes = (execute: string, ...looks: readonly Look[]): OneStep => ({
  execute,
  sign: 'valid',
  expect: [{ status: 200 }, { status: 202 }],
  ...looked(looks),
})

/** The execution of a plan, signed in some way, which must be refused. */
export const refusesToExecute = (execute: string, answer: Expected, sign = 'valid'): OneStep => ({
  execute,
  sign,
  expect: [answer],
})

/** A plan that is made, executed and followed to its end. */
export const carriesOut = (
  plan: string,
  by: string,
  kind: string,
  body: Body,
  ...looks: readonly Look[]
): OneStep[] => [plans(plan, by, kind, body), executes(plan, ...looks), { settle: plan }]
