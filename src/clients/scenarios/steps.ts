import type { Hex } from 'viem'
import { keccak256, toHex } from 'viem'
import { sign, signMessage } from 'viem/accounts'
import { runCheck } from './checks.js'
import { problemOf } from './expect.js'
import { type ActivityBody, known, type Play, reasonsOf, Unexpected } from './play.js'
import { resolve } from './references.js'
import type { Expectation, Rule, Step } from './schema.js'
import { describe, type ScenarioReply } from './target.js'

/** Throws `Unexpected` for a difference. */
export async function runStep(play: Play, step: Step): Promise<void> {
  const { wire } = play
  const { call, plan, execute, wait, fund, rpc } = resolve(step, known(play))
  if (call) {
    const bearer = call.key === undefined ? {} : { bearer: call.key }
    return request(play, { ...call, ...bearer }, call)
  }
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
  if (step.advance !== undefined) {
    if (play.foreign) await play.foreign.wait(step.advance * 1_000)
    else await wire.control('POST', '/_sim/clock/advance', { seconds: step.advance })
  }
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
  raw?: string | undefined
  bearer?: string | null
  headers?: Record<string, string> | undefined
}

/** How long a request that gets no response may take in real time: its client gives up, too. */
const cutWithinMs = 20_000

async function request(play: Play, outgoing: Outgoing, step: RequestStep): Promise<void> {
  const { fault, account } = step
  const rule = typeof fault === 'object' ? JSON.stringify(fault) : fault
  const { method, path, body, raw, bearer, headers } = outgoing
  const sending = play.wire.send({
    ...{ method, path, body },
    ...(raw !== undefined && { raw }),
    ...(bearer !== undefined && { bearer }),
    ...(step.expect?.connection === 'cut' && { withinMs: cutWithinMs }),
    headers: { ...headers, ...(rule !== undefined && { 'x-svc-sim-fault': rule }) },
  })
  const request = `${method} ${path}`
  const finish = (answer: ScenarioReply) => () => {
    if (step.as !== undefined) play.results.set(step.as, { ...answer, account, request })
    const problem = problemOf(answer, step.expect)
    if (problem === undefined) return
    const { where, expected, seen, message } = problem
    const place = where === '' ? request : `${request}: ${where}`
    throw new Unexpected(`${request}: ${message}`, { where: place, expected, seen })
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

/** `valid`, `other_key`, `personal_sign`, or the text of a signature. */
async function signatureOf(how: string, digest: Hex, key: Hex): Promise<string> {
  if (how === 'valid') return sign({ hash: digest, privateKey: key, to: 'hex' })
  if (how === 'other_key')
    return sign({ hash: digest, privateKey: keccak256(toHex(`not ${key}`)), to: 'hex' })
  if (how === 'personal_sign') return signMessage({ message: { raw: digest }, privateKey: key })
  return how
}

/** How long a wait may take in real time. With a frozen clock, it only waits for work in progress. */
const patienceMs = 30_000

/** A real network takes longer. */
const foreignPatienceMs = 120_000

/**
 * Waits until the account's activity (the last one, or that of an execute step) has the status. `advance` by nothing answers
 * when all work that is due is done; with a frozen clock that is all there is to wait for.
 */
async function awaitActivity(play: Play, wait: NonNullable<Step['wait']>): Promise<void> {
  const { wire, isFrozen, foreign } = play
  const account = play.cast.get(wait.account)!.id
  if (!foreign) await wire.control('POST', '/_sim/clock/advance', { seconds: 0 })
  let activity = foreign
    ? await wire.follow(account, idOf(play, wait.activity), foreignPatienceMs)
    : await activityOf(play, wait)
  const hasCome = (): boolean =>
    wait.status === 'ended'
      ? ['confirmed', 'failed'].includes(activity.activity_status)
      : activity.activity_status === wait.status
  if (!hasCome() && !isFrozen && !foreign)
    activity = await wire.follow(account, activity.activity_id, patienceMs)
  // A foreign server may have further statuses; by its events the execution has ended.
  if (hasCome() || (foreign && wait.status === 'ended')) return
  const { activity_id: id, activity_status: status } = activity
  const next = isFrozen && status === 'pending' ? '; the clock is frozen: advance it' : ''
  const reasons = reasonsOf(activity)
  throw new Unexpected(
    `expected activity ${id} to be ${wait.status}, but it is ${status}${next}${reasons && `: ${reasons}`}`,
  )
}

function idOf({ results }: Play, step: string | undefined): string {
  const result = results.get(step ?? '') as { body: { activity_id?: string } | null } | undefined
  const id = result?.body?.activity_id
  if (id !== undefined) return id
  throw new Unexpected(`"${step}" is no execution with an activity`)
}

async function activityOf(
  play: Play,
  { account, activity }: NonNullable<Step['wait']>,
): Promise<ActivityBody> {
  const { wire, cast } = play
  if (activity !== undefined) {
    const path = `/activities/${idOf(play, activity)}`
    return (await wire.send({ method: 'GET', path })).body as ActivityBody
  }
  const path = `/accounts/${cast.get(account)!.id}/activities`
  const { body } = await wire.send({ method: 'GET', path })
  const [latest] = (body as { activities: ActivityBody[] }).activities
  if (!latest) throw new Unexpected(`${account} has no activity`)
  return latest
}
