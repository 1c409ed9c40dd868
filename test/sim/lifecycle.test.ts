import type { Address, Hex } from 'viem'
import { createPublicClient, encodeFunctionData, erc20Abi, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actors, feeRecipient } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { createClient } from '../kit/client.js'
import { rpc } from '../kit/http.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, executed, openUser, type PlanBody } from '../kit/user.js'

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

const off = 'a client switched the mining of base off over /rpc'
const everyHours = 'a client has base mine a block only every 9000 s of the machine’s time'
test.each<[method: string, params: unknown[], who: string, cure: [string, unknown[]]]>([
  ['evm_setAutomine', [false], off, ['evm_mine', []]],
  ['evm_setAutomine', [false], off, ['evm_setAutomine', [true]]],
  ['anvil_setIntervalMining', [0], off, ['evm_mine', []]],
  ['evm_setIntervalMining', [9_000], everyHours, ['evm_mine', []]],
])(
  'behavior: %s %j of a client is named wherever an execution waits for it, with its cure',
  async (method, params, who, cure) => {
    const user = await deployed()
    const plan = await planOf(user, 'transfer', transferOf(10_000_000n))
    const sent = await fetch(sim.rpc('base'), {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const by = sent.headers.get('x-svc-sim-request-id')
    const [told, next] = [
      `${who} (${method} ${JSON.stringify(params)}, request ${by} at `,
      'send evm_mine to /rpc/base for each block that is missing, or evm_setAutomine [true] once',
    ]
    try {
      const execution = await user.execute(plan)
      const { activity_id: id } = execution.body
      await poolHolds(1)
      for (const of of [id, plan.plan_id, user.id, execution.headers.get('x-svc-sim-request-id')]) {
        const { now, verdict } = (await user.api.get(`/_sim/why/${of}`)).body
        expect(now).toContain(`, because ${told}`)
        expect(verdict.next).toContain(next)
        expect(verdict.next).not.toContain('let time pass')
        expect(verdict.cause).toMatchObject({
          cause: 'rpc',
          network: 'base',
          method,
          by_request: by,
        })
      }
      const ready = await user.api.get('/health/ready')
      expect(ready).toMatchObject({ status: 200, body: { status: 'ready' } })
      const { base, polygon } = ready.body.networks
      expect(base).toMatchObject({ ready: true, mining: expect.stringContaining(told) })
      expect(base.mining).toContain(next)
      expect(polygon).not.toHaveProperty('mining')
      const { networks } = (await user.api.get('/_sim/overview')).body
      expect(networks).toContainEqual(
        expect.objectContaining({ network: 'base', mining: base.mining }),
      )
      await rpc(sim.rpc('base'), ...cure)
      expect((await user.follow(id)).activity_status).toBe('confirmed')
      const after = (await user.api.get(`/_sim/why/${id}`)).body
      expect(after).toMatchObject({ now: 'confirmed', verdict: { cause: null, next: null } })
    } finally {
      await rpc(sim.rpc('base'), 'evm_setAutomine', [true])
    }
    const { base } = (await user.api.get('/health/ready')).body.networks
    expect(base).not.toHaveProperty('mining')
  },
)

test('behavior: a bridge to a network that a client keeps from mining is promised no moment', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 20_000_000n)
  await sim.clock.freeze()
  try {
    const id = await executed(sim, user, 'transfer', transferOf(5_000_000n))
    const flight = async () =>
      (await user.api.get('/_sim/overview')).body.bridges.find(
        (each: { activity_id: string }) => each.activity_id === id,
      )
    const onward = await flight()
    expect(onward).toMatchObject({ fills_at: expect.any(String), waits_for: null })
    await rpc(sim.rpc('base'), 'evm_setAutomine', [false])
    const waits_for = 'base to mine (its automatic mining is switched off)'
    expect(await flight()).toMatchObject({ fills_at: null, until: null, waits_for })
    const { now, verdict } = (await user.api.get(`/_sim/why/${id}`)).body
    expect(now).toContain(`, because ${off} (`)
    expect(verdict.next).toMatch(/^send evm_mine to \/rpc\/base .+, then let time pass /)
    await rpc(sim.rpc('base'), 'anvil_setIntervalMining', [3_600])
    expect(await flight()).toMatchObject({ fills_at: null, waits_for })
    await rpc(sim.rpc('base'), 'evm_setAutomine', [true])
    expect(await flight()).toMatchObject({ fills_at: onward.fills_at, waits_for: null })
    await sim.clock.advance(60)
    expect((await flight()).status).toBe('filled')
  } finally {
    await rpc(sim.rpc('base'), 'evm_setAutomine', [true])
    await sim.clock.resume()
  }
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
