import fc from 'fast-check'
import { expect } from 'vitest'
import type { FaultRuleInput } from '../../src/faults/rules/faultRuleInput.js'
import type { PlanBody } from '../kit/user.js'
import { holds, killed, type Life, type Place, places } from './life.js'

/** Steps of random lives, for `fc.commands`. After each of them all that must hold is looked at. */

type Command = fc.AsyncCommand<object, Life>

/** A step that is always possible; `text` is how a failure names it. */
const step = (text: string, run: (life: Life) => Promise<void>): Command => ({
  check: () => true,
  async run(_model, life) {
    await run(life)
    await holds(life)
  },
  toString: () => text,
})

const whole = 1_000_000n
const friend = '0x00000000000000000000000000000000000f41e7'

/** What can be planned with an amount; more than there is on the network is bridged. */
const intents = {
  transfer: (network: Place, amount: string) => [
    'transfer',
    { network, asset: 'USDC', amount, recipient: friend },
  ],
  earn: (network: Place, amount: string) => [
    'earn',
    { network, asset: 'USDC', amount, protocol: 'compound' },
  ],
  withdraw: (network: Place, amount: string) => [
    'withdraw',
    { network, asset: 'USDC', amount, protocol: 'compound' },
  ],
} as const satisfies Record<string, (network: Place, amount: string) => readonly [string, object]>

/** Everything that the service tells of the account: a refusal changes nothing of it. */
async function told({ user }: Life): Promise<unknown> {
  const paths = ['activities', 'events', 'folio?cached=true']
  const read = async (path: string) => (await user.api.get(`${user.path}/${path}`)).body
  return Promise.all(paths.map(read))
}

/** What may be answered while faults are in force. */
const troubled = [400, 408, 409, 422, 500]

async function execute(life: Life, plan: PlanBody): Promise<void> {
  const before = await told(life)
  const { status, body } = await life.user.execute(plan)
  if (status === 200) {
    const execution = { planId: plan.plan_id, activityId: String(body.activity_id) }
    life.memory = { ...life.memory, executions: [...life.memory.executions, execution] }
    const again = await life.user.execute(plan)
    expect([again.status, again.body.error]).toEqual([404, 'plan_not_found'])
    return
  }
  expect(life.faults.size > 0 ? troubled : [404, 409]).toContain(status)
  if (life.faults.size === 0 && !life.isMoving) expect(await told(life)).toEqual(before)
}

const planned =
  (kind: keyof typeof intents, network: Place, units: number, isLater: boolean) =>
  async (life: Life): Promise<void> => {
    const [path, body] = intents[kind](network, `${BigInt(units) * whole}`)
    const before = await told(life)
    const reply = await life.user.plan(path, body)
    if (reply.status !== 201) {
      expect(life.faults.size > 0 ? troubled : [400]).toContain(reply.status)
      if (life.faults.size === 0 && !life.isMoving) expect(await told(life)).toEqual(before)
      return
    }
    const plan = reply.body as PlanBody
    if (!isLater) return execute(life, plan)
    life.memory = { ...life.memory, plans: [...life.memory.plans, plan] }
  }

async function executeEarlier(life: Life): Promise<void> {
  const [plan, ...plans] = life.memory.plans
  if (!plan) return
  life.memory = { ...life.memory, plans }
  await execute(life, plan)
}

const add = (rule: object) => async (life: Life) => {
  life.faults.add((await life.sim.faults.add(rule as FaultRuleInput)).id)
}

async function lift({ sim, faults }: Life): Promise<void> {
  await sim.faults.clear()
  faults.clear()
  await sim.clock.advance(0)
}

/** Blocks are replaced by empty ones, or taken away. Money that was given in them is gone with them. */
const replaced = (network: Place, depth: number, isTaken: boolean) => async (life: Life) => {
  if (life.faults.size > 0) return
  const params = isTaken ? [depth] : [depth, []]
  const method = isTaken ? 'anvil_rollback' : 'anvil_reorg'
  await life.chain.request(network, method, params).catch((error: Error) => {
    // Further back than a reset or a snapshot, or than the node remembers: refused.
    if (!/would take back|data unavailable/.test(error.message)) throw error
  })
  await life.sim.clock.advance(0)
}

