import type { Address } from 'viem'
import { createPublicClient, erc20Abi, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import { bridgeHint, bridgeInput, bridgeOutput } from '../../src/service/bridge/hints.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

const book = loadAddressBook()
const friend: Address = '0x00000000000000000000000000000000000f41e7'
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20 })
})
afterAll(() => sim.close())

/** The balance by an independent read; native tokens too. */
async function balanceOf(network: NetworkName, symbol: string, account: Address): Promise<bigint> {
  const client = createPublicClient({ transport: http(sim.rpc(network)) })
  const token = book.token(network, symbol)!
  return token.native
    ? client.getBalance({ address: account })
    : client.readContract({
        address: token.address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account],
      })
}

test('error: not enough on all networks together names what could be delivered', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.fund('optimism', 'USDC', 5_000_000n)
  const { status, body } = await user.plan('transfer', {
    asset: 'USDC',
    amount: '20000000',
    network: 'base',
    recipient: friend,
  })
  const arriving = bridgeOutput(bridgeHint('optimism', 'base', 'USDC')!, 5_000_000n)
  expect(status).toBe(400)
  expect(body).toEqual({
    error: 'plan_failed',
    message: `insufficient resources of USDC on base: target 20000000, max ${5_000_000n + arriving}`,
  })
})

test('error: an asset that cannot be bridged must be on the network', async () => {
  const user = await openUser(sim)
  await user.fund('mainnet', 'COMP', 10n ** 18n)
  const request = { asset: 'COMP', amount: '1', network: 'base', recipient: friend }
  expect((await user.plan('transfer', request)).body).toMatchObject({
    error: 'plan_failed',
    message: 'insufficient resources of COMP on base: target 1, max 0',
  })
})

test('behavior: own funds are used first; then no other network is touched', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.fund('arbitrum', 'USDC', 5_000_000n)
  const earn = { asset: 'USDC', amount: '5000000', network: 'base', protocol: 'compound' }
  const { details } = (await user.plan('earn', earn)).body as PlanBody
  expect(details.svc_operation_actions).toHaveLength(1)
})

test('default: a shortfall is bridged from several networks with one signature', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 10_000_000n)
  await user.fund('mainnet', 'USDC', 20_000_000n)
  await user.fund('polygon', 'USDC', 30_000_000n)
  const { plan, activity } = await user.run('earn', {
    asset: 'USDC',
    amount: '50000000',
    network: 'base',
    protocol: 'compound',
  })
  const actions = plan.details.svc_operation_actions.map(({ action }) => [
    action.execution_type,
    action.action_context.action_type,
    action.action_context.chain_id,
  ])
  expect(actions).toEqual([
    ['IMMEDIATE', 'BRIDGE', '1'],
    ['IMMEDIATE', 'BRIDGE', '137'],
    ['CONTINGENT', 'COMET_SUPPLY', '8453'],
  ])
  expect(plan.details.steps.map(({ type, depends_on }) => [type, depends_on])).toEqual([
    ['svc_operation', []],
    ['exogenous', [0]],
    ['svc_operation', []],
    ['exogenous', [2]],
    ['svc_operation', [1, 3]],
  ])
  // The fixed cost weighs least on the largest leg: polygon gives all it has, mainnet covers exactly what is left.
  const largest = bridgeOutput(bridgeHint('polygon', 'base', 'USDC')!, 30_000_000n)
  const rest = bridgeInput(bridgeHint('mainnet', 'base', 'USDC')!, 40_000_000n - largest)
  expect(
    plan.details.svc_operation_actions.map((each) => each.action.action_context.amount),
  ).toEqual([rest.toString(), '30000000', '50000000'])

  expect(activity.activity_status).toBe('confirmed')
  expect(
    activity.activity_metadata.map((item) => [
      item.activity_record_type,
      item.chain_id,
      item.success,
    ]),
  ).toEqual([
    ['executed', 1, true],
    ['executed', 137, true],
    ['exogenous', 8453, true],
    ['exogenous', 8453, true],
    ['executed', 8453, true],
  ])
  expect(await balanceOf('polygon', 'USDC', user.wallet)).toBe(0n)
  expect(await balanceOf('mainnet', 'USDC', user.wallet)).toBe(20_000_000n - rest)
  const comet = book.on('base').comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!.address
  const client = createPublicClient({ transport: http(sim.rpc('base')) })
  const supplied = await client.readContract({
    address: comet,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [user.wallet],
  })
  // Comet rounds down twice, to the principal and back; the way back counts by an index above one.
  expect(50_000_000n - supplied).toBeLessThanOrEqual(2n)
})

