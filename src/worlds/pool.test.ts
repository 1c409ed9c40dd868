import { expect, onTestFinished, test } from 'vitest'
import type { NoWorldError, PoolOptions } from './lease.js'
import { Worlds } from './pool.js'
import type { WorkerTask } from './workers.js'

/** A pool over workers without processes, and what they were asked. */
function poolOf(options: Partial<PoolOptions>) {
  const tasks: string[] = []
  const errors: Error[] = []
  const given: PoolOptions = {
    ...{ file: '', settings: {}, workers: 1, keepWarm: 0, maxWorlds: 1, ...options },
    onError: (_id, _message, cause) => void errors.push(cause),
    onRequest() {},
  }
  let lose = (_id: string): void => {}
  const pool = new Worlds(given, (_, onReport) => {
    lose = (id) => onReport({ type: 'lost', id, reason: 'killed' })
    return {
      ask: async ({ what }: WorkerTask) => void tasks.push(what),
      answers: async () => new Map(),
      failures: async () => new Map(),
      async end() {},
    }
  })
  onTestFinished(async () => {
    await pool.end()
    expect(errors).toEqual([])
  })
  const lease = (more: Partial<Parameters<Worlds['lease']>[0]> = {}) =>
    pool.lease({ wishes: {}, leaseSeconds: 60, ...more })
  return { pool, lease, tasks, lose: (id: string) => lose(id) }
}

test('default: a warm world is leased once; then new ones are started, up to the limit', async () => {
  const { pool, lease, tasks } = poolOf({ keepWarm: 1, maxWorlds: 2 })
  pool.warmUp()
  await expect.poll(() => pool.counts().warm).toBe(1)
  const [one, other] = [await lease(), await lease()]
  expect(one.id).not.toBe(other.id)
  expect(tasks).toEqual(['start', 'start'])
  expect(pool.counts()).toMatchObject({ leased: 2, warm: 0, starting: 0, granted: 2 })
})

test('behavior: a warm world is restarted for a lease with wishes', async () => {
  const { pool, lease, tasks } = poolOf({ keepWarm: 1 })
  pool.warmUp()
  await expect.poll(() => pool.counts().warm).toBe(1)
  await lease({ wishes: { seed: '7' } })
  expect(tasks).toEqual(['start', 'restart'])
})

test('behavior: requests are served in order; those beyond the limit are refused', async () => {
  const { pool, lease } = poolOf({ maxWaiting: 2 })
  const { id } = await lease()
  const [first, second, third] = [lease({ name: 'a' }), lease({ name: 'b' }), lease({ name: 'c' })]
  await expect(third).rejects.toThrow('2 requests wait for one already')
  pool.release(id)
  const { id: next, name } = await first
  expect(name).toBe('a')
  pool.release(next)
  expect((await second).name).toBe('b')
})

test('behavior: a client that disconnects before or during its wait gets no world', async () => {
  const { pool, lease } = poolOf({})
  await lease()
  const gone = new AbortController()
  const waiting = lease({ signal: gone.signal })
  gone.abort()
  await expect(waiting).rejects.toThrow('the caller has disconnected')
  await expect(lease({ signal: gone.signal })).rejects.toThrow('the caller has disconnected')
  expect(pool.counts().waiting).toBe(0)
})

test('behavior: a request that does not wait is refused when there is no room, and passes no other request', async () => {
  const { pool, lease } = poolOf({})
  const { id } = await lease({ isImmediate: true })
  const refused = { code: 'no_room', message: 'all 1 are in use' } satisfies Partial<NoWorldError>
  await expect(lease({ isImmediate: true })).rejects.toMatchObject(refused)
  const waiting = lease()
  await expect(lease({ isImmediate: true })).rejects.toMatchObject(refused)
  pool.release(id)
  await waiting
})

test('behavior: a drain refuses those who wait and all who come, and ends with the last lease', async () => {
  const { pool, lease, tasks, lose } = poolOf({ keepWarm: 1, maxWorlds: 2 })
  const [one, other] = [await lease(), await lease()]
  const waiting = lease()
  let isOver = false
  const drained = pool.drain(new AbortController().signal).finally(() => {
    isOver = true
  })
  const refused = { code: 'no_room', message: 'the simulator is being stopped' }
  await expect(waiting).rejects.toMatchObject(refused)
  await expect(lease()).rejects.toMatchObject(refused)
  pool.release(one.id)
  await expect.poll(() => tasks).toEqual(['start', 'start', 'stop'])
  expect(pool.counts()).toMatchObject({ isDraining: true, leased: 1, warm: 0, starting: 0 })
  expect(isOver).toBe(false)
  expect(pool.renew(other.id)).toMatchObject({ id: other.id })
  lose(other.id)
  await drained
})

test('behavior: a drain that is given up leaves the leases as they are', async () => {
  const { pool, lease } = poolOf({})
  const { id } = await lease()
  const late = new AbortController()
  const drained = pool.drain(late.signal)
  late.abort()
  await drained
  expect(pool.ofId(id)?.lost).toBeUndefined()
})
