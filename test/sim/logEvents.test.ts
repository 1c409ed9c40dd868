import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LogEvent } from '../../src/http/core/log.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

// What the log hears besides requests.

let sim: SimulatorHandle
const events: LogEvent[] = []
beforeAll(async () => {
  const log = { debug() {}, error() {}, happened: (event: LogEvent) => void events.push(event) }
  sim = await createSimulator({ log })
})
afterAll(() => sim.close())

const friend = `0x${'5e'.repeat(20)}`

test('default: a bridge is stuck as soon as it is known, its activity fails when it is refunded, and the fault that did it', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 9_000_000n)
  await sim.faults.set([{ id: 'held', on: 'bridge', effect: 'stuck' }])
  const transfer = { asset: 'USDC', amount: '5000000', network: 'base', recipient: friend }
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body
  await expect.poll(() => events.map(({ type }) => type)).toEqual(['fault', 'bridge_stuck'])
  expect(events).toEqual([
    {
      type: 'fault',
      fault: 'held',
      effect: 'bridge.stuck',
      request_id: expect.stringMatching(/^req_/),
    },
    {
      type: 'bridge_stuck',
      from: 'arbitrum',
      to: 'base',
      deposit_id: expect.stringMatching(/^\d+$/),
      account_id: user.id,
      reason: 'no relayer filled the deposit',
    },
  ])
  await sim.clock.advance(700)
  await user.follow(activity_id)
  await expect.poll(() => events.length).toBe(3)
  expect(events[2]).toMatchObject({
    type: 'activity_failed',
    activity_id,
    account_id: user.id,
    reason: expect.stringContaining('no relayer filled the deposit'),
    faults: ['held'],
  })
})

test('behavior: a failure names the rule that made it, and no other that fired', async () => {
  events.length = 0
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const transfer = { asset: 'USDC', amount: '5000000', network: 'base', recipient: friend }
  const execute = async () => {
    const plan = (await user.plan('transfer', transfer)).body as PlanBody
    await user.follow((await user.execute(plan)).body.activity_id)
  }
  // It delays the answer, and has no part in what fails.
  await sim.faults.set([
    { id: 'slow', on: 'request', effect: { latency: { ms: 1 } } },
    { id: 'broken', on: 'execute', effect: 'revert', times: 1 },
  ])
  await execute()
  const failures = () => events.filter(({ type }) => type === 'activity_failed')
  await expect.poll(failures).toMatchObject([{ account_id: user.id, faults: ['broken'] }])
})
