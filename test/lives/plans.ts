import { expect } from 'vitest'
import { networkOf } from '../../src/deployments/networks.js'
import type { PlanBody } from '../kit/user.js'
import {
  type Effect,
  friend,
  type Intended,
  type Life,
  places,
  remember,
  type Told,
} from './life.js'
import { chainIdOf, isUnderWay, look, type Sight } from './sight.js'

/** Plans of a life: what must come of asking for one, and of executing it. */

/** What can be planned with an amount; more than there is on the network is bridged. */
export const intents = {
  transfer: { recipient: friend },
  earn: { protocol: 'compound' },
  withdraw: { protocol: 'compound' },
  swap: {},
} as const satisfies Record<Effect['kind'], object>

/** What is asked for, for an effect. */
export function bodyOf({ kind, on: network, amount }: Effect): object {
  return kind === 'swap'
    ? { network, sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: `${amount}` }
    : { network, asset: 'USDC', amount: `${amount}`, ...intents[kind] }
}

/** All that is known of the account, which a refusal leaves as it is. Undefined while a fault is in force. */
async function told(life: Life): Promise<Told | undefined> {
  if (life.faults.size > 0) return undefined
  const { last } = life
  life.last = undefined
  if (last) return last
  const sight = await look(life)
  const { user } = life
  const read = async (path: string) => (await user.api.get(`${user.path}/${path}`)).body
  const { events } = await read('events')
  if (!life.isMoving) return { sight, rest: [events, await read('folio?cached=true')] }
  const { hex_data, completion_statuses, patches } = (await read('folio')).folio
  return { sight, rest: [events, hex_data, completion_statuses, patches] }
}

/** Throws when a request that was refused, without a fault, has changed something. While time passes, what is under way changes by itself. */
async function nothingChanged(life: Life, before: Told | undefined): Promise<void> {
  if (!before || (life.isMoving && isUnderWay(before.sight))) return
  const steady = (all: Told | undefined): unknown => {
    if (!all || !life.isMoving) return all
    const { activities, on } = all.sight
    // Interest is earned meanwhile.
    return [activities, places.map((each) => ({ ...on[each], comet: 0n, block: '0x' })), all.rest]
  }
  expect(steady(await told(life)), 'what a refusal has changed').toEqual(steady(before))
}

/** All bridges of a plan together cost less, in the smallest unit. */
export const bridgesCost = 50_000n

/** What is sure to come of asking for a plan, by the chains; undefined where something under way or in force may decide it. */
function outlook(life: Life, sight: Sight, { kind, on, amount }: Effect): 201 | 400 | undefined {
  if (life.isMoving && isUnderWay(sight)) return undefined
  const items = sight.activities
    .filter(({ activity_status }) => activity_status === 'pending')
    .flatMap(({ activity_metadata }) => activity_metadata)
  const isOpen = items.some((item) => item.success === null && item.chain_id === chainIdOf(on))
  if (kind === 'withdraw') {
    const supplied = sight.on[on].comet
    // Interest may be earned before the plan is made.
    if (life.isMoving && supplied < amount && amount - supplied < 1_000n) return undefined
    return supplied < amount ? 400 : isOpen ? undefined : 201
  }
  const own = sight.on[on].usdc
  if (!isOpen && own >= amount) return 201
  const others = places.filter((each) => each !== on).map((each) => sight.on[each].usdc)
  const all = others.reduce((sum, each) => sum + each, own)
  if (all < amount) return 400
  // A bridge takes 0.6 at least.
  const isBridged = others.every((each) => each > 1_000_000n) && all - bridgesCost >= amount
  return isBridged && !isUnderWay(sight) ? 201 : undefined
}

/** What may be answered while faults are in force. */
const troubled = [400, 408, 409, 422, 500]

/** Asks for a plan; undefined when it is refused. */
export async function planned(life: Life, effect: Effect): Promise<Intended | undefined> {
  const before = await told(life)
  const expected = before && outlook(life, before.sight, effect)
  const { status, body } = await life.user.plan(effect.kind, bodyOf(effect))
  if (expected)
    expect([status, body.message ?? body.plan_id]).toEqual([expected, expect.anything()])
  if (status === 201) return { plan: body as PlanBody, effect }
  expect(life.faults.size > 0 ? troubled : [400]).toContain(status)
  await nothingChanged(life, before)
  return undefined
}

/** What the swap of a plan leaves in the wallet: the fee is 0.15 % of what is bought, rounded down. */
function boughtBy({ details }: PlanBody): bigint {
  const contexts = details.svc_operation_actions.map(({ action }) => action.action_context)
  const swap = contexts.find(({ action_type }) => action_type === 'SWAP')
  if (!swap) return 0n
  const output = BigInt(swap.output_amount as string)
  const [fee] = swap.fee_amounts as string[]
  expect(fee).toBe(`${(output * 15n) / 10_000n}`)
  return output - BigInt(fee!)
}

/** Executes a plan, and again. A plan of this very moment `isFresh`: nothing can have become of it. */
export async function execute(
  life: Life,
  { plan, effect }: Intended,
  { isFresh = false, isAlone = true } = {},
): Promise<void> {
  // A fresh plan is not refused, unless something happens meanwhile.
  const mayBeRefused = isAlone && (!isFresh || life.isMoving)
  const before = mayBeRefused ? await told(life) : undefined
  const troubles = life.faults.size > 0 ? undefined : life.memory.troubles
  const now = Number(await life.sim.clock.now())
  const { status, body } = await life.user.execute(plan)
  const isExpired = now >= Date.parse(plan.expires_at)
  if (!life.isMoving && life.faults.size === 0) {
    if (isExpired) expect([now, plan.expires_at, status]).toEqual([now, plan.expires_at, 404])
    if (isFresh) expect([status, body.message]).toEqual([200, undefined])
  }
  if (status === 200) {
    const activityId = String(body.activity_id)
    const execution = { plan, activityId, effect, bought: boughtBy(plan), troubles }
    remember(life, { executions: [...life.memory.executions, execution] })
    const again = await life.user.execute(plan)
    expect([again.status, again.body.error]).toEqual([404, 'plan_not_found'])
    return
  }
  expect(life.faults.size > 0 ? [404, ...troubled] : [404, 409]).toContain(status)
  await nothingChanged(life, before)
}

/** Executes so many of the plans that were made earlier, at once. */
export async function executeEarlier(life: Life, count: number): Promise<void> {
  const plans = life.memory.plans.slice(0, count)
  remember(life, { plans: life.memory.plans.slice(count) })
  const isAlone = plans.length === 1
  await Promise.all(plans.map((each) => execute(life, each, { isAlone })))
}

/** The nonce that the folio names as the account's next one on a network. */
export async function nextNonce({ user }: Life, on: Effect['on']): Promise<string> {
  const { folio } = (await user.api.get(`${user.path}/folio`)).body
  return folio.hex_data[`nonce_secret/${networkOf(on).folioName}/${user.wallet}`]
}
