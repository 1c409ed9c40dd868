import type { Address, Hex } from 'viem'
import { createPublicClient, encodeFunctionData, erc20Abi, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actors, feeRecipient } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { createClient } from '../kit/client.js'
import { rpc } from '../kit/http.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody } from '../kit/user.js'

const book = loadAddressBook()
const base = book.on('base')
const usdc = book.token('base', 'USDC')!.address
const friend: Address = '0x00000000000000000000000000000000000f41e7'
const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }
const otherKey = 'qk_other0_11111111111111111111'

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({
    apiKeys: ['qk_first0_00000000000000000000', otherKey],
    rpcUnsafe: true,
  })
})
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

async function funded(): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 10_000_000n)
  return user
}

/** A user whose wallet is deployed: an address that has sent transactions of its own could not become one any more. */
async function deployed(): Promise<User> {
  const user = await funded()
  await user.run('transfer', { ...transferOf(1n), recipient: user.wallet })
  return user
}

function transferOf(amount: bigint) {
  return { asset: 'USDC', amount: amount.toString(), network: 'base', recipient: friend }
}

async function planOf(user: User, kind: string, body: unknown): Promise<PlanBody> {
  const { status, body: plan } = await user.plan(kind, body)
  expect({ status, plan }).toMatchObject({ status: 201 })
  return plan as PlanBody
}

/** Spends the wallet's USDC without the service. */
async function spendBehindItsBack(wallet: Address, amount: bigint): Promise<void> {
  await rpc(sim.rpc('base'), 'anvil_setBalance', [wallet, '0xde0b6b3a7640000'])
  await rpc(sim.rpc('base'), 'anvil_impersonateAccount', [wallet])
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [friend, amount],
  })
  await rpc(sim.rpc('base'), 'eth_sendTransactionSync', [{ from: wallet, to: usdc, data }])
}

function usdcOf(account: Address): Promise<bigint> {
  const client = createPublicClient({ transport: http(sim.rpc('base')) })
  return client.readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  })
}

