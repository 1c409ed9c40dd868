import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { openUser, type PlanBody, type User, userAt } from '../kit/user.js'

/** What accounts have been told while faults came between them and their events is kept with everything else. */

const dirs: string[] = []
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))))

/** A new folder, a simulator on it whose clock stands, and an account with funds. */
async function begin(): Promise<{ dir: string; sim: SimulatorHandle; user: User }> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-sim-told-'))
  dirs.push(dir)
  const sim = await createSimulator({ dataDir: dir, clock: 'frozen', longPollMs: 200 })
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  return { dir, sim, user }
}

const transfer = {
  asset: 'USDC',
  amount: '1',
  network: 'base',
  recipient: '0x00000000000000000000000000000000000f41e7',
}

/** Transfers, and waits for the end of it by the activity, since events may not tell. */
async function transferred({ api, plan, execute }: User): Promise<void> {
  const { body } = await plan('transfer', transfer)
  const { activity_id } = (await execute(body as PlanBody)).body as { activity_id: string }
  const status = async () => (await api.get(`/activities/${activity_id}`)).body.activity_status
  await expect.poll(status).toBe('confirmed')
}

interface Told {
  events: { data: { activity_id: string; activity_status: string } }[]
  cursor: number
}

async function told({ api, path }: User, query = ''): Promise<Told> {
  return (await api.get(`${path}/events${query}`)).body as Told
}

const statuses = ({ events }: Told) => events.map(({ data }) => data.activity_status)

/** What each cursor up to this one answers: where every event was told, not only in which order. */
async function places(user: User, { events, cursor }: Told): Promise<number[]> {
  const found: number[] = []
  for (let since = cursor; found.length < events.length; since--) {
    const { length } = (await told(user, `?since=${since}`)).events
    if (length > found.length) found.unshift(since + 1)
  }
  return found
}

test('behavior: what is told after a restart stays so at the next one, and through restores', async () => {
  const { dir, sim, user } = await begin()
  await sim.faults.add({ on: 'events', effect: 'duplicate' })
  await transferred(user)
  await sim.close()
  const second = await createSimulator({ dataDir: dir })
  const then = userAt(second, user)
  await transferred(then)
  const snapshot = await second.snapshot()
  const before = await told(then)
  const twice = ['pending', 'pending', 'confirmed', 'confirmed']
  expect(statuses(before)).toEqual([...twice, ...twice])
  await transferred(then)
  await second.restore(snapshot)
  expect(await told(then)).toEqual(before)
  await second.close()
  await using third = await createSimulator({ dataDir: dir })
  expect(await told(userAt(third, user))).toEqual(before)
  expect(await places(userAt(third, user), before)).toHaveLength(8)
})
