import { expect } from 'vitest'
import { type NetworkName, networks } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { startCli } from './cli.js'
import { rpc } from './http.js'
import { type ActivityBody, type PlanBody, type User, userAt } from './user.js'

/** What a service with a data folder has told before a sudden end, and that it is all there afterwards. */

const friend = '0x00000000000000000000000000000000000f41e7'

/** A transfer; the amount decides whether some of it has to be bridged. */
export const transfer = { asset: 'USDC', amount: '8000000', network: 'base', recipient: friend }

type RpcUrl = (network: NetworkName) => string

/** What an activity says happened on the chains did happen there. */
export async function expectOnChain(urlOf: RpcUrl, activity: ActivityBody) {
  for (const { transaction_hash: hash, chain_id } of activity.activity_metadata) {
    if (hash === null) continue
    const { name } = networks.find(({ chainId }) => chainId === chain_id)!
    const receipt = await rpc(urlOf(name), 'eth_getTransactionReceipt', [hash])
    expect(receipt).toMatchObject({ status: '0x1' })
  }
}

/** All activities of an account. */
export const all = async (user: User): Promise<ActivityBody[]> =>
  ((await user.api.get(`${user.path}/activities`)).body as { activities: ActivityBody[] })
    .activities

interface Ready {
  url: string
  apiKey: string
  rpc: Record<NetworkName, string>
}

/** The program on this folder, with these options besides. */
export async function startOn(dir: string, ...options: string[]) {
  const run = startCli(['start', '--port', '0', '--json', '--data-dir', dir, ...options])
  const [line] = await run.saying('stdout', /^\{.*\}$/m)
  return { run, ready: JSON.parse(line) as Ready }
}

interface EventsBody {
  events: unknown[]
}

/** What the service has told of an account. */
export interface Told {
  user: User
  confirmed: Map<string, ActivityBody>
  events: unknown[]
  unused: PlanBody | undefined
}

/** Makes plans and carries them out until the service is gone; keeps what it was told. */
export async function work(user: User, told: Told): Promise<void> {
  try {
    for (let amount = 1; ; amount++) {
      told.unused = undefined
      const planned = await user.plan('transfer', { ...transfer, amount: String(amount) })
      told.unused = planned.body as PlanBody
      const executed = await user.execute(told.unused)
      told.unused = undefined
      const { activity_id } = executed.body as { activity_id: string }
      const activity = await user.follow(activity_id)
      told.confirmed.set(activity_id, activity)
      const { body } = await user.api.get(`${user.path}/events`)
      told.events = (body as EventsBody).events
    }
  } catch (error) {
    // The connection broke: that is the end that was wanted.
    if (!(error instanceof TypeError) || error.message !== 'fetch failed') throw error
  }
}

/** Resolves when so many executions of the account have been told to be confirmed. */
export async function untilConfirmed(told: Told, count: number): Promise<void> {
  for (let cursor = 0; told.confirmed.size < count; ) {
    const { body } = await told.user.api.get(`${told.user.path}/events?since=${cursor}&poll=true`)
    cursor = (body as { cursor: number }).cursor
  }
}

/** What these accounts were told is there, on the chains too; what was under way comes to its end. */
export async function expectTold(ready: Ready, told: readonly Told[]): Promise<void> {
  for (const { user: before, confirmed, events, unused } of told) {
    const user = userAt(ready as unknown as SimulatorHandle, before)
    for (const { activity_id } of await all(user)) {
      const activity = await user.follow(activity_id)
      expect(activity.activity_status).toBe('confirmed')
      await expectOnChain((network) => ready.rpc[network], activity)
    }
    for (const [id, activity] of confirmed)
      expect((await user.api.get(`/activities/${id}`)).body).toEqual(activity)
    const { body } = await user.api.get(`${user.path}/events`)
    expect((body as EventsBody).events.slice(0, events.length)).toEqual(events)
    if (unused) expect([200, 404, 409]).toContain((await user.execute(unused)).status)
  }
}
