import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSvcClient } from '../../src/clients/client/index.js'
import { packageFile } from '../../src/lib/files/packageFile.js'
import { type CliRun, createAccount, killRuns, type Ready, startReady } from '../kit/cli.js'
import { askService } from '../kit/http.js'
import { startMuteServer } from '../kit/muteServer.js'
import {
  anvilsOf,
  childrenOf,
  halt,
  markedBy,
  waitUntilGone,
  waitUntilNothingCarries,
} from '../kit/processes.js'
import { followStream } from '../kit/stream.js'

// Worlds whose processes die, and what is left when the simulator itself does. Needs `npm run build:ts` before.

afterEach(killRuns)

interface Leased extends Ready {
  id: string
}

async function lease({ controlUrl }: Ready, body = {}): Promise<Leased> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${controlUrl}/worlds`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as Leased
}

/** The processes in which worlds live, by what they were started with. */
const workersOf = (run: CliRun): number[] =>
  childrenOf(run.pid).filter((pid) => anvilsOf(pid).length > 0)

async function lostBecause(world: Leased, why: RegExp): Promise<void> {
  await vi.waitFor(async () => {
    const { status, body } = await askService(world, '/accounts')
    expect(status).toBe(503)
    expect(body).toMatchObject({ error: 'world_lost', message: expect.stringMatching(why) })
  }, 20_000)
}

test('default: the stream tells of leases, their renewals, their ends and losses, and never a key', async () => {
  const { run, ready } = await startReady()
  const stream = await followStream(ready.controlUrl)
  const told = async (change: string) => {
    const came = await stream.until(
      ({ event, data }) => event === 'world' && data.change === change,
    )
    return came.at(-1)!.data
  }
  const given = await lease(ready)
  const world = { id: given.id, lease_until: expect.any(String) }
  expect(await told('leased')).toEqual({ change: 'leased', world, reason: null })
  await fetch(`${ready.controlUrl}/worlds/${given.id}/renew`, { method: 'POST' })
  expect(await told('renewed')).toMatchObject({ world })
  await fetch(`${ready.controlUrl}/worlds/${given.id}`, { method: 'DELETE' })
  expect(await told('ended')).toEqual({ change: 'ended', world, reason: null })
  const lost = await lease(ready)
  for (const worker of workersOf(run)) process.kill(worker, 'SIGKILL')
  const loss = await told('lost')
  expect(loss).toMatchObject({ world: { id: lost.id }, reason: expect.stringContaining('SIGKILL') })
  // Its row stays when the lease has ended; the released one had no failure.
  await fetch(`${ready.controlUrl}/worlds/${lost.id}`, { method: 'DELETE' })
  const { ended_worlds } = (await (await fetch(`${ready.controlUrl}/worlds`)).json()) as {
    ended_worlds: unknown
  }
  expect(ended_worlds).toMatchObject([
    { id: lost.id, state: 'ended', lost: expect.stringContaining('SIGKILL'), verdicts: [] },
  ])
  // From the beginning, all of it: no key was in it.
  const again = await followStream(ready.controlUrl, { 'last-event-id': '00000000-1' })
  const all = await again.until(({ data }) => data.change === 'lost')
  for (const { apiKey } of [given, lost]) expect(JSON.stringify(all)).not.toContain(apiKey)
  stream.close()
  again.close()
})

test('default: a worker that is killed takes its worlds with it, others go on, and new ones come', async () => {
  const { run, ready } = await startReady()
  const [one, other] = [await lease(ready), await lease(ready)]
  await createAccount(one)
  const workers = workersOf(run)
  expect(workers.length).toBeGreaterThan(0)
  // What is under way then is answered too: this quote never comes.
  const faults = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const hang = JSON.stringify({ on: 'request', effect: 'hang', match: { path: '/networks' } })
  await Promise.all(
    [one, other].map(({ controlUrl }) => fetch(`${controlUrl}/faults`, { ...faults, body: hang })),
  )
  const waiting = [one, other].map((world) => askService(world, '/networks'))
  await vi.waitFor(async () => {
    const rules = await Promise.all(
      [one, other].map(async ({ controlUrl }) => (await fetch(`${controlUrl}/faults`)).json()),
    )
    expect(rules).toMatchObject([{ faults: [{ hits: 1 }] }, { faults: [{ hits: 1 }] }])
  }, 10_000)
  for (const worker of workers) process.kill(worker, 'SIGKILL')
  for (const answer of await Promise.all(waiting))
    expect(answer).toMatchObject({ status: 503, body: { error: 'world_lost' } })
  await lostBecause(one, /the process of the world ended \(SIGKILL\)$/)
  const shown = (await (await fetch(`${ready.controlUrl}/worlds/${one.id}`)).json()) as object
  expect(shown).toMatchObject({ state: 'lost', lost: expect.stringContaining('SIGKILL') })
  const renewal = await fetch(`${ready.controlUrl}/worlds/${one.id}/renew`, { method: 'POST' })
  expect(renewal.status).toBe(503)
  expect((await fetch(`${one.controlUrl}/clock`)).status).toBe(503)
  // The first world has noticed nothing, and there is room for others.
  expect((await askService(ready, '/accounts')).status).toBe(200)
  const next = await lease(ready)
  expect(next.id).not.toBe(one.id)
  expect((await askService(next, '/accounts')).status).toBe(200)
  expect((await fetch(`${ready.controlUrl}/worlds/${other.id}`, { method: 'DELETE' })).status).toBe(
    200,
  )
  expect((await askService(other, '/accounts')).status).toBe(401)
  await vi.waitFor(() => expect(markedBy(run.mark, 'anvil')).toHaveLength(10), 20_000)
})

test('behavior: who follows the events of a world hears at once that it is lost, as that never passes', async () => {
  const { run, ready } = await startReady()
  const world = await lease(ready)
  const accountId = await createAccount(world)
  const waits: number[] = []
  const delayMs = (failures: number): number => waits.push(failures)
  const patience = { attempts: 1, delayMs }
  const client = createSvcClient({ baseUrl: world.url, apiKey: world.apiKey, patience })
  const next = client.followEvents(accountId).next()
  const refusal = expect(next).rejects.toMatchObject({ status: 503, code: 'world_lost' })
  await client.folio(accountId) // by now the poll waits
  for (const worker of workersOf(run)) process.kill(worker, 'SIGKILL')
  await refusal
  const again = client.followEvents(accountId).next()
  await expect(again).rejects.toMatchObject({ status: 503, code: 'world_lost' })
  expect(waits).toEqual([])
})

test('behavior: a node that dies ends its world alone, and one that was kept warm is replaced', async () => {
  const { run, ready, nodes } = await startReady('--worlds', '1')
  const { controlUrl } = ready
  const warm = async () =>
    ((await (await fetch(`${controlUrl}/worlds`)).json()) as { warm: number }).warm
  const nodesOfWorlds = () => markedBy(run.mark, 'anvil').filter((pid) => !nodes.includes(pid))
  await vi.waitFor(async () => expect(await warm()).toBe(1), 30_000)
  const before = nodesOfWorlds()
  expect(before).toHaveLength(5)
  process.kill(before[0]!, 'SIGKILL')
  await waitUntilGone(before)
  // Only then it is replaced; until the simulator hears of its end it counts as warm.
  await vi.waitFor(() => expect(nodesOfWorlds()).not.toEqual([]), 30_000)
  await vi.waitFor(async () => expect(await warm()).toBe(1), 30_000)
  const world = await lease(ready)
  await vi.waitFor(async () => expect(await warm()).toBe(1), 30_000)
  const its = nodesOfWorlds()
  expect(its).toHaveLength(10)
  for (const pid of its) process.kill(pid, 'SIGKILL')
  await lostBecause(world, /^The world wld_\w{12} is lost: the \w+ node ended \(SIGKILL\)$/)
  expect((await askService(ready, '/accounts')).status).toBe(200)
})

test('error: who waits for a world that is being started when the simulator is stopped is told so', async () => {
  const mute = await startMuteServer()
  const { run, ready } = await startReady()
  const answer = fetch(`${ready.controlUrl}/worlds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fork: { base: mute.url } }),
  })
  await mute.asked // the world waits for its endpoint
  run.kill('SIGTERM')
  const refused = await answer
  expect(await refused.json()).toEqual({
    error: 'no_room',
    message: 'No world can be leased now: the simulator is being stopped',
  })
  expect(refused.status).toBe(503)
  expect(await run.ended).toEqual({ code: 0, signal: null })
})

describe.each(['SIGTERM', 'SIGKILL'] as const)('%s', (signal) => {
  test('behavior: of the simulator leaves no process of any world, though one stands still', async () => {
    const { run, ready } = await startReady('--worlds', '1')
    const world = await lease(ready)
    const poll = askService(
      world,
      `/accounts/${await createAccount(world)}/events?poll=true`,
    ).catch(() => 'cut')
    void lease(ready).catch(() => {}) // one that is being started
    const [worker] = workersOf(run)
    await halt([anvilsOf(worker!)[0]!])
    run.kill(signal)
    await run.ended
    await poll
    await waitUntilNothingCarries(run.mark)
  })
})

test('behavior: a worker whose simulator is gone while it is still being loaded ends too', async () => {
  for (const ms of [0, 10, 20, 40, 80, 160]) {
    const worker = fork(packageFile('dist/worker.js'), { execArgv: [] })
    onTestFinished(() => void worker.kill('SIGKILL'))
    const ended = once(worker, 'exit')
    await after(ms) // loading it takes some 60 ms
    worker.disconnect()
    await waitUntilGone([worker.pid!])
    expect(await ended).toEqual([0, null])
  }
})
