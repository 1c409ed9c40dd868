import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { imageOf } from '../kit/dataFolders.js'
import { askControl } from '../kit/http.js'
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

/** The folder as a `kill -9` leaves it at this moment. */
async function killedNow(dir: string): Promise<string> {
  const image = await imageOf(dir)
  dirs.push(image)
  return image
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

test('default: after a sudden end every event has the cursor that it had, what was held is told, and clients go on from theirs', async () => {
  const { dir, sim, user } = await begin()
  await sim.faults.set([{ on: 'events', effect: 'reorder', times: 1 }])
  await transferred(user)
  await sim.faults.set([{ on: 'events', effect: 'duplicate', times: 2 }])
  await transferred(user)
  await sim.faults.set([{ on: 'events', effect: { delay: { seconds: 3600 } }, times: 1 }])
  await transferred(user)
  await sim.faults.add({ on: 'events', effect: 'drop', times: 1 })
  await transferred(user)
  const before = await told(user)
  const firstTwo = ['confirmed', 'pending', 'pending', 'pending', 'confirmed', 'confirmed']
  expect(statuses(before)).toEqual([...firstTwo, 'confirmed', 'confirmed'])
  const at = await places(user, before)
  const image = await killedNow(dir)
  await sim.close()

  await using again = await createSimulator({ dataDir: image, longPollMs: 200 })
  const same = userAt(again, user)
  const after = await told(same)
  expect(after.events.slice(0, -1)).toEqual(before.events)
  expect(statuses(after).at(-1)).toBe('pending')
  expect((await places(same, after)).slice(0, -1)).toEqual(at)
  expect(await told(same, `?since=${before.cursor}`)).toMatchObject({ cursor: after.cursor })

  // The clock stands: only cursors tell what is new.
  await again.faults.clear()
  await transferred(same)
  expect(statuses(await told(same, `?since=${after.cursor}&poll=true`))).toEqual([
    'pending',
    'confirmed',
  ])
})

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

test('behavior: an event that was sent again is there after a sudden end, and what comes later is told once', async () => {
  const { dir, sim, user } = await begin()
  await transferred(user)
  const { cursor } = await told(user)
  const response = await askControl(sim, 'POST', '/events/again', { account_id: user.id, cursor })
  expect(response.status).toBe(200)
  const before = await told(user)
  const image = await killedNow(dir)
  await sim.close()

  await using again = await createSimulator({ dataDir: image })
  const same = userAt(again, user)
  expect(await told(same)).toEqual(before)
  await transferred(same)
  expect(statuses(await told(same, `?since=${before.cursor}`))).toEqual(['pending', 'confirmed'])
})
