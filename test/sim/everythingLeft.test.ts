import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readsOf } from '../kit/chainReads.js'
import { marketsOf } from '../kit/ledger.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody, type User } from '../kit/user.js'

/** "Everything" of a yield position while something under way is going to take a part of it. */

const network = 'base'
const { vault, comet } = marketsOf(network)
const debtAbi = parseAbi(['function borrowBalanceOf(address) view returns (uint256)'])
const usdc = 10n ** 6n
const places = {
  compound: { protocol: 'compound' },
  aave: { protocol: 'aave' },
  vault: { protocol: 'morpho_vault', market: vault.address },
}
type Place = keyof typeof places
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen' })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

const of = (place: Place, amount: string) => ({
  ...{ asset: 'USDC', network, amount },
  ...places[place],
})
const move = (from: Place, amount: string) => {
  const { protocol, market } = { market: undefined, ...places[from] }
  return {
    ...{ asset: 'USDC', network, amount, migrate_only_supply_balances: true },
    from_protocol: protocol,
    ...(market ? { from_market: market } : {}),
    to_protocol: from === 'aave' ? 'compound' : 'aave',
  }
}

/** 1,000 USDC in the market, and a WETH in the same Comet, which lends against it. */
async function saver(place: Place): Promise<User> {
  const user = await openUser(sim)
  await user.fund(network, 'USDC', 1_000n * usdc)
  await user.fund(network, 'WETH', 10n ** 18n)
  const loan = {
    ...{ asset: 'USDC', collateral_asset: 'WETH', network, protocol: 'compound' },
    ...{ amount: `${100n * usdc}`, collateral_amount: 'max' },
  }
  await user.run('borrow', loan)
  await user.run('repay', { ...loan, amount: 'max', collateral_amount: '0' })
  await user.run('earn', of(place, 'max'))
  return user
}

async function planned(user: User, kind: string, body: unknown): Promise<PlanBody> {
  const answer = await user.plan(kind, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body as PlanBody
}

/** Resolves to the activity's id when everything has come to rest. */
async function executed(user: User, plan: PlanBody): Promise<string> {
  const { body } = await user.execute(plan)
  expect(body).toMatchObject({ status: 'executing' })
  await sim.clock.advance(0)
  return body.activity_id
}

const started = async (user: User, kind: string, body: unknown) =>
  executed(user, await planned(user, kind, body))

async function statusOf(user: User, id: string) {
  return ((await user.api.get(`/activities/${id}`)).body as ActivityBody).activity_status
}

/** What the wallet owes to the Comet, on chain, in the smallest unit. */
async function owed({ wallet }: User): Promise<bigint> {
  const call = { abi: debtAbi, functionName: 'borrowBalanceOf', args: [wallet] } as const
  const asked = { to: comet.address, data: encodeFunctionData(call) }
  const data = await readsOf(sim).request<Hex>(network, 'eth_call', [asked, 'latest'])
  return decodeFunctionResult({ ...call, data })
}

/** Up to two smallest units stay for the market's rounding. */
function expectAbout(amount: bigint, dollars: bigint): void {
  expect(amount).toBeLessThanOrEqual(dollars * usdc)
  expect(amount).toBeGreaterThanOrEqual(dollars * usdc - 3n)
}

/** A withdrawal of 600 that waits in the pool. */
async function withdrawing(user: User, place: Place): Promise<string> {
  await sim.faults.set([{ on: 'execute', effect: { stuck: { seconds: 100 } }, times: 1 }])
  const id = await started(user, 'withdraw', of(place, `${600n * usdc}`))
  expect(await statusOf(user, id)).toBe('pending')
  return id
}

const held = ({ wallet }: User) => readsOf(sim).balance(network, 'USDC', wallet)
const everything = { withdraw: of, migrate: move }

test('behavior: everything is the position less the part of the other and two units, which the plan keeps', async () => {
  const user = await saver('compound')
  await withdrawing(user, 'compound')
  const position = await readsOf(sim).balanceIn(network, comet.address, user.wallet)
  const { details, ...plan } = await planned(user, 'withdraw', of('compound', 'max'))
  const [{ action }] = details.svc_operation_actions as [(typeof details.svc_operation_actions)[0]]
  const left = position - 600n * usdc - 2n
  expect(action.action_context.amount).toBe(`${left}`)
  await sim.clock.advance(50)
  await executed(user, { details, ...plan })
  expect(await held(user)).toBe(left)
})

describe.each(['compound', 'aave', 'vault'] as const)('everything from %s', (place) => {
  test.each(['withdraw', 'migrate'] as const)(
    'behavior: %s takes what is left, and the other its part, whichever comes first',
    async (kind) => {
      const user = await saver(place)
      const first = await withdrawing(user, place)
      const plan = await planned(user, kind, everything[kind](place, 'max'))
      await sim.clock.advance(50) // interest of a moment
      const second = await executed(user, plan)
      expect(await statusOf(user, second)).toBe('confirmed')
      expectAbout(await held(user), kind === 'withdraw' ? 400n : 0n)
      await sim.clock.advance(60)
      expect(await statusOf(user, first)).toBe('confirmed')
      expectAbout(await held(user), kind === 'withdraw' ? 1_000n : 600n)
      expect(await owed(user)).toBe(0n)
    },
  )

  test('behavior: planned before the other was under way, it is stale; planned again it takes what is left', async () => {
    const user = await saver(place)
    const early = await planned(user, 'withdraw', of(place, 'max'))
    const other = { ...of(place, `${600n * usdc}`) }
    const first = await planned(user, 'withdraw', other)
    await sim.faults.set([{ on: 'execute', effect: { stuck: { seconds: 100 } }, times: 1 }])
    const id = await executed(user, first)
    expect(await user.execute(early)).toMatchObject({ status: 409, body: { error: 'plan_stale' } })
    const again = await started(user, 'withdraw', of(place, 'max'))
    expect(await statusOf(user, again)).toBe('confirmed')
    await sim.clock.advance(120)
    expect(await statusOf(user, id)).toBe('confirmed')
    expectAbout(await held(user), 1_000n)
    expect(await owed(user)).toBe(0n)
  })

  test('behavior: more than what is left is refused, and after everything anything, with the reservation', async () => {
    const user = await saver(place)
    const id = await withdrawing(user, place)
    const tooMuch = await user.plan('withdraw', of(place, `${401n * usdc}`))
    const reserved = expect.stringContaining(`${id} still needs ${600n * usdc} of USDC`)
    expect(tooMuch).toMatchObject({ status: 400, body: { message: reserved } })
    await started(user, 'withdraw', of(place, 'max'))
    // Of what stays for the market's rounding a unit may be free.
    const more = await user.plan('withdraw', of(place, '4'))
    expect(more).toMatchObject({ status: 400, body: { message: reserved } })
    await sim.clock.advance(120)
    expectAbout(await held(user), 1_000n)
    expect(await owed(user)).toBe(0n)
  })
})
