import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { actors } from '../../src/deployments/actors.js'
import type { networkNames } from '../../src/deployments/networks.js'
import { leaseWorld } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { type Client, createClient } from '../kit/client.js'
import { docsExamples } from '../kit/docsPage.js'
import { rpc } from '../kit/http.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody } from '../kit/user.js'

let sim: SimulatorHandle
let control: Client

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 1_000, seed: 7n, rpcUnsafe: true })
  control = createClient({ url: sim.url, apiKey: sim.apiKey })
})
afterAll(() => sim.close())
beforeEach(() => sim.reset())

const friend = '0x00000000000000000000000000000000000f41e7'
const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }
const transfer = { asset: 'USDC', amount: '7000000', network: 'base', recipient: friend }

type User = Awaited<ReturnType<typeof openUser>>

/** The wallet's USDC in its smallest unit, read from the chain itself. */
function usdc(network: (typeof networkNames)[number], account: string): Promise<bigint> {
  return readsOf(sim).balance(network, 'USDC', account as `0x${string}`)
}

/** What a client sees of an account, other than what grows with time. */
async function seen(user: User) {
  const get = async (path: string) => (await user.api.get(path)).body
  const [account, activities, events, folio] = await Promise.all([
    get(user.path),
    get(`${user.path}/activities`),
    get(`${user.path}/events`),
    get(`${user.path}/folio`),
  ])
  const { balances, hex_data, completion_statuses } = folio.folio
  const tokens = Object.entries(balances).filter(([key]) => key.startsWith('token/'))
  return { account, activities, events, tokens, hex_data, completion_statuses }
}

test('default: everything is as it was: money, accounts, plans, activities, events, nonces', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  const before = await seen(user)
  const id = await sim.snapshot('planned')

  const executed = (await user.execute(plan)).body as { activity_id: string }
  const first = await user.follow(executed.activity_id)
  const late = await openUser(sim)
  expect(await usdc('base', user.wallet)).toBe(7_000_000n)
  expect((await user.execute(plan)).status).toBe(404)
  await expect(sim.restore(undefined as never)).rejects.toThrow('There is no snapshot undefined')
  await sim.restore(id)

  expect(await seen(user)).toEqual(before)
  expect((await late.api.get(late.path)).body).toMatchObject({ error: 'account_not_found' })
  expect(await usdc('base', user.wallet)).toBe(9_000_000n)
  // The plan that was consumed is alive again; its nonce is unused again on the chain, and the wallet not deployed.
  const again = (await user.execute(plan)).body as { activity_id: string }
  const second = await user.follow(again.activity_id)
  expect(second.activity_status).toBe('confirmed')
  expect(second.activity_id).not.toBe('')
  expect(second.activity_metadata[0]!.action_context).toEqual(
    first.activity_metadata[0]!.action_context,
  )
  expect(await usdc('base', user.wallet)).toBe(7_000_000n)
})

test('behavior: a node that was told to impersonate the relayer signs for it again, after a restore and after a reset', async () => {
  const impersonate = () => rpc(sim.rpc('base'), 'anvil_impersonateAccount', [actors.relayer])
  const isSigned = async (): Promise<boolean> => {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 9_000_000n)
    const { activity } = await user.run('transfer', transfer)
    expect(activity.activity_status).toBe('confirmed')
    const hash = activity.activity_metadata[0]!.transaction_hash!
    return BigInt((await readsOf(sim).client('base').getTransaction({ hash })).r) !== 0n
  }
  const id = await sim.snapshot()
  await impersonate()
  expect(await isSigned()).toBe(false)
  for (const goBack of [() => sim.restore(id), () => sim.reset(), () => sim.reset()]) {
    await goBack()
    expect(await isSigned()).toBe(true)
    await impersonate()
  }
})

