import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Receipt } from '../../src/chain/rpc/node.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import { depositsIn } from '../../src/service/bridge/deposit.js'
import { arrival } from '../../src/service/bridge/outcome.js'
import { positionsOn } from '../kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody, type User } from '../kit/user.js'

/** Ether over a bridge: what the plan, the folio and the activity say of its form, against what the chain gives. */

const book = loadAddressBook()
const ether = 10n ** 18n
const native = book.token('base', 'ETH')!.address
const wrapped = book.token('base', 'WETH')!.address
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', bridgeDelayMs: 60_000 })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

type Values = Record<string, unknown>
interface Done extends ActivityBody {
  executions: {
    actions: { action_type: string; expected_values: Values; observed_values: Values }[]
  }[]
}

const activityOf = async (user: User, id: string) =>
  (await user.api.get(`/activities/${id}`)).body as unknown as Done

/** What the activity says of its action of this type, in the words of both generations. */
function said(activity: Done, type: string) {
  const action = activity.executions
    .flatMap(({ actions }) => actions)
    .find(({ action_type }) => action_type === type)!
  const item = activity.activity_metadata.find(({ action_type }) => action_type === type)!
  const [event] = item.semantic_events as { event_metadata: Values }[]
  return {
    context: item.action_context as Values,
    expected: action.expected_values,
    observed: action.observed_values,
    event: event?.event_metadata,
    hash: item.transaction_hash,
  }
}

/** Asks for half an ether on base of which all must come from optimism; resolves with the deposit made. */
async function sent(user: User): Promise<string> {
  await user.fund('optimism', 'ETH', ether)
  const amount = (ether / 2n).toString()
  const earn = { asset: 'ETH', network: 'base', protocol: 'aave', amount }
  const plan = (await user.plan('earn', earn)).body as PlanBody
  const { body } = await user.execute(plan)
  await sim.clock.advance(0)
  return body.activity_id
}

/** A plan on base alone deploys the wallet there. */
async function deploy(user: User): Promise<void> {
  await user.fund('base', 'USDC', 1_000_000n)
  const gift = { asset: 'USDC', network: 'base', amount: '1000000', recipient: user.signer }
  const { body } = await user.execute((await user.plan('transfer', gift)).body as PlanBody)
  await sim.clock.advance(0)
  expect((await activityOf(user, body.activity_id)).activity_status).toBe('confirmed')
}

const fillPatch = async (user: User) => {
  const { patches } = (await user.api.get(`${user.path}/folio`)).body.folio
  const key = Object.keys(patches).find((each) => each.startsWith('across_fill/'))!
  return patches[key][0].target
}
const balance = (user: User, network: NetworkName, symbol: string) =>
  positionsOn(sim, network).balance(symbol, user.wallet)

async function receiptOf(network: NetworkName, hash: unknown): Promise<Receipt> {
  const method = 'eth_getTransactionReceipt'
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [hash] })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(sim.rpc(network), { method: 'POST', headers, body })
  return ((await answer.json()) as { result: Receipt }).result
}

/** The deposit and the fill of an activity, as the chains have them. */
async function bridgeOf(activity: Done) {
  const { logs } = await receiptOf('optimism', said(activity, 'BRIDGE').hash)
  const fill = await receiptOf('base', said(activity, 'BRIDGE_MINT').hash)
  return { deposit: depositsIn(logs, 'optimism', book)[0]!, fill }
}

test('default: to a wallet that is not deployed it comes native, and is said to before and after', async () => {
  const user = await openUser(sim)
  const id = await sent(user)
  const waiting = said(await activityOf(user, id), 'BRIDGE_MINT')
  expect(waiting.context).toMatchObject({ asset_symbol: 'ETH', token: native })
  expect(waiting.expected).toMatchObject({ asset_symbol: 'ETH', token: native })
  expect(waiting.observed).toEqual({})
  expect(await fillPatch(user)).toBe(`token/base/ETH/${user.wallet}`)
  await sim.clock.advance(61)
  const activity = await activityOf(user, id)
  expect(activity.activity_status).toBe('confirmed')
  const fill = said(activity, 'BRIDGE_MINT')
  expect(fill.event).toMatchObject({ token: native })
  expect(fill.event!.dollar_value).not.toBe('0')
  expect(fill.observed).toEqual(fill.expected)
  expect(fill.expected).toMatchObject({ asset_symbol: 'ETH', token: native })
  const { expected, observed } = said(activity, 'BRIDGE')
  expect(expected).toMatchObject({ asset_symbol: 'WETH', destination_asset_symbol: 'ETH' })
  expect(observed).toEqual(expected)
})