async function snapshot(life: Life): Promise<void> {
  const { memory, faults } = life
  life.snapshots.push({ id: await life.sim.snapshot(), memory, faults: new Set(faults) })
}

const restored = (which: number) => async (life: Life) => {
  const at = which % Math.max(1, life.snapshots.length)
  const back = life.snapshots[at]
  if (!back) return
  const isThere = await life.sim.restore(back.id).then(
    () => true,
    (error: { code?: string }) => {
      // Its block was taken back; nothing was changed.
      expect(error.code).toBe('conflict')
      return false
    },
  )
  life.snapshots = life.snapshots.slice(0, isThere ? at + 1 : at)
  if (!isThere) return
  life.memory = back.memory
  life.faults = new Set(back.faults)
  await life.sim.clock.advance(0)
}

const place = fc.constantFrom(...places)
const rules = fc
  .oneof(
    place.map((network) => ({ on: 'execute', effect: 'stuck', match: { network } })),
    fc.constant({ on: 'execute', effect: 'dropped', times: 1 }),
    fc.constant({ on: 'execute', effect: 'duplicate', times: 1 }),
    fc.constant({ on: 'bridge', effect: 'stuck' }),
    fc.constant({ on: 'bridge', effect: 'refund' }),
    place.map((network) => ({ on: 'chain', effect: 'halt', match: { network } })),
    place.map((network) => ({ on: 'chain', effect: { slow: { ms: 20 } }, match: { network } })),
    place.map((network) => ({ on: 'events', effect: 'duplicate', match: {}, network })),
  )
  .map((rule) => {
    const { network: _, ...plain } = rule as Record<string, unknown>
    return plain
  })

/** A node answers nothing while a plan that needs it is asked for, and then goes on. */
const silenced = (network: Place) => async (life: Life) => {
  const { id } = await life.sim.faults.add({ on: 'chain', effect: 'down', match: { network } })
  const [path, body] = intents.transfer(network, `${whole}`)
  const reply = await life.user.plan(path, body)
  expect([reply.status, reply.body.error]).toEqual([408, 'timeout'])
  await life.sim.faults.remove(id)
  await life.sim.clock.advance(0)
}

/** Steps that take longer than others, for longer lives. */
export const slowSteps = {
  down: place.map((network) => step(`no answer from ${network}`, silenced(network))),
  kill: fc.constant(step('kill the process', killed)),
}

/** Lives of up to so many steps, with these steps besides. */
export const lives = (maxCommands: number, ...more: fc.Arbitrary<Command>[]) =>
  fc.commands(
    [
      ...more,
      fc
        .record({
          kind: fc.constantFrom(...(Object.keys(intents) as (keyof typeof intents)[])),
          network: place,
          units: fc.integer({ min: 1, max: 260 }),
          isLater: fc.constantFrom(false, false, true),
        })
        .map(({ kind, network, units, isLater }) =>
          step(
            `${isLater ? 'plan' : 'run'} ${kind} of ${units} on ${network}`,
            planned(kind, network, units, isLater),
          ),
        ),
      fc.constant(step('execute an earlier plan', executeEarlier)),
      fc
        .constantFrom(0.5, 2, 30, 130, 700)
        .map((seconds) =>
          step(`advance ${seconds} s`, async ({ sim }) => void (await sim.clock.advance(seconds))),
        ),
      rules.map((rule) => step(`fault ${JSON.stringify(rule)}`, add(rule))),
      fc.constant(step('lift all faults', lift)),
      fc
        .tuple(place, fc.integer({ min: 1, max: 3 }), fc.boolean())
        .map(([network, depth, isTaken]) =>
          step(
            `${isTaken ? 'roll back' : 'replace'} ${depth} on ${network}`,
            replaced(network, depth, isTaken),
          ),
        ),
      fc.constant(step('snapshot', snapshot)),
      fc.nat(3).map((which) => step(`restore ${which}`, restored(which))),
    ],
    { maxCommands, size: 'max' },
  )
