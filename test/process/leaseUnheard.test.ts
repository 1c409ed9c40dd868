import { once } from 'node:events'
import { request } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import type { SimulatorOptions } from '../../src/index.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { askControl } from '../kit/http.js'

// Whoever asks for a world and is gone before the answer comes has none. Needs `npm run build:ts` before.

let sim: SimulatorHandle

afterEach(async () => {
  await sim.close()
})

const start = async (options: SimulatorOptions): Promise<void> => {
  sim = await createSimulator(options)
}

interface Counts {
  leased: number
  warm: number
  starting: number
  waiting: number
}
const counts = async (): Promise<Counts> => {
  const { leased, warm, starting, waiting } = (await (
    await fetch(`${sim.controlUrl}/worlds`)
  ).json()) as Counts
  return { leased, warm, starting, waiting }
}

/** Asks for a world, and hangs up when it is being made or got ready, which is when `isUnderWay` says so. */
async function hangUp(isUnderWay: (now: Counts) => boolean, body: unknown = {}): Promise<void> {
  const asking = request(`${sim.controlUrl}/worlds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    agent: false,
  })
  const broken = once(asking, 'error')
  let isAnswered = false
  asking.once('response', () => {
    isAnswered = true
  })
  asking.end(JSON.stringify(body))
  await vi.waitFor(async () => expect(isUnderWay(await counts())).toBe(true), patience)
  asking.destroy(new Error('hung up'))
  await broken
  expect(isAnswered).toBe(false)
}

/** On a busy machine a start takes longer than the second that vitest waits by default; a state that passes is looked for all the time. */
const patience = { timeout: 30_000, interval: 1 }
const isStarting = ({ starting }: Counts) => starting > 0
const untilNoneIsLeased = () =>
  vi.waitFor(async () => expect(await counts()).toMatchObject({ leased: 0, starting: 0 }), {
    timeout: 30_000,
    interval: 20,
  })

test('default: who hangs up while a world is being started leaves none leased, and asks again with success', async () => {
  await start({ maxWorlds: 1 })
  for (let round = 0; round < 3; round++) {
    // From the second on, the world of before begins anew.
    await hangUp(isStarting, { seed: '7' })
    await untilNoneIsLeased()
  }
  await hangUp(isStarting, { seed: '7' })
  const again = await askControl(sim, 'POST', '/worlds', {})
  expect(again.status).toBe(201)
  const { id, apiKey } = again.body as { id: string; apiKey: string }
  expect(await counts()).toMatchObject({ leased: 1 })
  const headers = { authorization: `Bearer ${apiKey}` }
  expect((await fetch(`${sim.url}/accounts`, { headers })).status).toBe(200)
  const back = await fetch(`${sim.controlUrl}/worlds/${id}`, { method: 'DELETE' })
  expect(back.status).toBe(200)
})

test('behavior: an answer that was heard keeps its lease when the connection closes', async () => {
  await start({ maxWorlds: 1 })
  const asking = request(`${sim.controlUrl}/worlds`, { method: 'POST', agent: false })
  asking.end()
  const [answer] = await once(asking, 'response')
  answer.resume()
  await once(answer, 'end')
  asking.destroy()
  expect(answer.statusCode).toBe(201)
  expect(await counts()).toMatchObject({ leased: 1 })
})

test('behavior: with warm worlds, who hangs up while one is prepared gives it back', async () => {
  await start({ worlds: 1, maxWorlds: 1 })
  const isWarm = async () => expect(await counts()).toMatchObject({ warm: 1, starting: 0 })
  await vi.waitFor(isWarm, 30_000)
  for (let round = 0; round < 2; round++) {
    await hangUp(({ warm }) => warm === 0, { seed: '7' })
    await vi.waitFor(async () => {
      await isWarm()
      expect(await counts()).toMatchObject({ leased: 0 })
    }, 30_000)
  }
})

test('behavior: who waits gets the world that nobody was there to hear of', async () => {
  await start({ maxWorlds: 1 })
  const first = hangUp(({ waiting }) => waiting === 1)
  await vi.waitFor(async () => expect(isStarting(await counts())).toBe(true), patience)
  const second = askControl(sim, 'POST', '/worlds', {})
  await first
  expect((await second).status).toBe(201)
  expect(await counts()).toMatchObject({ leased: 1, waiting: 0 })
})
