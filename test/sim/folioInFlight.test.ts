import { get, type IncomingMessage } from 'node:http'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { bridgeHint, bridgeInput } from '../../src/service/bridge/hints.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody, type User } from '../kit/user.js'

/** What is in flight, as the folio tells it: patches until their completion is true, balances only what the chain says. */

const friend: Address = '0x00000000000000000000000000000000000f41e7'
const book = loadAddressBook()
const transfer = { asset: 'USDC', amount: '7000000', network: 'base', recipient: friend }
const input = bridgeInput(bridgeHint('optimism', 'base', 'USDC')!, 2_000_000n)
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', bridgeDelayMs: 60_000 })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

interface Folio {
  balances: Record<string, string>
  completion_statuses: Record<string, boolean>
  patches: Record<string, { target: string; delta: string }[]>
}

async function folioOf(user: User, query = ''): Promise<Folio> {
  return (await user.api.get(`${user.path}/folio${query}`)).body.folio
}

async function activityOf(user: User, id: string): Promise<ActivityBody> {
  return (await user.api.get(`/activities/${id}`)).body as ActivityBody
}

async function funded(): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.fund('optimism', 'USDC', 5_000_000n)
  return user
}

/** Plans and executes; resolves when everything has come to rest. */
async function started(user: User, kind: string, body: unknown) {
  const planned = await user.plan(kind, body)
  expect(planned.body).toMatchObject({ plan_id: expect.any(String) })
  const plan = planned.body as PlanBody
  const { body: answer } = await user.execute(plan)
  expect(answer).toMatchObject({ status: 'executing' })
  await sim.clock.advance(0)
  const nonces = plan.details.svc_operation_actions.map(({ operation }) => operation.nonce)
  return { id: answer.activity_id as string, keys: nonces.map(nonceKey(user)) }
}

const nonceKey = (user: User) => (nonce: string) => `svc_nonce/${user.wallet}/${nonce}`

/** The key of the fill that the activity expects, or has had. */
async function fillKey(user: User, id: string): Promise<string> {
  const { activity_metadata } = await activityOf(user, id)
  const mint = activity_metadata.find(({ action_type }) => action_type === 'BRIDGE_MINT')!
  return `across_fill/${user.wallet}/${mint.relay_hash}`
}

const usdc = (user: User, network: string): string => `token/${network}/USDC/${user.wallet}`

describe('default: a bridge, step by step', () => {
  test('its source still waits to be mined', async () => {
    const user = await funded()
    await sim.faults.add({
      on: 'execute',
      effect: 'stuck',
      match: { account_id: user.id, network: 'optimism' },
    })
    const { keys } = await started(user, 'transfer', transfer)
    const { balances, completion_statuses, patches } = await folioOf(user)
    const [bridge, sent] = keys as [string, string]
    expect(completion_statuses).toEqual({ [bridge]: false, [sent]: false })
    expect(patches).toEqual({
      [bridge]: [{ target: usdc(user, 'optimism'), delta: `-${Number(input) / 1e6}e6` }],
      [sent]: [{ target: usdc(user, 'base'), delta: '-7e6' }],
    })
    expect(balances[usdc(user, 'optimism')]).toBe('5e6')
  })

  test('deposited, then filled', async () => {
    const user = await funded()
    const { id, keys } = await started(user, 'transfer', transfer)
    const fill = await fillKey(user, id)
    const [bridge, sent] = keys as [string, string]
    const waiting = await folioOf(user)
    expect(waiting.completion_statuses).toEqual({ [bridge]: true, [fill]: false, [sent]: false })
    expect(waiting.patches).toEqual({
      [fill]: [{ target: usdc(user, 'base'), delta: '2e6' }],
      [sent]: [{ target: usdc(user, 'base'), delta: '-7e6' }],
    })
    // In the order in which they happen.
    expect(Object.keys(waiting.patches)).toEqual([fill, sent])
    expect(waiting.balances[usdc(user, 'base')]).toBe('5e6')
    expect(waiting.balances[usdc(user, 'optimism')]).toBe(`${5 - Number(input) / 1e6}e6`)
    // The last computed one says what was in flight then, with the balances of then.
    await sim.clock.advance(61)
    expect(await folioOf(user, '?cached=true')).toMatchObject({
      balances: waiting.balances,
      patches: waiting.patches,
    })
    const after = await folioOf(user)
    expect(after.completion_statuses).toEqual({ [bridge]: true, [fill]: true, [sent]: true })
    expect(after.patches).toEqual({})
    expect(after.balances[usdc(user, 'base')]).toBeUndefined()
  })

  test('filled, and what waited for it waits to be mined', async () => {
    const user = await funded()
    await sim.faults.add({
      on: 'execute',
      effect: 'stuck',
      match: { account_id: user.id, network: 'base' },
    })
    const { id, keys } = await started(user, 'transfer', transfer)
    await sim.clock.advance(61)
    const folio = await folioOf(user)
    expect(folio.completion_statuses[await fillKey(user, id)]).toBe(true)
    expect(folio.patches).toEqual({ [keys[1]!]: [{ target: usdc(user, 'base'), delta: '-7e6' }] })
    expect(folio.balances[usdc(user, 'base')]).toBe('7e6')
  })
})

