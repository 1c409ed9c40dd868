import type { Hex } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { actors } from '../../src/deployments/actors.js'
import { readsOf } from '../kit/chainReads.js'
import { expectSigned } from '../kit/signed.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** Choices of docs/fidelity.md that no other test is about. */

const friend = '0x00000000000000000000000000000000000f41e7'
const at = { asset: 'USDC', amount: '1000000', network: 'base' }
const bodies = {
  earn: { ...at, protocol: 'compound' },
  withdraw: { ...at, protocol: 'compound' },
  transfer: { ...at, recipient: friend },
}
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 6n })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

async function funded(): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 10_000_000n)
  return user
}

async function planOf(user: User, kind: string, body: object): Promise<PlanBody> {
  const reply = await user.plan(kind, body)
  expect(reply).toMatchObject({ status: 201 })
  return reply.body as PlanBody
}

test('error: withdraw and transfer refuse what earn refuses, with the same codes', async () => {
  const user = await openUser(sim)
  const answers = async (kind: keyof typeof bodies) => {
    const good = bodies[kind]
    const missing = Object.keys(good).map((field) => ({ ...good, [field]: undefined }))
    const refused = [
      ...[{}, ...missing, { ...good, amount: '0' }, { ...good, asset: 'NOPE' }, good].map((body) =>
        user.plan(kind, body),
      ),
      user.api.post(`/accounts/acc_nobody000000/plan/${kind}`, good),
    ]
    const plain = await Promise.all(refused)
    const faulty = []
    for (const rule of [
      { on: 'plan', effect: 'no_wallet' },
      { on: 'folio', effect: 'timeout' },
    ]) {
      await sim.faults.add({ ...rule, id: 'refuses', match: { account_id: user.id } })
      faulty.push(await user.plan(kind, good))
      await sim.faults.remove('refuses')
    }
    return [...plain, ...faulty].map(({ status, body }) => [status, body.error])
  }
  const earn = await answers('earn')
  const invalid = [400, 'invalid_params']
  expect(earn).toEqual([
    ...Array(7).fill(invalid),
    [400, 'plan_failed'],
    [404, 'account_not_found'],
    [400, 'no_wallet'],
    [408, 'timeout'],
  ])
  expect(await answers('withdraw')).toEqual(earn)
  expect(await answers('transfer')).toEqual(earn)
})

test('error: a plan that is stale and wrongly signed is plan_stale; signed rightly too', async () => {
  const user = await funded()
  const plan = await planOf(user, 'earn', { ...bodies.earn, amount: '8000000' })
  await user.run('transfer', { ...bodies.transfer, amount: '5000000' })
  const { digest } = plan.details.eip712_data
  const wrong = await sign({ hash: digest, privateKey: `0x${'77'.repeat(32)}`, to: 'hex' })
  for (const signature of [wrong, '0x', 'garbage']) {
    const body = { plan_id: plan.plan_id, signature }
    const reply = await user.api.post(`${user.path}/plan/execute`, body)
    expect(reply).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  }
  expect(await user.execute(plan)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
})

test('behavior: gas costs the wallet nothing: the last unit can be sent, and nothing else is in the plan', async () => {
  const reads = readsOf(sim)
  const user = await openUser(sim)
  await user.fund('optimism', 'ETH', 1_000_001n)
  const { plan, activity } = await user.run('transfer', {
    ...{ asset: 'ETH', network: 'optimism', amount: '1000001', recipient: friend },
  })
  expect(activity.activity_status).toBe('confirmed')
  expect(
    plan.details.svc_operation_actions.map(({ action }) => action.action_context.action_type),
  ).toEqual(['TRANSFER'])
  expect(await reads.balance('optimism', 'ETH', user.wallet)).toBe(0n)
  expect(await reads.balance('optimism', 'ETH', friend)).toBe(1_000_001n)
  const [item] = activity.activity_metadata
  expect(item).toMatchObject({ payment_method: 'sponsored' })
  const hash = item!.transaction_hash!
  const { from } = await reads.client('optimism').getTransaction({ hash })
  expect(from.toLowerCase()).toBe(actors.relayer.toLowerCase())
})

test('behavior: what the relayer and the faucet send has the hash and the sender of its signature', async () => {
  const user = await funded()
  const ask = <T>(method: string, ...params: unknown[]) =>
    readsOf(sim).request<T>('base', method, params)
  const latest = () =>
    ask<{ transactions: Hex[] }>('eth_getBlockByNumber', 'latest', false).then(
      ({ transactions }) => transactions[0]!,
    )
  const minted = await latest()
  await user.fund('base', 'WETH', 5n)
  const wrapped = await latest()
  const { activity } = await user.run('transfer', bodies.transfer)
  const relayed = activity.activity_metadata[0]!.transaction_hash!
  expect(new Set([minted, wrapped, relayed]).size).toBe(3)
  for (const hash of [minted, wrapped, relayed]) await expectSigned(sim.rpc('base'), hash)
})

test('behavior: a plan lives up to the very millisecond of its expires_at', async () => {
  const user = await funded()
  await sim.clock.advance(0.25)
  const plans = [
    await planOf(user, 'earn', bodies.earn),
    await planOf(user, 'transfer', bodies.transfer),
  ]
  const [first, second] = plans as [PlanBody, PlanBody]
  const left = Date.parse(first.expires_at) - sim.clock.time().ms
  expect(left).toBe(119_750)
  expect(first.expires_at).toMatch(/:\d\dZ$/)
  const id = await sim.snapshot()
  await sim.clock.advance((left - 1) / 1000)
  expect((await user.execute(first)).status).toBe(200)
  await sim.restore(id)
  await sim.clock.advance(left / 1000)
  for (const plan of [first, second])
    expect(await user.execute(plan)).toMatchObject({
      status: 404,
      body: { error: 'plan_not_found' },
    })
})

test('behavior: the folio leaves out gas quotes, other bridges and other chains; a swap is settled without a filler', async () => {
  const user = await funded()
  const { folio } = (await user.api.get(`${user.path}/folio`)).body as {
    folio: Record<string, Record<string, unknown>>
  }
  const kinds = (section: string) =>
    new Set(Object.keys(folio[section]!).map((key) => key.split('/')[0]))
  expect(folio).not.toHaveProperty('solana_transaction_context')
  expect(kinds('prices')).toEqual(new Set(['token']))
  expect(kinds('bridge_hints')).toEqual(new Set(['across']))
  expect(kinds('swap_hints')).toEqual(new Set(['wrapper']))
  expect(Object.keys(folio.swap_hints!)).toHaveLength(5)
  const swap = { network: 'base', sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: '1000000' }
  const { details } = await planOf(user, 'swap', swap)
  expect(details.svc_operation_actions[0]!.action.action_context).toMatchObject({
    use_filler: false,
    fee_descriptions: ['SVC_FEE'],
  })
})