test('behavior: many fills on one network at once all arrive', async () => {
  const sources = ['mainnet', 'arbitrum', 'optimism', 'polygon'] as const
  const users = await Promise.all(sources.map(() => openUser(sim)))
  await Promise.all(users.map((user, i) => user.fund(sources[i]!, 'USDC', 9_000_000n)))
  const transfer = { asset: 'USDC', amount: '5000000', network: 'base', recipient: friend }
  const before = await balanceOf('base', 'USDC', friend)
  const runs = await Promise.all(users.map((user) => user.run('transfer', transfer)))
  expect(runs.map(({ activity }) => activity.activity_status)).toEqual(
    sources.map(() => 'confirmed'),
  )
  expect(await balanceOf('base', 'USDC', friend)).toBe(before + 20_000_000n)
})

test('behavior: everything means everything on all networks, and leaves nothing behind', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 7_000_000n)
  await user.fund('optimism', 'USDC', 9_000_000n)
  const before = await balanceOf('arbitrum', 'USDC', friend)
  const { plan, activity } = await user.run('transfer', {
    asset: 'USDC',
    amount: 'max',
    network: 'arbitrum',
    recipient: friend,
  })
  expect(activity.activity_status).toBe('confirmed')
  const sent = BigInt(
    plan.details.svc_operation_actions.at(-1)!.action.action_context.amount as string,
  )
  expect(await balanceOf('arbitrum', 'USDC', friend)).toBe(before + sent)
  for (const network of ['base', 'optimism', 'arbitrum'] as const)
    expect(await balanceOf(network, 'USDC', user.wallet)).toBe(0n)
})

test('behavior: native ETH is wrapped, bridged, and arrives in the form that the plan needs', async () => {
  const user = await openUser(sim)
  await user.fund('optimism', 'ETH', 10n ** 18n)
  const half = 5n * 10n ** 17n
  const before = await balanceOf('base', 'ETH', friend)
  const native = await user.run('transfer', {
    asset: 'ETH',
    amount: half.toString(),
    network: 'base',
    recipient: friend,
  })
  expect(native.activity.activity_status).toBe('confirmed')
  expect(await balanceOf('base', 'ETH', friend)).toBe(before + half)
  // By now the wallet is deployed on base, so that the fill arrives wrapped instead of native.
  const wrapped = await user.run('earn', {
    asset: 'WETH',
    amount: '100000000000000000',
    network: 'base',
    protocol: 'compound',
  })
  expect(wrapped.activity.activity_status).toBe('confirmed')
})

test('behavior: the twin on the same network is wrapped or unwrapped within the plan', async () => {
  const user = await openUser(sim)
  await user.fund('polygon', 'POL', 3n * 10n ** 18n)
  const { plan, activity } = await user.run('transfer', {
    asset: 'WPOL',
    amount: '2000000000000000000',
    network: 'polygon',
    recipient: friend,
  })
  expect(activity.activity_status).toBe('confirmed')
  expect(activity.activity_metadata.map((item) => item.action_type)).toEqual(['WRAP', 'TRANSFER'])
  // Both in one transaction, all or nothing.
  expect(new Set(activity.activity_metadata.map((item) => item.transaction_hash)).size).toBe(1)
  expect(plan.details.svc_operation_actions).toHaveLength(2)
  expect(await balanceOf('polygon', 'POL', user.wallet)).toBe(10n ** 18n)
})

test('behavior: the folio lists every route, and the fill as a completion', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 5_000_000n)
  await user.run('transfer', {
    asset: 'USDC',
    amount: '1000000',
    network: 'base',
    recipient: friend,
  })
  const { folio } = (await user.api.get(`${user.path}/folio`)).body as {
    folio: { bridge_hints: Record<string, unknown>; completion_statuses: Record<string, boolean> }
  }
  expect(Object.keys(folio.bridge_hints)).toHaveLength(5 * 4 * 2)
  expect(folio.bridge_hints['across/arbitrum/USDC/base/USDC']).toEqual({
    estimated_fill_time_sec: 2,
    fixed_cost: '0.003e6',
    max_amount: '3000000e6',
    max_amount_instant: '3000000e6',
    min_amount: '0.6e6',
    rate: '0.9999',
  })
  const fills = Object.entries(folio.completion_statuses).filter(([key]) =>
    key.startsWith('across_fill/'),
  )
  expect(fills).toHaveLength(1)
  expect(fills[0]![1]).toBe(true)
})