test('behavior: refunded: nothing is under way any more, and the fill never came', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'bridge', effect: 'stuck', match: { account_id: user.id } })
  const { id, keys } = await started(user, 'transfer', transfer)
  const fill = await fillKey(user, id)
  expect(Object.keys((await folioOf(user)).patches).sort()).toEqual([fill, keys[1]!].sort())
  await sim.clock.advance(700)
  const { patches, completion_statuses, balances } = await folioOf(user)
  expect(patches).toEqual({})
  expect(completion_statuses).toEqual({ [keys[0]!]: true, [fill]: false, [keys[1]!]: false })
  expect(balances[usdc(user, 'optimism')]).toBe('5e6')
})

test('behavior: of a plan that has failed in one source, only the other’s bridge is under way', async () => {
  const user = await funded()
  await user.fund('arbitrum', 'USDC', 5_000_000n)
  await sim.faults.add({
    on: 'execute',
    effect: { revert: { by: 'gas' } },
    match: { account_id: user.id, network: 'optimism' },
  })
  const { id } = await started(user, 'transfer', { ...transfer, amount: '12000000' })
  const fill = await fillKey(user, id)
  const folio = await folioOf(user)
  expect(Object.keys(folio.patches)).toEqual([fill])
  expect(folio.patches[fill]).toMatchObject([{ target: usdc(user, 'base') }])
  await sim.clock.advance(61)
  expect((await folioOf(user)).patches).toEqual({})
})

test('behavior: ether arrives as ether where the wallet is not deployed, and is wrapped there', async () => {
  const user = await openUser(sim)
  const ether = 10n ** 18n
  await user.fund('optimism', 'WETH', ether)
  const asked = { ...transfer, asset: 'WETH', amount: (ether / 2n).toString() }
  const { id, keys } = await started(user, 'transfer', asked)
  const { patches } = await folioOf(user)
  const token = (symbol: string): string => `token/base/${symbol}/${user.wallet}`
  expect(patches).toEqual({
    [await fillKey(user, id)]: [{ target: token('ETH'), delta: '0.5e18' }],
    [keys[1]!]: [
      { target: token('ETH'), delta: '-0.5e18' },
      { target: token('WETH'), delta: '0.5e18' },
    ],
    [keys[2]!]: [{ target: token('WETH'), delta: '-0.5e18' }],
  })
})

test('behavior: a world restored in flight has it in flight again', async () => {
  const user = await funded()
  await started(user, 'transfer', transfer)
  const before = await folioOf(user)
  const snapshot = await sim.snapshot()
  await sim.clock.advance(61)
  expect((await folioOf(user)).patches).toEqual({})
  await sim.restore(snapshot)
  await sim.clock.advance(0)
  const { patches, completion_statuses } = await folioOf(user)
  expect(patches).toEqual(before.patches)
  expect(completion_statuses).toEqual(before.completion_statuses)
  expect(Object.keys(patches)).toHaveLength(2)
})

