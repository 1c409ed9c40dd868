import type { Hex } from 'viem'
import type { RunClock } from '../../clients/scenarios/play.js'
import { signatureOf } from '../../clients/scenarios/steps.js'
import type { ScenarioReply } from '../../clients/scenarios/target.js'
import type { Caller } from './caller.js'
import { executed, must, Seen } from './expect.js'
import { Differs, NotExercised } from './types.js'

/** A sub-account that a run has made, with the key that signs for it. */
export interface Identity {
  id: string
  wallet: string
  signer: string
  key: Hex
}

/** A plan that was answered. */
export class MadePlan extends Seen {
  readonly id = this.at('plan_id').text().value
  readonly digest = this.at('details', 'eip712_data', 'digest').text().value as Hex
  /** Its operations, each with its action. */
  readonly operations = this.at('details', 'svc_operation_actions').list()
  /** The contexts of its actions, in the order of its operations. */
  readonly contexts = this.operations.map((each) => each.at('action', 'action_context'))

  /** The context of the first action of a type; its value is undefined where there is none. */
  action(type: string): Seen {
    const found = this.contexts.find((context) => context.at('action_type').value === type)
    return new Seen(this.request, found?.value, type)
  }

  /** The context that has this field: of the type, or of one that is called otherwise. The interface promises neither. */
  actionWith(type: string, field: string): Seen {
    const found = [this.action(type), ...this.contexts].find(
      (context) => context.at(field).value !== undefined,
    )
    if (found) return new Seen(this.request, found.value, type)
    const why = `no action has ${field}, which the interface does not promise`
    throw new NotExercised(why, 'not provable')
  }
}

/** A folio, with the wallet whose balances it has. */
export class AccountFolio extends Seen {
  readonly wallet: string

  constructor({ request, value }: Seen, wallet: string) {
    super(request, value, 'folio')
    this.wallet = wallet
  }

  /** What the wallet holds itself. */
  has(asset: string, network = 'base'): Seen<bigint> {
    const key = `token/${network}/${asset}/${this.wallet}`
    const found = this.at('balances')
      .entries()
      .find(([name]) => name.toLowerCase() === key.toLowerCase())
    return found?.[1].units() ?? new Seen(this.request, 0n, `folio.balances.${key}`)
  }

  /** The sum of all balances whose keys begin like this. */
  under(start: string): Seen<bigint> {
    const units = this.at('balances')
      .entries(start)
      .map(([, each]) => each.units().value)
    const sum = units.reduce((all, each) => all + each, 0n)
    return new Seen(this.request, sum, `folio.balances.${start}`)
  }
}

/** One account of the run, and what it can do. */
export type TestAccount = ReturnType<typeof testAccountOf>

/** How long an execution may take to come to its end. */
const followMs = 120_000

/** The statuses in which an activity stays. */
const endings = ['confirmed', 'failed']

/** So often events are read once more after a status that is not known, and an activity that its events have ended. */
const strangeRounds = 10

/** What an account can do. */
export function testAccountOf(caller: Caller, clock: RunClock, identity: Identity) {
  const path = `/accounts/${identity.id}`
  /** Asks for a plan and expects one. */
  const plan = async (kind: string, body: unknown): Promise<MadePlan> => {
    const where = `POST ${path}/plan/${kind}`
    const answer = await caller.post(`${path}/plan/${kind}`, body)
    return new MadePlan(where, must(where, answer, { status: 201 }).value)
  }
  /** Sends a plan with a signature: `valid`, `other_key`, `personal_sign`, or what is given. */
  const execute = async (made: MadePlan, how = 'valid'): Promise<ScenarioReply> =>
    caller.post(`${path}/plan/execute`, {
      plan_id: made.id,
      signature: await signatureOf(how, made.digest, identity.key),
    })
  /** The activity as it is when its end can be read: the interface does not promise that a read shows at once what an event has said. */
  const readEnded = async (activityId: string): Promise<Seen> => {
    for (let round = 1; ; round++) {
      const activity = await caller.read(`/activities/${activityId}`)
      const hasEnded = endings.includes(String(activity.at('activity_status').value))
      if (hasEnded || round > strangeRounds) return activity
      await clock.wait(1_000)
    }
  }
  /** Waits until an activity has ended, by its events: the interface shows no other way, and no statuses but two. */
  const follow = async (activityId: string): Promise<Seen> => {
    const until = clock.now() + followMs
    let strange = 0
    for (let cursor = 0; clock.now() < until; ) {
      // What is neither pending nor an end may be followed by one, for a while.
      if (strange > 0) await clock.wait(1_000)
      const page = await caller.read(`${path}/events?since=${cursor}&poll=${strange === 0}`)
      const statuses = statusesOf(page, activityId)
      const isStrange = strange > 0 || statuses.some((status) => status !== 'pending')
      if (isStrange) strange++
      if (statuses.some((status) => endings.includes(status)) || strange > strangeRounds)
        return readEnded(activityId)
      const next = page.at('cursor').value
      cursor = typeof next === 'number' ? next : cursor
    }
    throw new Differs({
      where: `GET ${path}/events`,
      expected: `an event that ends ${activityId} within ${followMs / 1_000} seconds`,
      seen: 'none',
    })
  }
  return {
    ...identity,
    path,
    plan,
    execute,
    follow,
    /** Plans, signs, executes and follows to the end. */
    async carryOut(kind: string, body: unknown) {
      const made = await plan(kind, body)
      const done = must(`POST ${path}/plan/execute`, await execute(made), ...executed)
      const activityId = done.at('activity_id').text().value
      return { plan: made, activityId, activity: await follow(activityId) }
    },
    async folio(): Promise<AccountFolio> {
      const folio = (await caller.read(`${path}/folio`)).at('folio')
      folio.holds(typeof folio.value === 'object' && folio.value !== null, 'a folio')
      return new AccountFolio(folio, identity.wallet)
    },
    events: (query = '') => caller.read(`${path}/events${query}`),
  }
}

/** The statuses of an activity, in the order in which a page of events reports them. */
export function statusesOf(events: Seen, activityId: string): string[] {
  return events
    .at('events')
    .list()
    .filter((event) => event.at('data', 'activity_id').value === activityId)
    .map((event) => String(event.at('data', 'activity_status').value))
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