test('error: plan_stale for the second of two plans from one state; it stays, stays stale, and leaves no activity and no event', async () => {
  const user = await funded()
  const [first, second] = [await planOf(user, 'earn', earn), await planOf(user, 'earn', earn)]
  const executed = await user.execute(first)
  expect(executed.status).toBe(200)
  await user.follow(executed.body.activity_id)
  const records = async () => [
    (await user.api.get(`${user.path}/activities`)).body,
    (await user.api.get(`${user.path}/events`)).body,
  ]
  const before = await records()
  for (let i = 0; i < 2; i++)
    expect(await user.execute(second)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  expect(await records()).toEqual(before)
})

test('error: plan_stale when a balance was spent behind the service’s back', async () => {
  const user = await deployed()
  const plan = await planOf(user, 'earn', { ...earn, amount: '8000000' })
  await spendBehindItsBack(user.wallet, 5_000_000n)
  const reply = await user.execute(plan)
  expect(reply).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  expect(reply.headers.get('x-svc-sim-hint')).toContain('the account can bring only 5 USDC')
  // The rest still carries a smaller plan.
  expect((await user.run('earn', earn)).activity.activity_status).toBe('confirmed')
})

test('error: plan_stale when the price has moved beyond the slippage of a swap', async () => {
  const user = await funded()
  const plan = await planOf(user, 'swap', {
    sell_asset: 'USDC',
    buy_asset: 'COMP',
    network: 'base',
    sell_amount: '1000000',
  })
  const abi = parseAbi([
    'function setPrice(bytes32 symbol, uint256 usdE8)',
    'function priceOf(bytes32 symbol) view returns (uint256)',
  ])
  const comp = `0x${Buffer.from('COMP').toString('hex').padEnd(64, '0')}` as Hex
  const client = createPublicClient({ transport: http(sim.rpc('base')) })
  const price = await client.readContract({
    address: base.priceHub,
    abi,
    functionName: 'priceOf',
    args: [comp],
  })
  const data = encodeFunctionData({ abi, functionName: 'setPrice', args: [comp, price * 2n] })
  await rpc(sim.rpc('base'), 'eth_sendTransactionSync', [
    { from: actors.admin, to: base.priceHub, data },
  ])
  expect(await user.execute(plan)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
})

test('behavior: the mere passing of time does not make a plan stale', async () => {
  const user = await funded()
  await user.run('earn', { ...earn, amount: '5000000' })
  const plan = await planOf(user, 'withdraw', { ...earn, amount: 'max' })
  await sim.clock.advance(100)
  expect((await user.execute(plan)).status).toBe(200)
})

test('behavior: a chain whose time was moved far ahead of the clock still plans and executes', async () => {
  const user = await funded()
  const before = await planOf(user, 'transfer', transferOf(1n))
  await rpc(sim.rpc('base'), 'evm_increaseTime', [86_400])
  const refused = await user.execute(before)
  expect(refused).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
  expect(refused.headers.get('x-svc-sim-hint')).toMatch(
    /^a write over \/rpc\/base \(evm_increaseTime, request req_\w+\) was made at /,
  )
  expect((await user.run('earn', earn)).activity.activity_status).toBe('confirmed')
  const { body } = await user.api.get(`${user.path}/folio`)
  const { balances } = (body as { folio: { balances: Record<string, string> } }).folio
  expect(Object.keys(balances).some((key) => key.startsWith('yield_market/'))).toBe(true)
  const timeOf = async (network: 'base' | 'optimism') => {
    const client = createPublicClient({ transport: http(sim.rpc(network)) })
    return Number((await client.getBlock()).timestamp)
  }
  // Neither the clock nor another chain has come along.
  const ahead = await timeOf('base')
  expect(ahead - (await timeOf('optimism'))).toBeGreaterThan(80_000)
  expect(ahead - sim.clock.time().ms / 1000).toBeGreaterThan(80_000)
})

test('error: plan_not_found after two minutes', async () => {
  const user = await funded()
  const plan = await planOf(user, 'earn', earn)
  await sim.clock.advance(120)
  expect(await user.execute(plan)).toMatchObject({
    status: 404,
    body: { error: 'plan_not_found' },
  })
})

test('error: plan_not_found for a consumed plan and for those of other accounts', async () => {
  const [user, neighbour] = [await funded(), await funded()]
  const plan = await planOf(user, 'earn', earn)
  const notFound = { status: 404, body: { error: 'plan_not_found' } }
  expect(await neighbour.execute(plan)).toMatchObject(notFound)
  const stranger = createClient({ url: sim.url, apiKey: otherKey })
  const foreign = await stranger.post(`${user.path}/plan/execute`, {
    plan_id: plan.plan_id,
    signature: '0x',
  })
  expect(foreign).toMatchObject({ status: 404, body: { error: 'account_not_found' } })
  expect((await user.execute(plan)).status).toBe(200)
  expect(await user.execute(plan)).toMatchObject(notFound)
})

test('behavior: of two executes at the same moment exactly one runs', async () => {
  const user = await funded()
  const plan = await planOf(user, 'earn', earn)
  const replies = await Promise.all([user.execute(plan), user.execute(plan)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
  const executed = replies.find(({ status }) => status === 200)!.body as { activity_id: string }
  expect((await user.follow(executed.activity_id)).activity_status).toBe('confirmed')
  expect(await usdcOf(user.wallet)).toBe(9_000_000n)
  const { body } = await user.api.get(`${user.path}/activities`)
  expect((body as { activities: unknown[] }).activities).toHaveLength(1)
})

test('error: internal_error for every wrong signature; the plan stays usable', async () => {
  const user = await funded()
  const plan = await planOf(user, 'earn', earn)
  const { digest } = plan.details.eip712_data
  const right = await sign({ hash: digest, privateKey: user.key, to: 'hex' })
  const wrong: [string, string][] = [
    [await sign({ hash: digest, privateKey: generatePrivateKey(), to: 'hex' }), 'another key'],
    [
      await privateKeyToAccount(user.key).signMessage({ message: { raw: digest } }),
      'personal_sign',
    ],
    [await privateKeyToAccount(user.key).signMessage({ message: digest }), 'personal_sign'],
    [right.slice(0, -2), '64 bytes'],
    [`${right.slice(0, -2)}1d`, 'v must be 27 or 28'],
    ['garbage', 'not 0x-prefixed hex'],
    ['0xzz', 'not 0x-prefixed hex'],
  ]
  for (const [signature, hint] of wrong) {
    const reply = await user.api.post(`${user.path}/plan/execute`, {
      plan_id: plan.plan_id,
      signature,
    })
    expect(reply).toMatchObject({ status: 500, body: { error: 'internal_error' } })
    expect(reply.headers.get('x-svc-sim-hint')).toContain(hint)
  }
  expect((await user.execute(plan)).status).toBe(200)
})

test('behavior: a transaction that reverts ends as failed, with the decoded reason', async () => {
  const user = await deployed()
  const plan = await planOf(user, 'transfer', transferOf(10_000_000n))
  await rpc(sim.rpc('base'), 'anvil_setBalance', [user.wallet, '0xde0b6b3a7640000'])
  await rpc(sim.rpc('base'), 'anvil_impersonateAccount', [user.wallet])
  await rpc(sim.rpc('base'), 'evm_setAutomine', [false])
  let executed: { activity_id: string }
  try {
    executed = (await user.execute(plan)).body as { activity_id: string }
    await poolHolds(1)
    const waiting = await user.api.get(`/activities/${executed.activity_id}`)
    expect(waiting.body).toMatchObject({ activity_status: 'pending' })
    // Pays more, so it goes first in the block, and takes the funds away.
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 1n] })
    const gasPrice = `0x${(10n ** 12n).toString(16)}`
    await rpc(sim.rpc('base'), 'eth_sendTransaction', [
      { from: user.wallet, to: usdc, data, gas: '0x30d40', gasPrice },
    ])
    await poolHolds(2)
  } finally {
    await rpc(sim.rpc('base'), 'evm_setAutomine', [true])
    await rpc(sim.rpc('base'), 'evm_mine', [])
  }
  const activity = await user.follow(executed.activity_id)
  expect(activity.activity_status).toBe('failed')
  expect(activity.activity_metadata[0]).toMatchObject({
    success: false,
    revert_reason: expect.stringContaining('ERC20: transfer amount exceeds balance'),
    transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  // Nothing but the unit that went before has left the wallet, and the account goes on.
  expect(await usdcOf(user.wallet)).toBe(9_999_999n)
  expect((await user.run('earn', earn)).activity.activity_status).toBe('confirmed')
})

/** Asks the node until its pool holds so many transactions. */
async function poolHolds(count: number): Promise<void> {
  for (;;) {
    const { pending } = await rpc<{ pending: Hex }>(sim.rpc('base'), 'txpool_status', [])
    if (Number(pending) >= count) return
  }
}

test('behavior: a waiting long poll answers at the event, and each change is an event', async () => {
  const user = await funded()
  const plan = await planOf(user, 'earn', earn)
  const waiting = user.api.get(`${user.path}/events?since=0&poll=true`)
  const executed = (await user.execute(plan)).body as { activity_id: string }
  const first = (await waiting).body as { events: { data: Record<string, unknown> }[] }
  expect(first.events[0]!.data).toEqual({
    activity_id: executed.activity_id,
    activity_type: 'svc_operation_executed',
    activity_status: 'pending',
  })
  await user.follow(executed.activity_id)
  const all = (await user.api.get(`${user.path}/events`)).body as typeof first
  expect(all.events.map(({ data }) => data.activity_status)).toEqual(['pending', 'confirmed'])
})

test('default: the swap fee is paid on chain, out of what was bought, rounded down', async () => {
  const user = await funded()
  const before = {
    fee: await tokenOf('WETH', feeRecipient),
    wallet: await tokenOf('WETH', user.wallet),
  }
  const { plan, activity } = await user.run('swap', {
    sell_asset: 'USDC',
    buy_asset: 'WETH',
    network: 'base',
    sell_amount: '3333333',
  })
  expect(activity.activity_status).toBe('confirmed')
  const context = plan.details.svc_operation_actions[0]!.action.action_context
  const bought = BigInt(context.output_amount as string)
  const fee = (bought * 15n) / 10_000n
  expect(context.fee_amounts).toEqual([fee.toString()])
  expect((await tokenOf('WETH', feeRecipient)) - before.fee).toBe(fee)
  expect((await tokenOf('WETH', user.wallet)) - before.wallet).toBe(bought - fee)
})

test('behavior: an exact-out swap buys exactly that, the fee comes out of it', async () => {
  const user = await funded()
  const buy_amount = '1000000000000000'
  const { activity } = await user.run('swap', {
    sell_asset: 'USDC',
    buy_asset: 'ETH',
    network: 'base',
    buy_amount,
  })
  expect((activity as ActivityBody).activity_status).toBe('confirmed')
  const balance = BigInt(await rpc<Hex>(sim.rpc('base'), 'eth_getBalance', [user.wallet, 'latest']))
  expect(balance).toBe((BigInt(buy_amount) * 9_985n) / 10_000n)
})

function tokenOf(symbol: string, account: Address): Promise<bigint> {
  const client = createPublicClient({ transport: http(sim.rpc('base')) })
  const { address } = book.token('base', symbol)!
  return client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
}