describe('behavior: what a waiting operation is said to change is what it changes', () => {
  const onBase = { network: 'base', asset: 'USDC' }
  const wethUsdc = book
    .on('base')
    .morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!.id
  const vault = book.on('base').morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
  const loan = { ...onBase, collateral_asset: 'WETH', amount: '500000000' }
  const backed = { ...loan, collateral_amount: (10n ** 18n).toString() }
  const comet = { protocol: 'compound' }
  const morpho = { protocol: 'morpho', market: wethUsdc }
  const inVault = { protocol: 'morpho_vault', market: vault.address }

  test.each<[string, unknown, (readonly [string, unknown])[], string[]]>([
    ['transfer', { ...transfer, amount: '1000000' }, [], ['token']],
    ['earn', { ...onBase, amount: '2000000', ...comet }, [], ['token', 'yield_market']],
    ['earn', { ...onBase, amount: '2000000', protocol: 'aave' }, [], ['token', 'yield_market']],
    ['earn', { ...onBase, amount: '2000000', ...inVault }, [], ['token', 'yield_market']],
    [
      'withdraw',
      { ...onBase, amount: 'max', ...comet },
      [['earn', { ...onBase, amount: '2000000', ...comet }]],
      ['token', 'yield_market'],
    ],
    [
      'withdraw',
      { ...onBase, amount: '1500000', ...inVault },
      [['earn', { ...onBase, amount: '2000000', ...inVault }]],
      ['token', 'yield_market'],
    ],
    [
      'borrow',
      { ...backed, ...comet },
      [],
      ['borrow_market', 'borrow_market_collateral', 'token', 'token'],
    ],
    [
      'borrow',
      { ...backed, ...morpho },
      [],
      ['borrow_market', 'borrow_market_collateral', 'token', 'token'],
    ],
    [
      'repay',
      { ...loan, ...morpho, amount: '100000000', collateral_amount: (10n ** 17n).toString() },
      [['borrow', { ...backed, ...morpho }]],
      ['borrow_market', 'borrow_market_collateral', 'token', 'token'],
    ],
    [
      'swap',
      { network: 'base', sell_asset: 'USDC', buy_asset: 'DAI', sell_amount: '1000000' },
      [],
      ['token', 'token'],
    ],
    [
      'transfer',
      { ...transfer, asset: 'ETH', amount: (12n * 10n ** 17n).toString() },
      [],
      ['token', 'token', 'token'],
    ],
  ])('%s (%#)', async (kind, body, before, kinds) => {
    const user = await funded()
    await user.fund('base', 'WETH', 2n * 10n ** 18n)
    await user.fund('base', 'ETH', 10n ** 18n)
    for (const [first, request] of before) {
      const { id } = await started(user, first, request)
      expect((await activityOf(user, id)).activity_status).toBe('confirmed')
    }
    await sim.faults.add({ on: 'execute', effect: 'stuck', match: { account_id: user.id } })
    const { id } = await started(user, kind, body)
    const waiting = await folioOf(user)
    const patches = Object.values(waiting.patches).flat()
    expect(patches.map(({ target }) => target.split('/')[0]).sort()).toEqual(kinds)
    await sim.faults.clear()
    await sim.clock.advance(0)
    expect((await activityOf(user, id)).activity_status).toBe('confirmed')
    const after = await folioOf(user)
    expect(after.patches).toEqual({})
    const sums = new Map<string, bigint>()
    for (const { target, delta } of patches)
      sums.set(target, (sums.get(target) ?? 0n) + units(delta))
    for (const [target, change] of sums) {
      const changed = units(after.balances[target]) - units(waiting.balances[target])
      // Markets round their shares, and interest is a matter of seconds.
      expect(changed - change, target).toBeLessThanOrEqual(2n)
      expect(changed - change, target).toBeGreaterThanOrEqual(-2n)
    }
    // Nothing else has changed.
    const others = (folio: Folio) =>
      Object.entries(folio.balances).filter(([key]) => !sums.has(key) && key.startsWith('token/'))
    expect(others(after)).toEqual(others(waiting))
  })
})