test('behavior: nested snapshots: the restored one stays, those after it are gone with the reason', async () => {
  const user = await openUser(sim)
  const balances: bigint[] = []
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) {
    await user.fund('polygon', 'USDC', 1_000_000n)
    ids.push(await sim.snapshot(name))
    balances.push(await usdc('polygon', user.wallet))
  }
  const [a, b, c] = ids as [string, string, string]
  const restore = (id: string) => control.post(`/_sim/snapshots/${id}/restore`)
  expect((await restore('b')).body).toMatchObject({ id: b, name: 'b', dropped: [c] })
  expect(await usdc('polygon', user.wallet)).toBe(balances[1])
  expect(await restore(c)).toMatchObject({
    status: 404,
    body: {
      message: `There is no snapshot ${c} any more: it was taken after ${b}, which has been restored`,
    },
  })
  expect(await usdc('polygon', user.wallet)).toBe(balances[1])

  // The same one again and again, and an earlier one after a later one.
  for (const [id, index] of [
    [b, 1],
    [b, 1],
    [a, 0],
    [a, 0],
  ] as const) {
    await user.fund('polygon', 'USDC', 5n)
    expect((await restore(id)).status).toBe(200)
    expect(await usdc('polygon', user.wallet)).toBe(balances[index])
  }
  expect(await restore('b')).toMatchObject({ status: 404 })
  // A name is free again when its snapshot is gone.
  const anew = (await control.post('/_sim/snapshots', { name: 'b' })).body
  expect(anew.id).not.toBe(b)
  expect(
    (await control.get('/_sim/snapshots')).body.snapshots.map((one: { id: string }) => one.id),
  ).toEqual([a, anew.id])
  expect((await restore('b')).body).toMatchObject({ id: anew.id, dropped: [] })
})

test('behavior: a bridge that is under way when the snapshot is taken is filled once after each restore', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.fund('arbitrum', 'USDC', 5_000_000n)
  const before = await usdc('base', friend)
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
  // The second event says that the deposit has landed; the fill is due a second later.
  for (let events: unknown[] = []; events.length < 2; )
    events = (await user.api.get(`${user.path}/events`)).body.events
  await sim.snapshot('deposited')
  const pending = (await user.api.get(`/activities/${activity_id}`)).body as ActivityBody
  expect(pending.activity_status).toBe('pending')
  const left = await usdc('arbitrum', user.wallet)

  const hashes = new Set<string>()
  for (let round = 0; round < 3; round++) {
    const ended = await user.follow(activity_id)
    expect(ended.activity_status).toBe('confirmed')
    expect(ended.activity_metadata[0]).toEqual(pending.activity_metadata[0])
    hashes.add(ended.activity_metadata[0]!.transaction_hash!)
    expect(await usdc('base', friend)).toBe(before + 7_000_000n)
    expect(await usdc('arbitrum', user.wallet)).toBe(left)
    await sim.restore('deposited')
    expect((await user.api.get(`/activities/${activity_id}`)).body).toEqual(pending)
    expect(await usdc('base', friend)).toBe(before)
  }
  expect(hashes.size).toBe(1)
})

test('behavior: transactions sent past the service are undone, and those that wait in the pool are dropped', async () => {
  const reads = readsOf(sim)
  const rpc = <T>(method: string, params?: unknown[]) =>
    reads.request<T>('optimism', method, params)
  const early = await sim.snapshot()
  const block = await rpc('eth_blockNumber')
  await rpc('anvil_setBalance', [friend, '0xde0b6b3a7640000'])
  await rpc('anvil_impersonateAccount', [friend])
  const send = { from: friend, to: friend, value: '0x1', gas: '0x5208' }
  expect(await rpc('eth_sendTransactionSync', [send])).toMatchObject({ status: '0x1' })
  await rpc('evm_increaseTime', [100_000])
  await rpc('evm_mine')
  await rpc('evm_setAutomine', [false])
  await rpc('eth_sendTransaction', [send])
  expect(await rpc('txpool_status')).toMatchObject({ pending: '0x1' })
  await sim.reset()
  expect(await rpc('eth_blockNumber')).toBe(block)
  expect(BigInt(await rpc<string>('eth_getBalance', [friend, 'latest']))).toBe(0n)
  expect(await rpc('txpool_status')).toMatchObject({ pending: '0x0' })
  expect(await rpc('anvil_getAutomine')).toBe(true)
  // Its time is the clock's again, but for the second that may tick in between.
  const { timestamp } = await rpc<{ timestamp: string }>('eth_getBlockByNumber', ['pending', false])
  expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60)
  expect(await control.post(`/_sim/snapshots/${early}/restore`)).toMatchObject({ status: 404 })
  // The account is still impersonated.
  await rpc('anvil_setBalance', [friend, '0xde0b6b3a7640000'])
  expect(await rpc('eth_sendTransactionSync', [send])).toMatchObject({ status: '0x1' })
  await sim.reset()
})

