import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { getWebSocketRpcClient } from 'viem/utils'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { svcAddresses } from '../../src/generated/svc.js'
import type { Why } from '../../src/observe/journal/whySchema.js'
import { findingsOf } from '../../src/tools/ui/pages/timeline/elements.js'
import { readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { executed, openUser, type PlanBody, type User } from '../kit/user.js'

/** Staged refusals, some with two suspects: the hint, `why` and the dashboard name the same culprit, and it is the right one. */

let sim: SimulatorHandle
let user: User
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen' })
})
afterAll(() => sim.close())
beforeEach(async () => {
  await sim.reset()
  user = await openUser(sim)
  await user.fund('base', 'USDC', 1_000_000_000n)
})

const friend: Address = '0x00000000000000000000000000000000000f41e7'
const usdc = loadAddressBook().token('base', 'USDC')!.address
const transferOf = (amount: bigint) => ({
  ...{ asset: 'USDC', amount: `${amount}`, network: 'base', recipient: friend },
})
const swap = {
  ...{ sell_asset: 'USDC', sell_amount: '600000000', buy_asset: 'WETH', network: 'base' },
}

const planned = async (kind: string, body: object, of = user): Promise<PlanBody> => {
  const made = await of.plan(kind, body)
  expect(made).toMatchObject({ status: 201 })
  return made.body as PlanBody
}
const onBase = <T = unknown>(method: string, params: unknown[]) =>
  readsOf(sim).request<T>('base', method, params)

const control = async (method: string, path: string, body: object): Promise<string> => {
  const headers = { 'content-type': 'application/json' }
  const text = JSON.stringify(body)
  const reply = await fetch(`${sim.controlUrl}${path}`, { method, headers, body: text })
  expect(reply.ok).toBe(true)
  return reply.headers.get('x-svc-sim-request-id')!
}
const setPrice = (usd: string) => control('PUT', '/prices/ETH', { usd })

/** Money of somebody leaves over `/rpc`, as a wallet or a test would take it. */
async function leaves(amount: bigint, from: Address = user.wallet): Promise<Hex> {
  await onBase('anvil_setBalance', [from, '0xde0b6b3a7640000'])
  await onBase('anvil_impersonateAccount', [from])
  const data = encodeFunctionData({
    ...{ abi: erc20Abi, functionName: 'transfer', args: [friend, amount] },
  })
  const hash = await onBase<Hex>('eth_sendTransaction', [{ from, to: usdc, data }])
  await vi.waitFor(
    async () => expect(await onBase('eth_getTransactionReceipt', [hash])).not.toBe(null),
    { timeout: 10_000 },
  )
  await onBase('anvil_stopImpersonatingAccount', [from])
  return hash
}

/** Another account asks for a quote that meets the rule. */
async function meets(rule: object, buy_asset = 'WETH'): Promise<void> {
  const other = await openUser(sim)
  await other.fund('base', 'USDC', 5_000_000n)
  await sim.faults.add({ on: 'quote', ...rule } as never)
  await other.plan('swap', { ...swap, sell_amount: '1000000', buy_asset })
}

interface Staged {
  plan: PlanBody
  /** What the cause has, as JSON. */
  cause: object
  /** What the sentence says of it. */
  says: RegExp
  status?: 404
}