describe('behavior: ether of which a part is bridged: what waits is said to change what it changes, whatever the wallet is by then', () => {
  const ether = 10n ** 18n
  const earn = { asset: 'ETH', network: 'base', protocol: 'aave' }
  const send = { ...transfer, asset: 'ETH' }
  const supply = {
    ...{ sell_asset: 'ETH', buy_asset: 'USDC', network: 'base' },
    ...{ protocol: 'aave', sell_amount: 'max' },
  }
  const all = 'max'
  const some = ether.toString()

  /** A wallet with both forms on base, deployed there or not, and one ether on optimism. */
  async function withTwins(isDeployed: boolean): Promise<User> {
    const user = await funded()
    if (isDeployed) await deploy(user)
    await user.fund('optimism', 'ETH', ether)
    await user.fund('base', 'ETH', ether / 2n)
    await user.fund('base', 'WETH', ether / 4n)
    return user
  }

  async function deploy(user: User): Promise<void> {
    const { id } = await started(user, 'transfer', { ...transfer, amount: '1000000' })
    expect((await activityOf(user, id)).activity_status).toBe('confirmed')
  }

  /** The balances as they will be with all patches; never below zero. */
  async function foretold(user: User): Promise<Map<string, bigint>> {
    const { balances, patches } = await folioOf(user)
    const sums = new Map(Object.entries(balances).map(([key, amount]) => [key, units(amount)]))
    for (const { target, delta } of Object.values(patches).flat())
      sums.set(target, (sums.get(target) ?? 0n) + units(delta))
    for (const [target, amount] of sums) expect(amount, target).toBeGreaterThanOrEqual(0n)
    return sums
  }

  /** Tokens to the unit; markets round their shares, and interest is a matter of seconds. */
  function expectSame(found: Map<string, bigint>, said: Map<string, bigint>): void {
    for (const key of new Set([...found.keys(), ...said.keys()])) {
      const expected = said.get(key) ?? 0n
      const difference = (found.get(key) ?? 0n) - expected
      const room = key.startsWith('token/') ? 0n : expected / 10n ** 8n
      expect(difference, key).toBeLessThanOrEqual(room)
      expect(difference, key).toBeGreaterThanOrEqual(-room)
    }
  }

  test.each<[string, object, boolean, 'WRAP' | 'UNWRAP', boolean]>([
    ['earn', { ...earn, amount: all }, true, 'WRAP', false],
    ['earn', { ...earn, amount: all }, false, 'WRAP', false],
    ['earn', { ...earn, amount: some }, true, 'WRAP', false],
    ['transfer', { ...send, amount: all }, true, 'UNWRAP', false],
    ['transfer', { ...send, amount: all }, false, 'UNWRAP', false],
    ['transfer', { ...send, amount: some }, false, 'UNWRAP', false],
    ['swap-and-supply', supply, true, 'UNWRAP', false],
    ['swap-and-supply', supply, false, 'UNWRAP', false],
    // What comes first deploys the wallet before the bridge delivers, so that the other form arrives.
    ['earn', { ...earn, amount: all }, false, 'WRAP', true],
    ['transfer', { ...send, amount: some }, false, 'UNWRAP', true],
  ])(
    '%s %j, deployed: %s: %s, deployed meanwhile: %s',
    async (kind, body, isDeployed, type, isDeployedMeanwhile) => {
      const user = await withTwins(isDeployed)
      const match = { account_id: user.id }
      await sim.faults.add({ id: 'held', on: 'bridge', effect: 'stuck', match })
      const { id } = await started(user, kind, body)
      if (isDeployedMeanwhile) await deploy(user)
      const bridging = await foretold(user)
      await sim.faults.add({ id: 'last', on: 'execute', effect: 'stuck', match })
      await sim.faults.remove('held')
      await sim.clock.advance(61)
      // What has arrived is said of no fill any more, and the rest is to be done with it.
      expect(Object.keys((await folioOf(user)).patches)).not.toContainEqual(
        expect.stringMatching(/^across_fill/),
      )
      expectSame(await foretold(user), bridging)
      await sim.faults.clear()
      await sim.clock.advance(0)
      const { activity_status, executions } = (await user.api.get(`/activities/${id}`))
        .body as unknown as Settled
      expect(activity_status).toBe('confirmed')
      expect((await folioOf(user)).patches).toEqual({})
      expectSame(await foretold(user), bridging)
      const turned = executions
        .filter(({ chain_id }) => chain_id === 8453)
        .flatMap(({ actions }) => actions)
        .find(({ action_type }) => action_type === type)!
      if (!isDeployedMeanwhile)
        expect(turned.observed_values.amount).toBe(turned.expected_values.amount)
    },
  )

  test.each([false, true])(
    'two at once: what the first still needs is not there for the second, deployed: %s',
    async (isDeployed) => {
      const user = await withTwins(isDeployed)
      const match = { account_id: user.id }
      await sim.faults.add({ id: 'held', on: 'bridge', effect: 'stuck', match })
      const ids = []
      for (const amount of [ether, (4n * ether) / 10n])
        ids.push((await started(user, 'earn', { ...earn, amount: amount.toString() })).id)
      const bridging = await foretold(user)
      await sim.faults.clear()
      await sim.clock.advance(61)
      for (const id of ids) expect((await activityOf(user, id)).activity_status).toBe('confirmed')
      expectSame(await foretold(user), bridging)
    },
  )
})

