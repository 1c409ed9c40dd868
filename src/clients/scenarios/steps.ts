import type { Hex } from 'viem'
import { keccak256, toHex } from 'viem'
import { sign, signMessage } from 'viem/accounts'
import { runCheck } from './checks.js'
import { mismatch } from './expect.js'
import { type ActivityBody, known, type Play, reasonsOf, Unexpected } from './play.js'
import { resolve } from './references.js'
import type { Expectation, Rule, Step } from './schema.js'
import { describe, type ScenarioReply } from './target.js'

/** Carries out one step. Throws `Unexpected` when something is not as it should be. */
export async function runStep(play: Play, step: Step): Promise<void> {
  const { wire } = play
  const { call, plan, execute, wait, fund, rpc } = resolve(step, known(play))
  if (call) return request(play, { ...call, headers: call.headers }, call)
  if (plan) {
    const path = `/accounts/${play.cast.get(plan.account)!.id}/plan/${plan.kind}`
    return request(play, { method: 'POST', path, body: plan.body }, plan)
  }
  if (execute) return request(play, await signed(play, execute), execute)
  if (step.join !== undefined) return join(play, step.join)
  if (wait) return awaitActivity(play, wait)
  if (fund) {
    const { account, ...funds } = fund
    await wire.control('POST', '/_sim/fund', { account_id: play.cast.get(account)!.id, ...funds })
  }
  for (const [asset, usd] of Object.entries(step.price ?? {}))
    await wire.control('PUT', `/_sim/prices/${encodeURIComponent(asset)}`, { usd: String(usd) })
  if (step.advance !== undefined)
    await wire.control('POST', '/_sim/clock/advance', { seconds: step.advance })
  if (step.fault) await wire.control('POST', '/_sim/faults', resolve(step.fault, known(play)))
  if (step.heal !== undefined)
    await wire.control('DELETE', step.heal === true ? '/_sim/faults' : `/_sim/faults/${step.heal}`)
  if (step.snapshot !== undefined) {
    const { id } = await wire.control<{ id: string }>('POST', '/_sim/snapshots', {})
    play.snapshots.set(step.snapshot, id)
  }
  if (step.restore !== undefined)
    await wire.control('POST', `/_sim/snapshots/${play.snapshots.get(step.restore)}/restore`)
  if (rpc) {
    const result = await wire.rpc(rpc.network, rpc.method, rpc.params)
    if (rpc.as !== undefined) play.results.set(rpc.as, { result })
  }
  if (step.check) await runCheck(play, step.check)
}

interface RequestStep {
  as?: string | undefined
  account?: string | undefined
  expect?: Expectation | undefined
  fault?: string | Rule | undefined
  background?: boolean | undefined
}

interface Outgoing {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string> | undefined
}

async function request(play: Play, outgoing: Outgoing, step: RequestStep): Promise<void> {
  const { fault, account } = step
  const rule = typeof fault === 'object' ? JSON.stringify(fault) : fault
  const sending = play.wire.send({
    ...outgoing,
    headers: { ...outgoing.headers, ...(rule === undefined ? {} : { 'x-svc-sim-fault': rule }) },
  })
  const finish = (answer: ScenarioReply) => () => {
    const result = { ...answer, account }
    if (step.as !== undefined) play.results.set(step.as, result)
    const problem = mismatch(answer, step.expect)
    if (problem !== undefined)
      throw new Unexpected(`${outgoing.method} ${outgoing.path}: ${problem}`)
  }
  if (step.background) play.waiting.set(step.as!, sending.then(finish))
  else finish(await sending)()
}

async function join(play: Play, name: string): Promise<void> {
  const waiting = play.waiting.get(name)
  if (!waiting) throw new Unexpected(`"${name}" is no background step that waits to be joined`)
  play.waiting.delete(name)
  const finish = await waiting
  finish()
}

interface PlanResult extends ScenarioReply {
  account: string
  body: { plan_id: string; details: { eip712_data: { digest: Hex } } }
}

async function signed(
  play: Play,
  { plan: name, signature = 'valid', account }: NonNullable<Step['execute']>,
): Promise<Outgoing> {
  const plan = play.results.get(name) as PlanResult
  const digest = plan.body?.details?.eip712_data?.digest
  if (digest === undefined) throw new Unexpected(`"${name}" is no plan: ${describe(plan)}`)
  const { id } = play.cast.get(account ?? plan.account)!
  const { key } = play.cast.get(plan.account)!
  return {
    method: 'POST',
    path: `/accounts/${id}/plan/execute`,
    body: { plan_id: plan.body.plan_id, signature: await signatureOf(signature, digest, key) },
  }
}

/** The signature of a digest by a key: `valid`, `other_key`, `personal_sign`, or what is given as it stands. */
export async function signatureOf(how: string, digest: Hex, key: Hex): Promise<string> {
  if (how === 'valid') return sign({ hash: digest, privateKey: key, to: 'hex' })
  if (how === 'other_key')
    return sign({ hash: digest, privateKey: keccak256(toHex(`not ${key}`)), to: 'hex' })
  if (how === 'personal_sign') return signMessage({ message: { raw: digest }, privateKey: key })
  return how
}

/** Real time after which a wait gives up; with a frozen clock there is nothing to wait for but work under way. */
const patienceMs = 30_000

/**
 * Waits until the account's activity (the last one, or that of an execute step) has the status. `advance` by nothing answers
 * when all work that is due is done; with a frozen clock that is all there is to wait for.
 */
async function awaitActivity(play: Play, wait: NonNullable<Step['wait']>): Promise<void> {
  const { wire, isFrozen } = play
  await wire.control('POST', '/_sim/clock/advance', { seconds: 0 })
  let activity = await activityOf(play, wait)
  const hasCome = (): boolean => activity.activity_status === wait.status
  if (!hasCome() && !isFrozen)
    activity = await wire.follow(play.cast.get(wait.account)!.id, activity.activity_id, patienceMs)
  if (hasCome()) return
  const { activity_id: id, activity_status: status } = activity
  const next = isFrozen && status === 'pending' ? '; the clock is frozen: advance it' : ''
  throw new Unexpected(
    `activity ${id} is ${status}, not ${wait.status}${next}: ${reasonsOf(activity)}`,
  )
}

async function activityOf(
  { wire, cast, results }: Play,
  { account, activity }: NonNullable<Step['wait']>,
): Promise<ActivityBody> {
  if (activity !== undefined) {
    const { body } = results.get(activity) as { body: { activity_id?: string } | null }
    if (body?.activity_id === undefined)
      throw new Unexpected(`"${activity}" is no execution with an activity`)
    return (await wire.send({ method: 'GET', path: `/activities/${body.activity_id}` }))
      .body as ActivityBody
  }
  const path = `/accounts/${cast.get(account)!.id}/activities`
  const { body } = await wire.send({ method: 'GET', path })
  const [latest] = (body as { activities: ActivityBody[] }).activities
  if (!latest) throw new Unexpected(`${account} has no activity`)
  return latest
}
