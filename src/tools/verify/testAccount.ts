import type { Hex } from 'viem'
import { signatureOf } from '../../clients/scenarios/steps.js'
import type { ScenarioReply } from '../../clients/scenarios/target.js'
import type { Caller } from './caller.js'
import type { RunClock } from './clock.js'
import { at, executed, holds, listAt, must, textAt } from './expect.js'
import { Differs, NotExercised } from './types.js'

/** A sub-account that a run has made, with the key that signs for it. */
export interface Identity {
  id: string
  wallet: string
  signer: string
  key: Hex
}

/** A plan that was answered. */
export interface MadePlan {
  id: string
  digest: Hex
  expiresAt: string
  /** The contexts of its actions, in the order of its operations. */
  contexts: readonly Record<string, unknown>[]
  body: unknown
}

/** One account of the run, and what it can do. */
export type TestAccount = ReturnType<typeof testAccountOf>

/** How long an execution may take to come to its end. */
const followMs = 120_000

/** The statuses in which an activity stays. */
const endings = ['confirmed', 'failed']

/** So often events are read once more after a status that is not known. */
const strangeRounds = 10

/** The doings of an account. */
export function testAccountOf(caller: Caller, clock: RunClock, identity: Identity) {
  const path = `/accounts/${identity.id}`
  const ask = (kind: string, body: unknown) => caller.post(`${path}/plan/${kind}`, body)
  /** Asks for a plan and expects one. */
  const plan = async (kind: string, body: unknown): Promise<MadePlan> => {
    const where = `POST ${path}/plan/${kind}`
    return planOf(where, must(where, await ask(kind, body), { status: 201 }))
  }
  /** Sends a plan with a signature: `valid`, `other_key`, `personal_sign`, or what is given. */
  const execute = async (made: MadePlan, how = 'valid'): Promise<ScenarioReply> =>
    caller.post(`${path}/plan/execute`, {
      plan_id: made.id,
      signature: await signatureOf(how, made.digest, identity.key),
    })
  const activity = async (id: string): Promise<Record<string, unknown>> => {
    const where = `GET /activities/${id}`
    return must(where, await caller.get(`/activities/${id}`), { status: 200 }) as never
  }
  /** Waits until an activity has ended, by its events. */
  const follow = async (activityId: string): Promise<Record<string, unknown>> => {
    const until = clock.now() + followMs
    let strange = 0
    for (let cursor = 0; clock.now() < until; ) {
      // What is neither pending nor an end may be followed by one, for a while.
      if (strange > 0) await clock.wait(1_000)
      const page = await caller.get(`${path}/events?since=${cursor}&poll=${strange === 0}`)
      const body = must(`GET ${path}/events`, page, { status: 200 })
      const statuses = listAt(`GET ${path}/events`, body, 'events')
        .filter((event) => at(event, 'data', 'activity_id') === activityId)
        .map((event) => String(at(event, 'data', 'activity_status')))
      const isStrange = strange > 0 || statuses.some((status) => status !== 'pending')
      if (isStrange) strange++
      if (statuses.some((status) => endings.includes(status)) || strange > strangeRounds)
        return activity(activityId)
      const next = at(body, 'cursor')
      cursor = typeof next === 'number' ? next : cursor
    }
    throw new Differs({
      where: `GET ${path}/events`,
      expected: `an event that ends ${activityId} within ${followMs / 1_000} seconds`,
      seen: 'none',
    })
  }
  /** Plans, signs, executes and follows to the end. */
  const carryOut = async (kind: string, body: unknown) => {
    const made = await plan(kind, body)
    const where = `POST ${path}/plan/execute`
    const answered = must(where, await execute(made), ...executed)
    const activityId = textAt(where, answered, 'activity_id')
    return { plan: made, executed: answered, activityId, activity: await follow(activityId) }
  }
  const folio = async (query = ''): Promise<Record<string, Record<string, unknown>>> => {
    const where = `GET ${path}/folio${query}`
    const body = must(where, await caller.get(`${path}/folio${query}`), { status: 200 })
    const found = at(body, 'folio')
    holds(where, typeof found === 'object' && found !== null, 'a folio', body)
    return found as never
  }
  return {
    ...identity,
    path,
    ask,
    plan,
    execute,
    activity,
    follow,
    carryOut,
    folio,
    /** What the wallet holds, in the smallest unit, by the folio. */
    async balance(asset: string, network: string): Promise<bigint> {
      const { balances } = await folio()
      const key = `token/${network}/${asset}/${identity.wallet.toLowerCase()}`
      const entry = Object.entries(balances ?? {}).find(
        ([name]) => name.toLowerCase() === key.toLowerCase(),
      )
      return entry ? unitsOf(`GET ${path}/folio: balances.${key}`, entry[1]) : 0n
    },
    events: async (query = '') =>
      must(`GET ${path}/events${query}`, await caller.get(`${path}/events${query}`), {
        status: 200,
      }),
  }
}

function planOf(where: string, body: unknown): MadePlan {
  const actions = listAt(where, body, 'details', 'svc_operation_actions')
  return {
    id: textAt(where, body, 'plan_id'),
    digest: textAt(where, body, 'details', 'eip712_data', 'digest') as Hex,
    expiresAt: textAt(where, body, 'expires_at'),
    contexts: actions.map((each) => (at(each, 'action', 'action_context') ?? {}) as never),
    body,
  }
}

/** `52e6` is 52000000: a decimal in whole units, and the decimals of the asset. */
export function unitsOf(where: string, text: unknown): bigint {
  const [, sign = '', whole = '', fraction = '', decimals = ''] =
    /^(-?)(\d+)(?:\.(\d+))?e(\d+)$/.exec(String(text)) ?? []
  const isExact = whole !== '' && fraction.length <= Number(decimals)
  holds(where, isExact, 'an amount such as "52e6" or "0.5e18"', text)
  const units = BigInt(whole + fraction.padEnd(Number(decimals), '0'))
  return sign === '-' ? -units : units
}

/** What a fixture could not be made of is no finding of the probe that wanted it. */
export async function forProbe<T>(what: string, making: Promise<T>): Promise<T> {
  try {
    return await making
  } catch (error) {
    if (error instanceof Differs) throw new NotExercised(`needs ${what}: ${error.message}`)
    throw error
  }
}
