import { type Awaited, must, Seen } from '../expect.js'
import type { ProbeContext } from '../probeContext.js'
import type { MadePlan, TestAccount } from '../testAccount.js'
import type { AnswerCheck, AnswerPlace, OneStep, ProbeStep } from './steps.js'

interface Scene {
  context: ProbeContext
  accounts: Map<string, TestAccount>
  plans: Map<string, { user: TestAccount; plan: MadePlan; activityId?: string }>
  /** What stands for `{name}` in texts. */
  values: Map<string, unknown>
}

/** The attempt that plays these steps. */
export function playing(steps: readonly ProbeStep[]): (context: ProbeContext) => Promise<void> {
  return async (context) => void (await playAll(steps, context))
}

async function playAll(steps: readonly ProbeStep[], context: ProbeContext): Promise<Scene> {
  const scene: Scene = { context, accounts: new Map(), plans: new Map(), values: new Map() }
  for (const step of steps) {
    if (!('once' in step)) await play(filled(step, scene), scene)
    else {
      const shared = await context.once(step.once, () => playAll(step.steps, context))
      for (const part of ['accounts', 'plans', 'values'] as const)
        for (const [name, value] of shared[part])
          (scene[part] as Map<string, unknown>).set(name, value)
    }
  }
  return scene
}

async function play(step: OneStep, scene: Scene): Promise<void> {
  if ('account' in step) return enter(step, scene)
  if ('settle' in step) {
    const { user, activityId } = scene.plans.get(step.settle)!
    await user.follow(activityId!)
  } else if ('wait' in step) await scene.context.clock.wait(step.wait * 1_000)
  else {
    const answer = await asked(step, scene)
    for (const each of step.checks ?? []) check(answer, each)
    for (const [name, place] of Object.entries(step.keep ?? {}))
      scene.values.set(name, place.reduce(inside, answer.value))
  }
}

async function enter(
  { account, funds }: Extract<OneStep, { account: string }>,
  { context, accounts, values }: Scene,
): Promise<void> {
  const paid = funds?.map((each) => ({ ...each, amount: BigInt(each.amount) }))
  const user = await (paid ? context.funded(account, ...paid) : context.account(account))
  accounts.set(account, user)
  values.set(`${account}.id`, user.id)
  for (const field of ['wallet', 'signer'] as const) {
    values.set(`${account}.${field}`, user[field])
    values.set(`${account}.${field}_lower`, user[field].toLowerCase())
  }
}

type Asking = Extract<OneStep, { send: unknown } | { plan: unknown } | { execute: unknown }>

/** Sends what a step asks for; throws unless the answer is one that it expects. */
async function asked(step: Asking, { context, accounts, plans }: Scene): Promise<Seen> {
  if ('send' in step) {
    const { key, method, path, ...more } = step.send
    const request = { method, path, ...more, ...(key !== undefined && { bearer: key }) }
    const answer = await context.caller.send(request as typeof request & { body: unknown })
    return must(`${method} ${path}`, answer, ...allowed(step))
  }
  if ('plan' in step) {
    const user = accounts.get(step.by)!
    const plan = await user.plan(step.kind, step.body)
    plans.set(step.plan, { user, plan })
    return plan
  }
  const made = plans.get(step.execute)!
  const where = `POST ${made.user.path}/plan/execute signed ${step.sign.slice(0, 14)}`
  const answer = await made.user.execute(made.plan, step.sign)
  const body = must(where, answer, ...allowed(step))
  if (answer.status < 300) made.activityId = body.at('activity_id').text().value
  return body
}

const allowed = ({ expect }: Pick<Extract<Asking, { expect: unknown }>, 'expect'>) =>
  expect as unknown as readonly [Awaited, ...Awaited[]]

/** With values in place of their names. */
function filled<T>(value: T, scene: Scene): T {
  const { values } = scene
  if (typeof value === 'string') {
    const whole = /^\{([\w.]+)\}$/.exec(value)?.[1]
    if (whole !== undefined && values.has(whole)) return values.get(whole) as T
    return value.replace(/\{([\w.]+)\}/g, (text, name: string) =>
      values.has(name) ? String(values.get(name)) : text,
    ) as T
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, scene)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, filled(item, scene)])
  return Object.fromEntries(entries) as T
}

function check({ request, value: body }: Seen, { at, ...each }: AnswerCheck): void {
  const value = at.reduce(inside, body)
  const place = at.map((key) => (typeof key === 'object' ? JSON.stringify(key) : key)).join('.')
  const seen = new Seen(request, value, place)
  if ('equals' in each) seen.is(each.equals)
  else if ('length' in each) new Seen(request, sizeOf(value), place).is(each.length)
  else if ('absent' in each) seen.holds(value === undefined, 'nothing')
  else seen.holds(typeOf(value) === each.type, `a value of type ${each.type}`)
}

function inside(value: unknown, key: AnswerPlace[number]): unknown {
  if (typeof key === 'object')
    return (Array.isArray(value) ? value : []).find((item) => has(item, key))
  if (typeof key === 'number') return Array.isArray(value) ? value.at(key) : undefined
  return (value as Record<string, unknown> | null | undefined)?.[key]
}

/** Whether a value has these fields, and fields of fields. */
function has(value: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return value === part
  return Object.entries(part).every(([field, each]) => has(inside(value, field), each))
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'text'
  return value === null ? 'null' : typeof value
}

function sizeOf(value: unknown): number | undefined {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined
}