interface Settled {
  activity_status: string
  executions: {
    chain_id: number
    actions: {
      action_type: string
      expected_values: { amount: string }
      observed_values: { amount: string }
    }[]
  }[]
}

/** The integer that a folio amount such as `-1.5e6` stands for; none is none. */
function units(amount = '0e0'): bigint {
  const [, sign, whole, fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d*[1-9]))?e(\d+)$/.exec(
    amount,
  )!
  const size = BigInt(whole! + fraction.padEnd(Number(exponent), '0'))
  return sign ? -size : size
}

test('behavior: the stream tells when something is in flight, and when it is not any more', async () => {
  const user = await funded()
  const headers = { authorization: `Bearer ${sim.apiKey}` }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${sim.url}${user.path}/folio/stream`, { headers }, resolve).on('error', reject)
  })
  const pairs = pairsOf(response)
  expect((await pairs.next()).value).toContainEqual([`balances/${usdc(user, 'base')}`, '5e6'])
  const { id } = await started(user, 'transfer', transfer)
  const fill = await fillKey(user, id)
  const known = new Map<string, unknown>()
  const until = async (enough: () => boolean): Promise<void> => {
    while (!enough())
      for (const [key, value] of (await pairs.next()).value as Pair[]) known.set(key, value)
  }
  await until(() => known.get(`completion_statuses/${fill}`) === false)
  expect(known.get(`patches/${fill}`)).toEqual([{ target: usdc(user, 'base'), delta: '2e6' }])
  await sim.clock.advance(61)
  await until(() => known.get(`completion_statuses/${fill}`) === true)
  expect(known.get(`patches/${fill}`)).toBeNull()
  response.destroy()
})

type Pair = [string, unknown]

async function* pairsOf(response: IncomingMessage): AsyncGenerator<Pair[]> {
  let text = ''
  for await (const chunk of response) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = text.slice(0, end).split('\n')[1]
      text = text.slice(end + 2)
      if (data) yield JSON.parse(data.slice(6)) as Pair[]
    }
  }
}