const cases: Record<string, () => Promise<Staged>> = {
  'a plan before it is innocent, a transfer over /rpc is not (two suspects)': async () => {
    await executed(sim, user, 'transfer', transferOf(1_000_000n))
    const plan = await planned('transfer', transferOf(700_000_000n))
    const hash = await leaves(500_000_000n)
    const cause = {
      ...{ cause: 'rpc', method: 'eth_sendTransaction', sender: user.wallet.toLowerCase() },
      ...{ hashes: [hash], before: '999 USDC', after: '499 USDC' },
      by_request: expect.stringMatching(/^req_/),
    }
    return { plan, cause, says: new RegExp(`^a write over /rpc/base .*request req_.*${hash}`) }
  },
  'the faucet gave some, then a transfer over /rpc took more (two suspects)': async () => {
    const plan = await planned('transfer', transferOf(900_000_000n))
    await user.fund('base', 'USDC', 1_000_000n)
    const hash = await leaves(500_000_000n)
    const amounts = { before: '1001 USDC', after: '501 USDC' }
    return { plan, cause: { cause: 'rpc', hashes: [hash], ...amounts }, says: /^a write over/ }
  },
  'two transfers over /rpc, of which the second took what was needed (two suspects)': async () => {
    const plan = await planned('transfer', transferOf(900_000_000n))
    const small = await leaves(1_000_000n)
    const large = await leaves(500_000_000n)
    expect(small).not.toBe(large)
    return { plan, cause: { cause: 'rpc', hashes: [large] }, says: /^a write over/ }
  },
  'a transfer of somebody else over /rpc, and a price (two suspects)': async () => {
    const plan = await planned('swap', swap)
    const other = await openUser(sim)
    await other.fund('base', 'USDC', 5_000_000n)
    await leaves(5_000_000n, other.wallet)
    const by_request = await setPrice('3500')
    const cause = { cause: 'price', before: '3000', after: '3500', by_request }
    return { plan, cause, says: /^the price of ETH, WETH in USD moved from 3000 to 3500/ }
  },
  'the clock, and a price (two suspects)': async () => {
    const plan = await planned('swap', swap)
    await sim.clock.advance(3)
    const by_request = await setPrice('3500')
    return { plan, cause: { cause: 'price', by_request }, says: /^the price of ETH, WETH/ }
  },
  'the faucet, for a plan that took money from two networks': async () => {
    await user.fund('arbitrum', 'USDC', 1_000_000_000n)
    const plan = await planned('transfer', transferOf(1_500_000_000n))
    const by_request = await control('POST', '/fund', {
      ...{ account_id: user.id, asset: 'USDC', amount: '700000000', network: 'base' },
    })
    const cause = {
      ...{ cause: 'faucet', asset: 'USDC', amount: '700', network: 'base', by_request },
      ...{ before: '1000 USDC', after: '1700 USDC' },
    }
    return { plan, cause, says: new RegExp(`^the faucet gave 700 USDC on base.*${by_request}`) }
  },
  'another plan of the wallet used the nonce, before a transfer (two suspects)': async () => {
    const plan = await planned('transfer', transferOf(700_000_000n))
    const first = await planned('transfer', transferOf(1_000_000n))
    const { activity_id } = (await user.execute(first)).body as { activity_id: string }
    await sim.clock.advance(0)
    await leaves(500_000_000n)
    const cause = { cause: 'plan', by_plan: first.plan_id, activity_id, changed: 'nonce' }
    return { plan, cause, says: new RegExp(`^plan ${first.plan_id} of the same wallet`) }
  },
  'a fault rule took the balance': async () => {
    await sim.faults.add({
      id: 'taker',
      on: 'plan',
      effect: { stale: { by: 'balance' } },
      times: 1,
    })
    const plan = await planned('transfer', transferOf(1_000_000n))
    return { plan, cause: { cause: 'fault', rule: 'taker' }, says: /^fault rule taker / }
  },
  'a fault rule moved the price under another plan': async () => {
    const plan = await planned('swap', swap)
    await sim.faults.add({ id: 'mover', on: 'plan', effect: { stale: { by: 'price' } }, times: 1 })
    await planned('swap', { ...swap, sell_amount: '1000000' })
    return { plan, cause: { cause: 'fault', rule: 'mover' }, says: /^fault rule mover / }
  },
  'a fault rule widened the spread of the exchange': async () => {
    const plan = await planned('swap', swap)
    await meets({ id: 'wide', effect: { slippage: { bps: 900 } }, times: 1 })
    return { plan, cause: { cause: 'fault', rule: 'wide' }, says: /^fault rule wide / }
  },
  'a drain that was removed, and a price (two suspects)': async () => {
    const plan = await planned('swap', swap)
    await meets({ id: 'empty', effect: 'drain' })
    await sim.faults.remove('empty')
    const by_request = await setPrice('3500')
    const cause = { cause: 'price', before: '3000', after: '3500', by_request }
    const says =
      /^the price of ETH, WETH .*; it would revert now: InsufficientOutput\(\d+, \d+\): 0\.\d+ WETH for 600 USDC at the exchange on base, where the plan was quoted 0\.\d+ WETH and takes no less than 0\.\d+ WETH$/
    return { plan, cause, says }
  },
  'a price and a spread, which both moved the price of the swap (two culprits)': async () => {
    const plan = await planned('swap', swap)
    const by_request = await setPrice('3200')
    await meets({ id: 'wide', effect: { slippage: { bps: 400 } }, times: 1 })
    const also = [{ cause: 'fault', rule: 'wide', before: '0.05 %', after: '4.05 %' }]
    const cause = { cause: 'price', before: '3000', after: '3200', by_request, also }
    const says =
      /^the price of ETH, WETH in USD moved from 3000 to 3200 .*, and fault rule wide \(quote\.slippage\) fired .* changed the spread of the exchange on base from 0\.05 % to 4\.05 %; it would revert now: /
    return { plan, cause, says }
  },
  'a spread that was taken back, and a price that moved twice (three suspects)': async () => {
    const plan = await planned('swap', swap)
    await meets({ id: 'wide', effect: { slippage: { bps: 900 } } })
    await setPrice('3900')
    await sim.faults.remove('wide')
    const by_request = await setPrice('3500')
    const cause = { cause: 'price', before: '3000', after: '3500', by_request }
    return { plan, cause, says: /^the price of ETH, WETH in USD moved from 3000 to 3500/ }
  },
  'a price, and a drain that holds (two suspects)': async () => {
    const plan = await planned('swap', swap)
    await setPrice('3500')
    await meets({ id: 'empty', effect: 'drain', times: 1 })
    const says =
      /^fault rule empty .* WETH holdings of the exchange on base from .* to 0 WETH; it would revert now: .*: 0 WETH to buy at the exchange on base, where the plan was quoted 0\.\d+ WETH$/
    return { plan, cause: { cause: 'fault', rule: 'empty' }, says }
  },
  'drains of two assets, and another of the same that is gone (three suspects)': async () => {
    const plan = await planned('swap', swap)
    await meets({ id: 'other', effect: 'drain', match: { asset: 'WBTC' } }, 'WBTC')
    await meets({ id: 'gone', effect: 'drain', match: { asset: 'WETH' } })
    await meets({ id: 'left', effect: 'drain', match: { asset: 'WETH' } })
    await sim.faults.remove('gone')
    return { plan, cause: { cause: 'fault', rule: 'left' }, says: /^fault rule left / }
  },
  'two drains of the same that hold (two culprits)': async () => {
    const plan = await planned('swap', swap)
    await meets({ id: 'one', effect: 'drain', times: 1 })
    await meets({ id: 'two', effect: 'drain', times: 1 })
    const cause = { cause: 'fault', rule: 'one', also: [{ cause: 'fault', rule: 'two' }] }
    const says =
      /^fault rule one .* WETH holdings of the exchange on base from .* to 0 WETH, and fault rule two \(quote\.drain\) fired at [\d:]+; it would revert now: /
    return { plan, cause, says }
  },
  'a balance that was set over /rpc': async () => {
    const plan = await planned('transfer', transferOf(1_000_000n))
    await onBase('anvil_dealERC20', [user.wallet, usdc, '0x5'])
    const cause = { cause: 'rpc', method: 'anvil_dealERC20', before: '1000 USDC' }
    return { plan, cause, says: /^a write over \/rpc\/base \(anvil_dealERC20, request req_/ }
  },
  'a balance that was set over a WebSocket': async () => {
    const plan = await planned('transfer', transferOf(1_000_000n))
    const socket = await getWebSocketRpcClient(sim.rpc('base').replace(/^http/, 'ws'))
    const slot = { method: 'eth_blockNumber', params: [] }
    await socket.requestAsync({ body: slot })
    await socket.requestAsync({
      body: { method: 'anvil_dealERC20', params: [user.wallet, usdc, '0x0'] },
    })
    socket.close()
    const cause = { cause: 'rpc', method: 'anvil_dealERC20', after: '0 USDC' }
    return { plan, cause, says: /^a write over \/rpc\/base \(anvil_dealERC20, request req_/ }
  },
  'blocks taken back over /rpc': async () => {
    const plan = await planned('transfer', transferOf(1_000_000n))
    await onBase('anvil_rollback', [1])
    return { plan, cause: { cause: 'rpc', method: 'anvil_rollback' }, says: /anvil_rollback/ }
  },
  'a snapshot from before the plan was restored': async () => {
    const back = await sim.snapshot()
    const plan = await planned('transfer', transferOf(1_000_000n))
    const by_request = await control('POST', `/snapshots/${back}/restore`, {})
    const cause = { cause: 'restore', snapshot: back, by_request }
    const says = new RegExp(`^snapshot ${back} was restored .*${by_request}`)
    return { plan, cause, says, status: 404 }
  },
}

const whyOf = async (id: string): Promise<Why> =>
  (await fetch(`${sim.controlUrl}/why/${id}`)).json() as Promise<Why>

/** How many requests the journal has. */
const journalSize = async (): Promise<number> =>
  ((await (await fetch(`${sim.controlUrl}/journal?limit=500`)).json()) as { exchanges: [] })
    .exchanges.length

interface ListedPlans {
  plans: { plan_id: string; is_stale: boolean }[]
  ended_plans: { plan_id: string; outcome: string }[]
}
const plansListed = async () =>
  (await fetch(`${sim.controlUrl}/overview`)).json() as Promise<ListedPlans>
const openPlans = async () => (await plansListed()).plans
const endOf = async ({ plan_id }: PlanBody) =>
  (await plansListed()).ended_plans.find((each) => each.plan_id === plan_id)?.outcome

test.each(Object.entries(cases))('default: %s', async (_, stage) => {
  const { plan, cause, says, status = 409 } = await stage()
  const facts = async () => [
    await journalSize(),
    sim.faults.list(),
    await onBase('eth_blockNumber', []),
  ]
  const before = await facts()
  const foreseen = await whyOf(plan.plan_id)
  const listed = (await openPlans()).find((each) => each.plan_id === plan.plan_id)
  if (status === 409) expect(listed).toMatchObject({ is_stale: true })
  expect(await facts()).toEqual(before)
  const refused = await user.execute(plan)
  expect(refused.status).toBe(status)
  const hint = refused.headers.get('x-svc-sim-hint')!
  expect(hint).toMatch(says)
  const why = await whyOf(refused.headers.get('x-svc-sim-request-id')!)
  const moment = why.timeline.find(({ type }) => type === 'cause')!
  expect(moment.details).toMatchObject(cause)
  expect(hint.startsWith(moment.title)).toBe(true)
  expect(findingsOf(why)[0]!.text).toContain(moment.title)
  expect(why.verdict).toMatchObject({ outcome: 'refused', cause })
  expect(why.now).toContain(moment.title)
  const ofPlan = await whyOf(plan.plan_id)
  expect(ofPlan.verdict).toMatchObject({ outcome: status === 404 ? 'gone' : 'stale', cause })
  expect(ofPlan.now).toContain(moment.title)
  expect(await endOf(plan)).toBe(ofPlan.verdict.outcome)
  expect(foreseen).toMatchObject({ now: ofPlan.now, verdict: ofPlan.verdict })
  for (const { verdict } of [why, ofPlan]) expect(verdict.next).toContain('make a new plan')
})

test('behavior: a swap that two drains keep from happening is executed when both are removed, as the next step says', async () => {
  const plan = await planned('swap', swap)
  await meets({ id: 'one', effect: 'drain', times: 1 })
  await meets({ id: 'two', effect: 'drain', times: 1 })
  const refused = await user.execute(plan)
  expect(refused).toMatchObject({ status: 409 })
  for (const id of [plan.plan_id, refused.headers.get('x-svc-sim-request-id')!]) {
    const { next } = (await whyOf(id)).verdict
    const named = [...next!.matchAll(/DELETE \/_sim\/faults\/(\w+)/g)].map(([, rule]) => rule)
    expect(named).toEqual(['one', 'two'])
  }
  await sim.faults.remove('one')
  const { now, verdict } = await whyOf(plan.plan_id)
  expect(now).toContain('. Also, fault rule two (quote.drain) fired at ')
  expect(verdict.next).toMatch(/^remove the rule two, which undoes it \([^)]+\), then look at this/)
  await sim.faults.remove('two')
  expect((await user.execute(plan)).status).toBe(200)
})

test('behavior: two swaps of others, which took what the exchange had to sell, are both named', async () => {
  const held = await readsOf(sim).balance('base', 'WETH', svcAddresses.exchange)
  const buys = (tenths: bigint) => ({
    ...{ sell_asset: 'USDC', buy_amount: `${(held * tenths) / 10n}`, buy_asset: 'WETH' },
    network: 'base',
  })
  await user.fund('base', 'USDC', 10n ** 15n)
  const plan = await planned('swap', buys(5n))
  const others: string[] = []
  for (let i = 0; i < 2; i++) {
    const other = await openUser(sim)
    await other.fund('base', 'USDC', 10n ** 15n)
    const bought = await planned('swap', buys(4n), other)
    expect((await other.execute(bought)).status).toBe(200)
    await sim.clock.advance(1)
    others.push(bought.plan_id)
  }
  const refused = await user.execute(plan)
  const [first, last] = others
  const took = (id?: string) =>
    `plan ${id} of another wallet was executed .* changed the WETH holdings of the exchange on base`
  const says = new RegExp(`^${took(last)}, and ${took(first)}; it would revert now: `)
  expect(refused.headers.get('x-svc-sim-hint')).toMatch(says)
  const common = { cause: 'plan', is_other_wallet: true }
  for (const id of [plan.plan_id, refused.headers.get('x-svc-sim-request-id')!])
    expect((await whyOf(id)).verdict.cause).toMatchObject({
      ...{ ...common, by_plan: last, also: [{ ...common, by_plan: first }] },
    })
})

/** Gives the account what the next step says, with the fields that it says. */
async function fundAs(next: string): Promise<void> {
  const [, account_id, asset, amount, network] =
    /svc-sim fund --account (\w+) --asset (\w+) --amount (\d+) --network (\w+),/.exec(next)!
  await control('POST', '/fund', { account_id, asset, amount, network } as object)
}

const lackingCases: Record<string, () => Promise<{ plan: PlanBody; first: RegExp }>> = {
  'money that left': async () => {
    await executed(sim, user, 'transfer', transferOf(100_000_000n))
    const plan = await planned('transfer', transferOf(700_000_000n))
    await leaves(500_000_000n)
    return { plan, first: /^fund the account with 300 USDC on base \(/ }
  },
  'money that another plan of the wallet spent': async () => {
    const plan = await planned('transfer', transferOf(700_000_000n))
    const body = transferOf(600_000_000n)
    const first = await planned('transfer', body)
    const { activity_id } = (await user.execute(first)).body as { activity_id: string }
    await sim.clock.advance(0)
    const look = `^look at activity ${activity_id}; unless it does what this plan was for, `
    return { plan, first: new RegExp(`${look}fund the account with 300 USDC on base`) }
  },
  'money of another network that left': async () => {
    await executed(sim, user, 'transfer', transferOf(100_000_000n))
    await user.fund('arbitrum', 'USDC', 1_000_000_000n)
    const plan = await planned('transfer', transferOf(1_500_000_000n))
    await leaves(800_000_000n)
    return { plan, first: /^fund the account with 40\d\.\d+ USDC on base/ }
  },
}

test.each(Object.entries(lackingCases))(
  'behavior: for %s, fund as told and plan again',
  async (_, stage) => {
    const { plan, first } = await stage()
    expect((await whyOf(plan.plan_id)).verdict.next).toMatch(first)
    const refused = await user.execute(plan)
    expect(refused).toMatchObject({ status: 409 })
    expect(refused.headers.get('x-svc-sim-hint')).toMatch(
      / needs 1?[57]00 USDC on base, but the account can bring only [\d.]+ USDC there$/,
    )
    const request = refused.headers.get('x-svc-sim-request-id')!
    const { verdict, now } = await whyOf(plan.plan_id)
    expect(now).not.toMatch(/\b\d{7,}\b/)
    expect(verdict.amounts).toMatchObject({
      needs: expect.stringMatching(/00 USDC$/),
      missing: expect.any(String),
    })
    for (const id of [plan.plan_id, request]) expect((await whyOf(id)).verdict.next).toMatch(first)
    expect((await whyOf(user.id)).verdict.next).toMatch(first)
    const [needs] = verdict.amounts!.needs!.split(' ')
    const body = transferOf(BigInt(needs!) * 1_000_000n)
    expect(await user.plan('transfer', body)).toMatchObject({ status: 400 })
    await fundAs(verdict.next!)
    expect((await whyOf(plan.plan_id)).verdict.next).not.toContain('fund')
    const again = await planned('transfer', body)
    expect((await whyOf(user.id)).now).not.toContain('the last refusal')
    expect((await user.execute(again)).status).toBe(200)
  },
)

test('behavior: an open plan is ready until another plan of its wallet uses a nonce of it, and again after a restore', async () => {
  const other = await openUser(sim)
  await other.fund('base', 'USDC', 1_000_000_000n)
  await user.fund('arbitrum', 'USDC', 1_000_000_000n)
  const innocent = await planned('transfer', transferOf(1_000_000n), other)
  const elsewhere = await planned('transfer', { ...transferOf(1_000_000n), network: 'arbitrum' })
  const plan = await planned('transfer', transferOf(1_000_000n))
  const next = await planned('transfer', transferOf(2_000_000n))
  const back = await sim.snapshot()
  const outcomes = async () =>
    Promise.all(
      [innocent, elsewhere, plan].map(
        async ({ plan_id }) => (await whyOf(plan_id)).verdict.outcome,
      ),
    )
  const listed = async () => {
    const plans = await openPlans()
    return [innocent, elsewhere, plan].map(
      ({ plan_id }) => plans.find((each) => each.plan_id === plan_id)!.is_stale,
    )
  }
  expect([await outcomes(), await listed()]).toEqual([
    ['ready', 'ready', 'ready'],
    [false, false, false],
  ])
  expect((await user.execute(next)).status).toBe(200)
  expect([await outcomes(), await listed()]).toEqual([
    ['ready', 'ready', 'stale'],
    [false, false, true],
  ])
  await sim.restore(back)
  expect([await outcomes(), await listed()]).toEqual([
    ['ready', 'ready', 'ready'],
    [false, false, false],
  ])
  expect((await user.execute(plan)).status).toBe(200)
})

test('behavior: a plan that another plan overtook is followed by a look at that one, also after its expiry', async () => {
  const plan = await planned('transfer', transferOf(600_000_000n))
  const next = await planned('transfer', transferOf(600_000_000n))
  const back = await sim.snapshot()
  const { activity_id } = (await user.execute(next)).body as { activity_id: string }
  const overtaken = new RegExp(
    `^look at activity ${activity_id}; unless it does what this plan was for, fund the account with 20\\d`,
  )
  expect((await whyOf(plan.plan_id)).verdict.next).toMatch(overtaken)
  await sim.clock.advance(600)
  const expired = await whyOf(plan.plan_id)
  expect(expired.verdict).toMatchObject({
    outcome: 'expired',
    cause: { cause: 'plan', activity_id },
  })
  expect(expired.verdict.next).toMatch(overtaken)
  expect(expired.now).toMatch(
    /^never executed; it expired at \S+Z\. Also, plan pln_\w+ of the same wallet was executed /,
  )
  // Nothing has overtaken it.
  await sim.restore(back)
  await sim.clock.advance(600)
  const { verdict } = await whyOf(plan.plan_id)
  expect(verdict).toMatchObject({ outcome: 'expired', cause: null })
  expect(verdict.next).toMatch(/^make a new plan/)
  const late = await user.execute(plan)
  const asked = await whyOf(late.headers.get('x-svc-sim-request-id')!)
  expect(asked.now).toBe(`returned 404 plan_not_found, because it expired at ${plan.expires_at}`)
  expect(asked.verdict.next).toMatch(/^make a new plan/)
  expect(await whyOf(plan.plan_id)).toMatchObject({ verdict: { outcome: 'expired', cause: null } })
  // The account goes with a reset.
  await sim.reset()
  const gone = await whyOf(plan.plan_id)
  expect(gone).toMatchObject({ verdict: { outcome: 'gone', cause: { cause: 'reset' } } })
  expect(gone.verdict.next).toMatch(/^create the account again \(POST \/accounts\), and make a new/)
})

test('behavior: a spent rule whose change lasts says so, and its next step undoes the change', async () => {
  const plan = await planned('swap', swap)
  await meets({ id: 'empty', effect: 'drain', times: 1 })
  expect((await user.plan('swap', swap)).status).toBe(422)
  const { now, verdict } = await whyOf('empty')
  expect(now).toContain(
    ' has fired 1 of 1 times and will not fire again, but what it changed stays until it is removed; it fired at ',
  )
  const next = 'remove the rule, which undoes what it changed: DELETE /_sim/faults/empty'
  expect(verdict).toMatchObject({ outcome: 'ended', next })
  await sim.faults.remove('empty')
  expect((await user.execute(plan)).status).toBe(200)
})

test('behavior: each refusal of a plan keeps its own cause, and says what holds now in another sentence', async () => {
  const plan = await planned('swap', swap)
  await meets({ id: 'empty', effect: 'drain' })
  const refuse = async () => (await user.execute(plan)).headers.get('x-svc-sim-request-id')!
  const first = await refuse()
  expect((await whyOf('empty')).now).toContain(' is armed: ')
  const drained = /^returned 409 plan_stale, because fault rule empty \(quote\.drain\) fired /
  const [isNow, wasThen] = ['; it would revert now: ', '; it would have reverted then: ']
  expect((await whyOf(first)).now).toMatch(drained)
  expect((await whyOf(first)).now).toContain(isNow)
  await sim.faults.remove('empty')
  for (const id of [first, user.id]) {
    const { now, verdict } = await whyOf(id)
    expect(now).toMatch(
      /because fault rule empty .*; it would have reverted then: .*\. Now the plan can be executed until 2026-\S+$/,
    )
    expect(verdict.next).toMatch(/^sign the digest/)
  }
  await setPrice('3500')
  const price = 'the price of ETH, WETH in USD moved from 3000 to 3500'
  const again = 'make a new plan with the same request'
  const both = async (id: string) => {
    const { now, verdict } = await whyOf(id)
    expect(now).toMatch(/ fault rule empty \(quote\.drain\) fired .* it would have reverted then/)
    expect(now.slice(now.indexOf(wasThen))).toContain(`. Also, ${price}`)
    expect(now).toContain(isNow)
    expect(verdict).toMatchObject({ cause: { rule: 'empty' }, next: again })
  }
  for (const id of [first, plan.plan_id, user.id]) await both(id)
  const second = await refuse()
  await both(first)
  for (const id of [second, plan.plan_id, user.id]) {
    const { now, verdict } = await whyOf(id)
    expect(now).toContain(price)
    expect(now).not.toContain('empty')
    expect(verdict).toMatchObject({ cause: { cause: 'price' }, next: again })
  }
  // The timeline tells the earlier refusal in the past, and the last one, which holds, in the present.
  const causes = async (id: string) =>
    (await whyOf(id)).timeline.flatMap(({ type, title }) => (type === 'cause' ? [title] : []))
  for (const [id, ...tenses] of [
    [plan.plan_id, wasThen, isNow],
    [first, wasThen],
    [second, isNow],
  ] as const) {
    const told = await causes(id)
    expect(told).toHaveLength(tenses.length)
    for (const [place, tense] of tenses.entries()) expect(told[place]).toContain(tense)
  }
  await setPrice('3000')
  for (const id of [plan.plan_id, second])
    for (const title of await causes(id)) expect(title).toContain(wasThen)
  // What became of it stays the same when it expires, is executed again, and is removed.
  const at = plan.expires_at
  for (const step of ['expire', 'execute', 'remove'] as const) {
    if (step === 'expire') await sim.clock.advance(121)
    if (step === 'execute') {
      const { now } = await whyOf(await refuse())
      expect(now).toBe(`returned 404 plan_not_found, because it expired at ${at}`)
    }
    if (step === 'remove') await planned('swap', swap)
    const { now, verdict } = await whyOf(plan.plan_id)
    expect(now.startsWith(`stale, and expired at ${at}: ${price}`)).toBe(true)
    expect(now.slice(now.indexOf(wasThen))).not.toContain(' now')
    const next = 'make a new plan; this one cannot be executed any more'
    expect(verdict).toMatchObject({ outcome: 'stale', cause: { cause: 'price' }, next })
    expect(await endOf(plan)).toBe('stale')
  }
})

test('behavior: a spread that was there when a plan was made, and is gone, is no culprit', async () => {
  await sim.faults.add({ id: 'wide', on: 'quote', effect: { slippage: { bps: 50 } } })
  const plan = await planned('swap', swap)
  await sim.faults.remove('wide')
  const { cause } = (await whyOf(plan.plan_id)).verdict
  expect(cause).toBe(null)
  const by_request = await setPrice('3500')
  expect((await whyOf(plan.plan_id)).verdict.cause).toMatchObject({ cause: 'price', by_request })
  await setPrice('3000')
  expect((await user.execute(plan)).status).toBe(200)
})

test('behavior: a plan that is refused for want of funds says how much, until they are given', async () => {
  const refused = await user.plan('transfer', transferOf(1_250_000_000n))
  const id = refused.headers.get('x-svc-sim-request-id')!
  const { now, verdict } = await whyOf(id)
  expect(now).toBe(
    'returned 400 plan_failed, because the plan needs 1250 USDC on base, but the account can bring only 1000 USDC there',
  )
  expect(verdict.next).toMatch(
    /^fund the account with 250 USDC on base .+, and send the request again; or ask for less$/,
  )
  await fundAs(verdict.next!)
  expect((await whyOf(id)).verdict.next).toBe('send the request again')
  await planned('transfer', transferOf(1_250_000_000n))
})

test('behavior: of a plan that ran and is executed again, the verdict is its activity, and nobody is told to plan again', async () => {
  const plan = await planned('transfer', transferOf(1_000_000n))
  const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
  await sim.clock.advance(0)
  const again = await user.execute(plan)
  const { verdict } = await whyOf(again.headers.get('x-svc-sim-request-id')!)
  expect(verdict).toMatchObject({ outcome: 'refused', cause: { cause: 'executed', activity_id } })
  expect(verdict.next).toBe(`follow activity ${activity_id}, and do not make a new plan for it`)
  expect((await whyOf(plan.plan_id)).verdict).toMatchObject({ outcome: 'confirmed', next: null })
})

test('behavior: a saved test has the write over /rpc as a step, and says what it cannot hold', async () => {
  await cases['a plan before it is innocent, a transfer over /rpc is not (two suspects)']!().then(
    ({ plan }) => user.execute(plan),
  )
  const saved = async () =>
    (await (await fetch(`${sim.controlUrl}/journal/scenario`)).json()) as {
      yaml: string
      left_out: string[]
    }
  const { yaml, left_out } = await saved()
  expect(left_out).toEqual([])
  expect(yaml).toContain('method: eth_sendTransaction')
  await sim.reset()
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ yaml })
  const played = await fetch(`${sim.controlUrl}/scenarios`, { method: 'POST', headers, body })
  expect(await played.json()).toMatchObject({ passed: true, failure: null })
  await sim.reset()
  user = await openUser(sim)
  const data = encodeFunctionData({
    ...{ abi: erc20Abi, functionName: 'approve', args: [user.wallet, 1n] },
  })
  await onBase('anvil_impersonateAccount', [friend])
  await onBase('anvil_setBalance', [friend, '0xde0b6b3a7640000'])
  await onBase('eth_sendTransaction', [{ from: friend, to: usdc, data }])
  expect((await saved()).left_out).toEqual([
    expect.stringMatching(/^eth_sendTransaction over \/rpc\/base: its calldata .* has an address/),
  ])
})
