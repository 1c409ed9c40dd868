import { expect, vi } from 'vitest'
import { networkOf } from '../../src/deployments/networks.js'
import { contractsOn, type Life, places, remember } from './life.js'
import { moneyAgrees } from './money.js'
import { chainIdOf, look, type Sight } from './sight.js'
import { fundsAreFree } from './underWay.js'

/** What must hold after each step of a life. */

const sorted = (texts: readonly string[]): string[] => [...texts].sort()

/** What an activity says has happened is on its chain, and none fails for no reason. */
function activitiesAgree(life: Life, { activities, on }: Sight, isEnd: boolean): void {
  const { executions, troubles } = life.memory
  expect(sorted(activities.map(({ activity_id }) => activity_id))).toEqual(
    sorted(executions.map(({ activityId }) => activityId)),
  )
  expect(new Set(activities.map(({ plan_id }) => plan_id)).size).toBe(activities.length)
  for (const { activity_id, activity_status, activity_metadata } of activities) {
    if (isEnd) expect([activity_id, activity_status]).not.toEqual([activity_id, 'pending'])
    const execution = executions.find(({ activityId }) => activityId === activity_id)
    const reasons = activity_metadata.map(({ revert_reason }) => revert_reason).join('; ')
    if (execution?.troubles === troubles)
      expect(activity_status, `${activity_id}, without any trouble: ${reasons}`).not.toBe('failed')
    for (const { chain_id, success, transaction_hash: hash } of activity_metadata) {
      const place = places.find((each) => chainIdOf(each) === chain_id)
      if (!hash || !place) continue
      const end = success || expect.any(Boolean)
      expect([activity_id, place, on[place].ends.get(hash)]).toEqual([activity_id, place, end])
    }
  }
}

/** The folio's balances are those of the chains. At the `end` nothing is going to change them. */
async function folioAgrees(
  { user, isMoving }: Life,
  { on }: Sight,
  isEnd: boolean,
): Promise<unknown> {
  const { body } = await user.api.get(`${user.path}/folio`)
  const folio: { balances: Record<string, string>; patches: object } = body.folio
  if (isEnd) expect(folio.patches).toEqual({})
  for (const network of places) {
    const { comet } = contractsOn(network)
    const net = networkOf(network).folioName
    const at = (key: string) => unitsOf(folio.balances[`${key}/USDC/${user.wallet}`])
    expect([network, at(`token/${net}`)]).toEqual([network, on[network].usdc])
    const supplied = at(`yield_market/comet/${net}/${comet}`)
    // Where time passes by itself, interest of some seconds lies between the two reads.
    const apart = Number(supplied - on[network].comet)
    expect(Math.abs(apart), `supplied on ${network}`).toBeLessThanOrEqual(isMoving ? 10_000 : 0)
  }
  return body
}

/** `1.5e6` in smallest units; nothing is zero. */
function unitsOf(text = '0e6'): bigint {
  const [whole = '0', fraction = ''] = text.split('e')[0]!.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}

/** A poller misses no event and meets none twice, and its cursor only grows. */
async function eventsAgree(life: Life, isEnd: boolean): Promise<void> {
  const { cursor, heard } = life.memory
  const page = await life.user.api.get(`${life.user.path}/events?since=${cursor}`)
  expect(page.body.cursor).toBeGreaterThanOrEqual(cursor)
  remember(life, { cursor: page.body.cursor, heard: [...heard, ...page.body.events] })
  if (!isEnd || life.memory.isRepeated) return
  const { body } = await life.user.api.get(`${life.user.path}/events`)
  expect(body.events).toEqual(life.memory.heard)
}

/** All that must hold after each step; while a fault is in force the chains may be behind, or not answer. */
export async function holds(life: Life, { isEnd = false } = {}): Promise<void> {
  const rules = await life.sim.faults.list()
  expect(sorted(rules.map(({ id }) => id))).toEqual(sorted([...life.faults]))
  await eventsAgree(life, isEnd)
  life.last = undefined
  if (life.faults.size > 0) return
  const agree = async (): Promise<void> => {
    const sight = await look(life)
    moneyAgrees(life, sight, isEnd)
    activitiesAgree(life, sight, isEnd)
    const folio = await folioAgrees(life, sight, isEnd)
    if (isEnd || !life.isMoving) await fundsAreFree(life, sight, isEnd)
    const { heard, isRepeated } = life.memory
    if (!life.isMoving && !isRepeated) life.last = { sight, rest: [heard, folio] }
  }
  await (life.isMoving ? vi.waitFor(agree, { timeout: 30_000 }) : agree())
}

/** Lifts all faults, lets everything come to its end, and looks once more. */
export async function end(life: Life): Promise<void> {
  await life.sim.faults.clear()
  life.faults.clear()
  for (const network of places) await life.chain.request(network, 'evm_mine', [])
  await life.sim.clock.advance(1_800)
  await holds(life, { isEnd: true })
}
