import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryDirectory } from '../../../test/kit/memoryDirectory.js'
import { halt } from '../../../test/kit/processes.js'
import { redisProgram, startRedis, type TestRedis } from '../../../test/kit/redis.js'
import { DirectoryError, type FleetDirectory, type FleetLease } from './directory.js'
import { redisDirectory } from './redisDirectory.js'

const long = 60_000
const worker = (id: string, room: number, warm = 0) => ({ id, url: `http://${id}:1`, room, warm })
const leaseAt = (id: string, workerId: string): FleetLease => ({
  id,
  keyHash: `hash of ${id}`,
  worker: { id: workerId, url: `http://${workerId}:1` },
  leaseSeconds: 60,
  leaseUntilMs: 1_800_000_000_000,
})

let redis: TestRedis | undefined
let admin: Redis | undefined
beforeAll(async () => {
  if (redisProgram === undefined) return
  redis = await startRedis()
  admin = new Redis(redis.url)
})
afterAll(async () => {
  admin?.disconnect()
  await redis?.kill()
})

/** Nothing is in it, and nothing was forgotten. */
async function empty(): Promise<void> {
  await admin?.flushall()
  await admin?.set('{svc-sim}:begun', '1')
}

/** One that can be asked. */
async function openRedis(url = redis!.url): Promise<FleetDirectory> {
  let directory: FleetDirectory | undefined
  await new Promise<void>((resolve) => {
    directory = redisDirectory({ url, onReached: resolve })
  })
  return directory!
}

const kinds: [string, () => Promise<FleetDirectory>][] = [
  ['memory', async () => memoryDirectory()],
  ['Redis', openRedis],
]

describe.each(kinds)('%s', (kind, open) => {
  const withIt = test.skipIf(kind === 'Redis' && redisProgram === undefined)
  let directory: FleetDirectory
  beforeEach(async () => {
    if (kind === 'Redis' && redisProgram === undefined) return
    await empty()
    directory = await open()
    return () => directory.close()
  })

  withIt(
    'default: a lease is found by id and by the hash of its key, until it is removed',
    async () => {
      const lease = leaseAt('wld_1', 'one')
      expect(await directory.put(lease, long)).toBe(true)
      expect(await directory.ofId('wld_1')).toEqual(lease)
      expect(await directory.ofKeyHash(lease.keyHash)).toEqual(lease)
      expect(await directory.ofId(lease.keyHash)).toBeUndefined()
      await directory.remove(lease)
      expect(await directory.ofId('wld_1')).toBeUndefined()
      expect(await directory.ofKeyHash(lease.keyHash)).toBeUndefined()
      await directory.remove(lease)
    },
  )

  withIt('behavior: leases and workers end by themselves unless they are said again', async () => {
    await directory.announce(worker('short', 5), 150)
    await directory.announce(worker('long', 1), 150)
    await directory.put(leaseAt('wld_short', 'short'), 150)
    await directory.put(leaseAt('wld_long', 'long'), 150)
    expect(await directory.announce(worker('long', 1), long)).toBe('known')
    await directory.put(leaseAt('wld_long', 'long'), long)
    await vi.waitFor(async () => {
      expect(await directory.ofId('wld_short')).toBeUndefined()
      expect((await directory.workers()).map(({ id }) => id)).toEqual(['long'])
    }, 10_000)
    expect(await directory.ofKeyHash('hash of wld_short')).toBeUndefined()
    expect(await directory.ofId('wld_long')).toBeDefined()
    expect((await directory.place())?.id).toBe('long')
    expect(await directory.place()).toBeUndefined()
    expect(await directory.announce(worker('short', 5), long)).toBe('new')
    expect((await directory.place())?.id).toBe('short')
  })

  withIt(
    'behavior: a place is where most worlds are warm, else where most room is, and never promised twice',
    async () => {
      await directory.announce(worker('roomy', 3), long)
      await directory.announce(worker('warm', 2, 1), long)
      await directory.announce(worker('leaving', 0, 2), long)
      const places = []
      for (let i = 0; i < 6; i++) places.push((await directory.place())?.id)
      expect(places.slice(0, 3)).toEqual(['warm', 'roomy', 'roomy'])
      expect(places.slice(3, 5).sort()).toEqual(['roomy', 'warm'])
      expect(places[5]).toBeUndefined()
      // What the worker says itself is what counts.
      await directory.announce(worker('warm', 2, 2), long)
      expect(await directory.place(['warm'])).toBeUndefined()
      expect(await directory.place(['roomy'])).toEqual({ id: 'warm', url: 'http://warm:1' })
      expect(await directory.workers()).toEqual(
        expect.arrayContaining([worker('roomy', 0), worker('warm', 1, 1), worker('leaving', 0, 2)]),
      )
    },
  )

  withIt('behavior: many at once get as many places as there are', async () => {
    for (let i = 0; i < 5; i++) await directory.announce(worker(`w${i}`, 4, i), long)
    const places = await Promise.all(Array.from({ length: 50 }, () => directory.place()))
    const counts = new Map<string, number>()
    for (const place of places) if (place) counts.set(place.id, (counts.get(place.id) ?? 0) + 1)
    expect([...counts.values()]).toEqual([4, 4, 4, 4, 4])
  })

  withIt(
    'behavior: who has been given up stays so, with all of its worlds and the first reason',
    async () => {
      await directory.announce(worker('gone', 5), long)
      await directory.put(leaseAt('wld_1', 'gone'), long)
      await directory.giveUp('gone', 'it was killed')
      await directory.giveUp('gone', 'another reason')
      expect(await directory.ofId('wld_1')).toEqual({
        ...leaseAt('wld_1', 'gone'),
        lost: 'it was killed',
      })
      expect((await directory.ofKeyHash('hash of wld_1'))?.lost).toBe('it was killed')
      expect(await directory.place()).toBeUndefined()
      expect(await directory.workers()).toEqual([])
      expect(await directory.announce(worker('gone', 5), long)).toBe('lost')
      expect(await directory.put(leaseAt('wld_2', 'gone'), long)).toBe(false)
      expect(await directory.ofId('wld_2')).toBeUndefined()
      expect(await directory.place()).toBeUndefined()
    },
  )
})

