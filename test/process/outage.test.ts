import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type NetworkName, networkOf } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { anvilOf, halt } from '../kit/processes.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** One node of five hangs: what needs it fails, everything else goes on. */

const friend: Address = '0x00000000000000000000000000000000000f41e7'
const timeout = { status: 408, body: { error: 'timeout' } }
let sim: SimulatorHandle
let goOn = () => {}

beforeAll(async () => {
  sim = await createSimulator({ readTimeoutMs: 2_000 })
})
afterEach(() => goOn())
afterAll(() => sim.close())

async function hang(network: NetworkName): Promise<void> {
  goOn = await halt([anvilOf(networkOf(network).chainId)])
}

function transferOn(network: NetworkName, amount: string) {
  return { asset: 'USDC', amount, network, recipient: friend }
}

test('error: timeout for a folio that was never read, cached or not, with a hint', async () => {
  const user = await openUser(sim)
  await hang('polygon')
  for (const query of ['', '?cached=true']) {
    const reply = await user.api.get(`${user.path}/folio${query}`)
    expect(reply).toMatchObject(timeout)
    expect(reply.headers.get('x-svc-sim-hint')).toContain('a node has not answered within 2000 ms')
  }
  goOn()
  expect((await user.api.get(`${user.path}/folio`)).status).toBe(200)
})

test('error: timeout for plans that look at the network, swaps too; those of others go on', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 1_000_000n)
  await user.fund('optimism', 'USDC', 1_000_000n)
  await hang('base')
  const refused = await Promise.all([
    user.plan('earn', { asset: 'USDC', amount: '1', network: 'base', protocol: 'compound' }),
    user.plan('transfer', transferOn('base', '1')),
    user.plan('swap', {
      sell_asset: 'USDC',
      buy_asset: 'ETH',
      network: 'base',
      sell_amount: '1000000',
    }),
    // What optimism lacks, a bridge would have to bring, perhaps from base.
    user.plan('transfer', transferOn('optimism', '1000001')),
  ])
  for (const reply of refused) expect(reply).toMatchObject(timeout)
  const { activity } = await user.run('transfer', transferOn('optimism', '1000000'))
  expect(activity.activity_status).toBe('confirmed')
})

test('error: internal_error for an execution while the node hangs; afterwards the plan is still there', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 1_000_000n)
  const plan = (await user.plan('transfer', transferOn('base', '1000000'))).body as PlanBody
  await hang('base')
  const reply = await user.execute(plan)
  expect(reply).toMatchObject({ status: 500, body: { error: 'internal_error' } })
  expect(reply.headers.get('x-svc-sim-hint')).toContain('execute the plan again')
  goOn()
  const executed = await user.execute(plan)
  expect(executed.status).toBe(200)
  const { activity_status } = await user.follow(executed.body.activity_id)
  expect(activity_status).toBe('confirmed')
})

test('error: a hanging node is not ready, and named; all the others are', async () => {
  const { api } = await openUser(sim)
  await hang('arbitrum')
  const reply = await api.get('/health/ready')
  expect(reply).toMatchObject({ status: 503, body: { status: 'not_ready' } })
  const states = Object.entries(reply.body.networks as Record<string, { ready: boolean }>)
  expect(states.filter(([, { ready }]) => !ready).map(([name]) => name)).toEqual(['arbitrum'])
  expect((await api.get('/health/live')).status).toBe(200)
  goOn()
  expect((await api.get('/health/ready')).status).toBe(200)
})