test('behavior: after a reset a running clock shows the machine’s time again', async () => {
  const lag = () => sim.clock.time().ms - Date.now()
  await sim.clock.advance(86_400)
  expect(lag()).toBeGreaterThan(86_000_000)
  await sim.reset()
  // Read one after the other: the machine may have gone on a little in between.
  expect(Math.abs(lag())).toBeLessThan(60_000)
})

test('behavior: a client’s transaction behind a gap of nonces holds up neither a snapshot nor a restore', async () => {
  const signer = privateKeyToAccount(generatePrivateKey())
  await sim.fund({ address: signer.address, asset: 'ETH', amount: 10n ** 18n, network: 'base' })
  const fees = { gas: 21_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
  const signed = (nonce: number) =>
    signer.signTransaction({ type: 'eip1559', chainId: 8453, nonce, to: friend, ...fees })
  const send = async (nonce: number) =>
    rpc<{ status: string }>(sim.rpc('base'), 'eth_sendRawTransactionSync', [await signed(nonce)])
  const waiting = send(1)
  const isPooled = async () => {
    const pool = await readsOf(sim).request('base', 'txpool_status', [])
    return (pool as { queued: string }).queued
  }
  await expect.poll(isPooled).toBe('0x1')
  await sim.restore(await sim.snapshot())
  expect(await isPooled()).toBe('0x0')
  // What waits ends with its transaction: the nodes of this test are lent to others.
  await send(0)
  await send(1)
  expect(await waiting).toMatchObject({ status: '0x1' })
})

test('behavior: the examples of /docs run one after the other, and again after a restore, a reset and in a leased world', async () => {
  const before = await sim.snapshot()
  const first = await runDocsExamples(sim)
  await sim.restore(before)
  expect(await runDocsExamples(sim)).not.toEqual(first)
  await sim.reset()
  const last = await runDocsExamples(sim)
  await using world = await leaseWorld({ url: sim.url })
  await runDocsExamples(world)
  const { accounts } = (await control.get('/accounts')).body
  expect(accounts).toMatchObject([{ account_id: last }])
})

/** Plans, executes and reads what came of it by the examples of /docs alone, which name everything afresh at each opening. */
async function runDocsExamples({ url, apiKey }: { url: string; apiKey: string }) {
  const api = createClient({ url, apiKey })
  const open = () => docsExamples(url, { authorization: `Bearer ${apiKey}` })
  const [account] = (await open()).accounts
  const path = `/accounts/${account}`
  expect(await api.get(path)).toMatchObject({ status: 200 })
  const { status, body } = await api.post(`${path}/plan/earn`, (await open()).bodyOf('planEarn'))
  expect(status).toBe(201)
  const execution = (await open()).bodyOf('executePlan')
  expect(execution).toMatchObject({ plan_id: body.plan_id })
  const executed = await api.post(`${path}/plan/execute`, execution)
  expect(executed).toMatchObject({ status: 200 })
  const { activities } = await open()
  expect(activities).toEqual([executed.body.activity_id])
  expect(await api.get(`/activities/${activities[0]}`)).toMatchObject({ status: 200 })
  return account!
}

test('error: /docs opens on a network that mines no blocks, with an account that has no funds', async () => {
  await rpc(sim.rpc('base'), 'evm_setAutomine', [false])
  try {
    const [account] = (await docsExamples(sim.url)).accounts
    const { accounts } = (await control.get('/accounts')).body
    expect(accounts).toMatchObject([{ account_id: account }])
    expect(await usdc('base', accounts[0].svc_wallet_address)).toBe(0n)
  } finally {
    await rpc(sim.rpc('base'), 'evm_setAutomine', [true])
  }
})