const withRedis = test.skipIf(redisProgram === undefined)

withRedis('behavior: Redis and memory do the same, whatever is asked', async () => {
  const directory = await openRedis()
  const names = fc.constantFrom('a', 'b', 'c')
  const few = fc.nat({ max: 3 })
  const step = fc.oneof(
    fc.record({ what: fc.constant('announce' as const), id: names, room: few, warm: few }),
    fc.record({ what: fc.constant('place' as const), except: fc.subarray(['a', 'b']) }),
    fc.record({ what: fc.constant('put' as const), id: names, at: names }),
    fc.record({ what: fc.constant('remove' as const), id: names }),
    fc.record({ what: fc.constant('giveUp' as const), id: names }),
    fc.record({ what: fc.constant('look' as const), id: names }),
  )
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
  const doIt = async (on: FleetDirectory, one: Step): Promise<unknown> => {
    switch (one.what) {
      case 'announce':
        return on.announce(worker(one.id, one.room, one.warm), long)
      case 'place':
        return on.place(one.except)
      case 'put':
        return on.put(leaseAt(`wld_${one.id}`, one.at), long)
      case 'remove':
        return on.remove(leaseAt(`wld_${one.id}`, ''))
      case 'giveUp':
        return on.giveUp(one.id, `no ${one.id}`)
      case 'look':
        return [await on.ofId(`wld_${one.id}`), await on.ofKeyHash(`hash of wld_${one.id}`)]
    }
  }
  const state = async (on: FleetDirectory) =>
    (await on.workers()).map(({ id, room, warm }) => `${id} ${room} ${warm}`).sort()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      await empty()
      const memory = memoryDirectory()
      for (const one of steps) {
        expect(await doIt(directory, one), JSON.stringify(one)).toEqual(await doIt(memory, one))
        expect(await state(directory)).toEqual(await state(memory))
      }
    }),
    { numRuns: 60 },
  )
  await directory.close()
})

withRedis(
  'behavior: it holds no key, and everything in it ends by itself but the order of workers and that it has begun',
  async () => {
    await admin!.flushall()
    const directory = await openRedis()
    await directory.announce(worker('one', 1), long)
    await directory.put(leaseAt('wld_1', 'one'), long)
    await directory.giveUp('two', 'gone')
    const keys = (await admin!.keys('*')).sort()
    const lasting = []
    for (const key of keys) if ((await admin!.ttl(key)) === -1) lasting.push(key)
    expect(lasting).toEqual(['{svc-sim}:begun', '{svc-sim}:room', '{svc-sim}:warm'])
    expect(keys.filter((key) => !key.startsWith('{svc-sim}:'))).toEqual([])
    await directory.close()
  },
)

withRedis(
  'error: one that has lost everything, while it could be reached all the time, says of no world that there is none until workers have told it again',
  async () => {
    await empty()
    const directory = await openRedis()
    const lease = leaseAt('wld_1', 'one')
    await directory.announce(worker('one', 1), long)
    await directory.put(lease, long)
    expect(await directory.ofId('wld_2')).toBeUndefined()
    await admin!.flushall()
    await expect(directory.ofKeyHash(lease.keyHash)).rejects.toThrow(DirectoryError)
    expect(await directory.announce(worker('one', 1), long)).toBe('new')
    await expect(directory.ofId('wld_1')).rejects.toThrow('may not know of all worlds yet')
    await directory.put(lease, long)
    expect(await directory.ofKeyHash(lease.keyHash)).toEqual(lease)
    await expect(directory.ofId('wld_2')).rejects.toThrow(DirectoryError)
    await vi.waitFor(async () => expect(await directory.ofId('wld_2')).toBeUndefined(), 20_000)
    expect(await directory.ofId('wld_1')).toEqual(lease)
    await directory.close()
  },
)

withRedis(
  'error: one that cannot be reached rejects at once, and comes back by itself',
  async () => {
    const mine = await startRedis()
    const told: string[] = []
    const directory = redisDirectory({
      url: mine.url,
      onReached: () => told.push('reached'),
      onUnreached: () => told.push('unreached'),
    })
    await vi.waitFor(() => expect(told).toEqual(['reached']), 10_000)
    await directory.put(leaseAt('wld_1', 'one'), long)
    await mine.kill()
    await vi.waitFor(() => expect(told).toEqual(['reached', 'unreached']), 10_000)
    await expect(directory.place()).rejects.toThrow(DirectoryError)
    await expect(directory.ofId('wld_1')).rejects.toThrow('The directory of worlds cannot be asked')
    await mine.again()
    await vi.waitFor(() => expect(told).toEqual(['reached', 'unreached', 'reached']), 10_000)
    // Its scripts are gone as well as its data.
    await expect(directory.ofId('wld_1')).rejects.toThrow('may not know of all worlds yet')
    const goOn = await halt([mine.pid()])
    await expect(directory.place()).rejects.toThrow(DirectoryError)
    goOn()
    await vi.waitFor(async () => expect(await directory.workers()).toEqual([]), 20_000)
    await directory.close()
    await mine.kill()
  },
)