test('behavior: the wallet is deployed while it is on its way: it comes wrapped, and that is what was observed', async () => {
  const user = await openUser(sim)
  const id = await sent(user)
  expect(await fillPatch(user)).toBe(`token/base/ETH/${user.wallet}`)
  await deploy(user)
  expect(await fillPatch(user)).toBe(`token/base/WETH/${user.wallet}`)
  const before = said(await activityOf(user, id), 'BRIDGE')
  expect(before.observed).toMatchObject({ destination_asset_symbol: 'ETH' })
  await sim.clock.advance(61)
  const activity = await activityOf(user, id)
  expect(activity.activity_status).toBe('confirmed')
  const fill = said(activity, 'BRIDGE_MINT')
  expect(fill.expected).toMatchObject({ asset_symbol: 'ETH', token: native })
  expect(fill.observed).toMatchObject({ asset_symbol: 'WETH', token: wrapped })
  expect(fill.event).toMatchObject({ token: wrapped })
  expect(said(activity, 'BRIDGE').expected).toMatchObject({ destination_asset_symbol: 'ETH' })
  expect(said(activity, 'BRIDGE').observed).toMatchObject({ destination_asset_symbol: 'WETH' })
  // The next one knows the wallet as it is.
  const again = await sent(user)
  const { context } = said(await activityOf(user, again), 'BRIDGE_MINT')
  expect(context).toMatchObject({ asset_symbol: 'WETH', token: wrapped })
  await sim.clock.advance(61)
  const second = said(await activityOf(user, again), 'BRIDGE_MINT')
  expect(second.observed).toEqual(second.expected)
})

test('behavior: a part that comes is of the form in which it comes', async () => {
  const user = await openUser(sim)
  await sim.faults.add({ on: 'bridge', effect: 'partial', match: { account_id: user.id } })
  const id = await sent(user)
  await sim.clock.advance(61)
  const fill = said(await activityOf(user, id), 'BRIDGE_MINT')
  const came = await balance(user, 'base', 'ETH')
  expect(came).toBe(BigInt(fill.expected.output_amount as string) / 2n)
  expect(await balance(user, 'base', 'WETH')).toBe(0n)
  expect(fill.event).toMatchObject({ token: native, amount: came.toString() })
  expect(fill.observed).toMatchObject({
    ...{ asset_symbol: 'ETH', token: native, output_amount: came.toString() },
  })
})

test('behavior: sent back it is what was deposited, wrapped, on the network that it came from', async () => {
  const user = await openUser(sim)
  await sim.faults.add({ on: 'bridge', effect: 'refund', match: { account_id: user.id } })
  const activity = await activityOf(user, await sent(user))
  expect(activity.activity_status).toBe('failed')
  expect(said(activity, 'BRIDGE_MINT').context).toMatchObject({ asset_symbol: 'ETH' })
  expect(said(activity, 'BRIDGE_MINT').observed).toEqual({})
  const token = book.token('optimism', 'WETH')!.address
  const refund = said(activity, 'BRIDGE_REFUND')
  expect(refund.observed).toMatchObject({ asset_symbol: 'WETH', token })
  expect(refund.event).toMatchObject({
    token,
    amount: (await balance(user, 'optimism', 'WETH')).toString(),
  })
})

test('behavior: of two fills in one transaction each is told by its own logs', async () => {
  const [fresh, deployed] = [await openUser(sim), await openUser(sim)]
  await deploy(deployed)
  const ids = [await sent(fresh), await sent(deployed)]
  await sim.clock.advance(61)
  const one = await bridgeOf(await activityOf(fresh, ids[0]!))
  const other = await bridgeOf(await activityOf(deployed, ids[1]!))
  for (const logs of [
    [...one.fill.logs, ...other.fill.logs],
    [...other.fill.logs, ...one.fill.logs],
  ]) {
    const both = { ...one.fill, logs }
    expect(arrival({ book }, both, one.deposit).isNative).toBe(true)
    expect(arrival({ book }, both, other.deposit).isNative).toBe(false)
  }
})
