import type { Hex } from 'viem'
import { sign } from 'viem/accounts'
import type { SimulatorHandle } from '../../src/index.js'
import type { ActivityBody, PlanBody, User } from './user.js'

/** How a client's wish ended, and what it had to do for it. */
export interface Ending {
  status: 'confirmed' | 'refused'
  /** What came at each step, for messages. */
  story: string[]
  /** Every activity that its executions brought about, newest first. */
  activities: readonly ActivityBody[]
}

interface Answer {
  /** 0: no whole answer came. */
  status: number
  body: Record<string, unknown>
}

/** After so many plans a client gives up; faults that fire once leave it more than enough. */
const patience = 6

/** Longer than any answer takes, unless it never comes. Milliseconds. */
const hangsAfterMs = 1_500

export interface ClientOptions {
  /** Gives up on answers that do not come. */
  hangs: boolean
  /** Lets the world go on; `round` counts how often it was waited for the same thing. */
  wait(round: number): Promise<void>
  /** Called when the wallet cannot pay for the plan. */
  refill(): Promise<void>
}

/**
 * A client that does the sensible next thing: after a refusal that may pass it plans again, after a lost answer it looks
 * whether its plan was executed, what is pending it waits for, and what is missing it funds.
 */
export function sensibleClient(
  sim: SimulatorHandle,
  user: User,
  { hangs, wait, refill }: ClientOptions,
) {
  async function ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
    try {
      const response = await fetch(`${sim.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${sim.apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(hangs ? { signal: AbortSignal.timeout(hangsAfterMs) } : {}),
      })
      return { status: response.status, body: (await response.json()) as Answer['body'] }
    } catch (error) {
      return { status: 0, body: { error: (error as Error).message } }
    }
  }

  async function activities(): Promise<ActivityBody[]> {
    for (;;) {
      const { status, body } = await ask('GET', `${user.path}/activities`)
      if (status === 200) return body.activities as ActivityBody[]
    }
  }

  /** The activity of a plan whose execution was not answered as it should have been. */
  const executionOf = async (plan: PlanBody) =>
    (await activities()).find((each) => each.plan_id === plan.plan_id)

  async function execute(plan: PlanBody): Promise<Answer> {
    const { digest } = plan.details.eip712_data
    const signature = await sign({ hash: digest as Hex, privateKey: user.key, to: 'hex' })
    return ask('POST', `${user.path}/plan/execute`, { plan_id: plan.plan_id, signature })
  }

  /** Executes a plan; after an answer that says neither yes nor no it looks, and asks again: a plan runs once at most. */
  async function activityOf(
    plan: PlanBody,
    tell: (answer: Answer) => void,
  ): Promise<string | undefined> {
    for (let round = 0; round < patience; round++) {
      const executed = await execute(plan)
      tell(executed)
      if (executed.status === 200 || executed.status === 202)
        return executed.body.activity_id as string
      const known = await executionOf(plan)
      if (known) return known.activity_id
      if (executed.status === 404 || executed.status === 409) return undefined
      await wait(round)
    }
    return undefined
  }

  async function follow(id: string, story: string[]): Promise<ActivityBody> {
    for (let round = 0; ; round++) {
      const { status, body } = await ask('GET', `/activities/${id}`)
      const activity = body as unknown as ActivityBody
      if (status === 200 && ['confirmed', 'failed'].includes(activity.activity_status))
        return activity
      if (round > patience) throw new Error(`${id} stays pending: ${story.join('; ')}`)
      await wait(round)
    }
  }

  return {
    /** Plans and executes until it is confirmed, or refused for good. */
    async want(path: string, body: object): Promise<Ending> {
      const story: string[] = []
      const tell = ({ status, body: { error, message } }: Answer): void => {
        story.push(status < 300 && status > 0 ? String(status) : `${status} ${error}: ${message}`)
      }
      for (let round = 0; round < patience; round++) {
        const planned = await ask('POST', `${user.path}/plan/${path}`, body)
        tell(planned)
        if (planned.status !== 201) {
          if (planned.body.error === 'plan_failed') await refill()
          await wait(round)
          continue
        }
        const plan = planned.body as unknown as PlanBody
        const id = await activityOf(plan, tell)
        if (id === undefined) {
          await wait(round)
          continue
        }
        const activity = await follow(id, story)
        story.push(activity.activity_status)
        if (activity.activity_status === 'confirmed')
          return { status: 'confirmed', story, activities: await activities() }
        story.push(...activity.activity_metadata.flatMap((item) => item.revert_reason ?? []))
      }
      return { status: 'refused', story, activities: await activities() }
    },
  }
}
