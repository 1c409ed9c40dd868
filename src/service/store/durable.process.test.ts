import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { Low, Memory } from 'lowdb'
import { expect, onTestFinished, test } from 'vitest'
import { anAccount, anActivity, aPlan, wallet } from '../../../test/kit/records.js'
import { openDataFolder } from '../../wal/dataFolder.js'
import { type DataLog, noLog } from '../../wal/dataLog.js'
import { createGroupWrites } from '../../wal/logFile.js'
import { createStore, type EmbeddedStore } from './createStore.js'
import { recoverStore } from './recoverStore.js'
import type { StoreState } from './state.js'
import type { EventRecord, Store } from './store.js'

const origin = { worldHash: 'world-1', anvilVersion: '1.0.0' }
const newFolder = () => mkdtemp(join(tmpdir(), 'svc-sim-store-'))

/** The store of a data folder; open until the test has ended. */
async function open(folder: string) {
  const log = await openDataFolder(folder, origin)
  onTestFinished(() => log.close())
  const store = createStore({ log, db: await recoverStore(log.recovered) })
  log.keep([store])
  return { log, store }
}

/** Everything that the interface says about the records of the tests, to the byte. */
async function contents(store: Store): Promise<string> {
  const accountIds = ['acc_one', 'acc_two']
  const each = <K, V>(keys: readonly K[], read: (key: K) => Promise<V>) =>
    Promise.all(keys.map(read))
  return JSON.stringify([
    await each(['svc_first', 'svc_second'], (id) => store.accounts(id)),
    await store.accountsOfWallet(wallet),
    await each(['pln_one', 'pln_two', 'pln_three'], (id) => store.plan('acc_one', id)),
    await each(accountIds, (id) => store.activities(id)),
    await each([1, 2, 3], (number) => store.activity('acc_one', number)),
    await each(accountIds, (id) => store.events(id, 0)),
    await store.nonceCounts(wallet),
    await store.executions(),
    await store.followed('base'),
  ])
}

/** A log whose writes are ended by hand. */
function slowLog() {
  const ends: { resolve(): void; reject(error: Error): void }[] = []
  const writes = createGroupWrites(
    () => new Promise((resolve, reject) => ends.push({ resolve, reject })),
  )
  const log: DataLog = {
    ...noLog,
    append: (part, change, undo) => writes.add(JSON.stringify({ part, change }), undo),
    settled: writes.settled,
  }
  const next = () => ends.shift()!
  return { log, succeed: () => next().resolve(), fail: () => next().reject(new Error('disk full')) }
}

/** All that is ready to run has run when this resolves. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A store with an account, two plans and an execution, whose further writes are ended by hand. */
async function slowStore() {
  const { log, succeed, fail } = slowLog()
  const state = createStore()
  await state.createAccount(anAccount())
  for (const planId of ['pln_one', 'pln_two', 'pln_three'])
    await state.savePlan(aPlan({ planId, nonceCounts: {} }))
  await state.consumePlan('pln_three', wallet, anActivity({ activityId: 'act_three' }), '0x')
  const heard: EventRecord[] = []
  const db = new Low<StoreState>(new Memory(), state.save())
  const store = createStore({ log, db, onEvent: (event) => heard.push(event) })
  return { store, heard, succeed, fail }
}

const consume = (store: Store, plan: string) =>
  store.consumePlan(`pln_${plan}`, wallet, anActivity({ activityId: `act_${plan}` }), '0x51')

test('default: what was acknowledged is there again, before and after a checkpoint', async () => {
  const folder = await newFolder()
  const { log, store } = await open(folder)
  await log.checkpoint()
  await store.createAccount(anAccount())
  await store.createAccount(anAccount({ accountId: 'acc_two', primeId: 'svc_second' }))
  for (const planId of ['pln_one', 'pln_two', 'pln_three']) await store.savePlan(aPlan({ planId }))
  await store.keepFollowed('base', { number: 7, hash: '0x07' })
  await consume(store, 'one')
  await store.updateActivity((await store.activity('acc_one', 1))!)
  await store.recordActivity(
    anActivity({ accountId: 'acc_two', planId: null, activityId: 'act_x' }),
  )
  const before = await contents(store)

  for (const withCheckpoint of [false, true]) {
    if (withCheckpoint) await log.checkpoint()
    // Without `close`, and the text of a checkpoint is not told from that of the log.
    const { store: again } = await open(folder)
    expect(await contents(again)).toBe(before)
    expect(again.save()).toEqual(store.save())
  }

  // Indexes are back too: the signer is still taken, the cursor goes on, the nonce count still counts.
  const { store: again } = await open(folder)
  await expect(again.createAccount(anAccount())).rejects.toMatchObject({
    code: 'account_already_exists',
  })
  expect(await consume(again, 'two')).toBe('stale')
  const cursor = (await again.events('acc_one', 0)).at(-1)!.cursor
  await again.updateActivity(anActivity({ status: 'confirmed' }))
  expect(await again.events('acc_one', cursor)).toHaveLength(1)
  expect(await again.executions()).toEqual([])
})

test('behavior: a checkpoint has what was there when it was taken, in pieces that are not long', async () => {
  const folder = await newFolder()
  const { log, store } = await open(folder)
  await log.checkpoint()
  await Promise.all(
    Array.from({ length: 1_200 }, (_, i) =>
      store.createAccount(anAccount({ accountId: `acc_${i}`, signerAddress: `0x${i}` })),
    ),
  )
  await store.savePlan(aPlan())
  await store.savePlan(aPlan({ planId: 'pln_two' }))
  await store.dropExpiredPlans(aPlan().expiresAtMs + 1)
  await store.savePlan(aPlan({ planId: 'pln_three' }))
  const [content] = await Promise.all([
    store.content(async () => {}),
    store.createAccount(anAccount({ accountId: 'acc_later', signerAddress: '0xlater' })),
  ])
  const pieces: string[] = []
  for await (const piece of content) pieces.push(String(piece))
  expect(pieces.length).toBeGreaterThan(3)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(80_000)
  expect(pieces.join('')).toContain('acc_1199')
  expect(pieces.join('')).not.toContain('acc_later')
  expect(pieces.join('')).not.toContain('pln_two')
  await log.checkpoint()
  const { store: again } = await open(folder)
  expect(again.save()).toEqual(store.save())
})

test('behavior: how far chains were followed is kept with every checkpoint, also where the file stays', async () => {
  const folder = await newFolder()
  const { log, store } = await open(folder)
  await store.keepFollowed('base', { number: 1, hash: '0x01' })
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => store.savePlan(aPlan({ planId: `pln_${i}` }))),
  )
  for (const number of [2, 3]) {
    await store.keepFollowed('base', { number, hash: '0x0f' })
    await log.checkpoint()
    expect(await readdir(folder)).toContain('store-1.data')
    const { store: again } = await open(folder)
    expect(await again.followed('base')).toEqual({ number, hash: '0x0f' })
  }
})

test('behavior: after a restore, its checkpoint is what counts', async () => {
  const folder = await newFolder()
  const { log, store } = await open(folder)
  await log.checkpoint()
  await store.createAccount(anAccount())
  const saved = store.save()
  await store.createAccount(anAccount({ accountId: 'acc_two', primeId: 'svc_second' }))
  await store.restore(saved)
  await log.checkpoint()
  await store.savePlan(aPlan())
  const { store: again } = await open(folder)
  expect(again.save()).toEqual(store.save())
  expect(await again.accounts('svc_second')).toEqual([])
})

test('behavior: while the log is closed nothing changes; what was asked for is done when it opens', async () => {
  const folder = await newFolder()
  const { log, store } = await open(folder)
  await store.createAccount(anAccount())
  await store.savePlan(aPlan())
  const saved = store.save()
  await log.replace(async () => {
    await store.savePlan(aPlan({ planId: 'pln_two' })) // part of the replacing: not in the log
    await store.restore(saved)
    expect(store.save()).toEqual(saved)
  }, 'everything')
  expect(await contents((await open(folder)).store)).toBe(await contents(store))
  let end = () => {}
  let replaced: Promise<void> | undefined
  await new Promise<void>((begun) => {
    replaced = log.replace(
      () =>
        new Promise<void>((resolve) => {
          end = resolve
          begun()
        }),
      'everything',
    )
  })
  const later = [store.savePlan(aPlan({ planId: 'pln_three' })), consume(store, 'one')]
  await turn()
  expect(store.save()).toEqual(saved)
  end()
  await Promise.all([replaced, ...later])
  expect(await store.plan('acc_one', 'pln_three')).toBeDefined()
  expect(await contents((await open(folder)).store)).toBe(await contents(store))
})

const writes: [what: string, write: (store: EmbeddedStore) => Promise<unknown>][] = [
  [
    'an account',
    (store) => store.createAccount(anAccount({ accountId: 'acc_two', signerAddress: '0x02' })),
  ],
  ['a plan', (store) => store.savePlan(aPlan({ planId: 'pln_four' }))],
  ['an execution', (store) => consume(store, 'one')],
  [
    'an activity from outside',
    (store) => store.recordActivity(anActivity({ activityId: 'act_out', planId: null })),
  ],
  [
    'the end of an execution',
    (store) =>
      store.updateActivity(
        anActivity({ activityId: 'act_three', status: 'confirmed', metadata: [] }),
      ),
  ],
  [
    'an execution that is open again',
    async (store) => {
      const [execution] = await store.executions()
      await store.reopenExecution({ ...execution!, signature: '0x77' })
    },
  ],
  ['the first mark of a chain', (store) => store.keepFollowed('base', { number: 1, hash: '0x' })],
]

test.each(writes)(
  'error: of %s that could not be written nothing has happened; the same succeeds later',
  async (_what, write) => {
    const { store, heard, fail, succeed } = await slowStore()
    const before = store.save()
    const failed = write(store)
    const read = contents(store)
    await turn()
    fail()
    await expect(failed).rejects.toThrow('disk full')
    expect(store.save()).toEqual(before)
    expect(heard).toEqual([])
    expect(await read).toBe(await contents(store))
    const again = write(store)
    await turn()
    succeed()
    await again
    expect(store.save()).not.toEqual(before)
  },
)

test('behavior: of what waits for the disk nothing is read, and nobody hears', async () => {
  const { store, heard, succeed } = await slowStore()
  const listened: EventRecord[] = []
  store.onEvent('acc_one', (event) => listened.push(event))
  const told: string[] = []
  const before = await contents(store)
  const write = consume(store, 'one').then(() => told.push('written'))
  const reads = [
    store.plan('acc_one', 'pln_one').then((plan) => told.push(`plan ${plan}`)),
    store.events('acc_one', 0).then(({ length }) => told.push(`${length} events`)),
    store.nonceCounts(wallet).then(() => told.push('nonce counts')),
  ]
  await turn()
  expect([told, heard, listened]).toEqual([[], [], []])
  succeed()
  await Promise.all([write, ...reads])
  expect(told.toSorted()).toEqual(['2 events', 'nonce counts', 'plan undefined', 'written'])
  expect(listened).toMatchObject([{ data: { activity_id: 'act_one' } }])
  expect(heard).toEqual(listened)
  expect(await contents(store)).not.toBe(before)
})

test('behavior: of two consumes at once the second waits for the first, and succeeds when that fails', async () => {
  const { store, heard, succeed, fail } = await slowStore()
  const second = anActivity({ activityId: 'act_second' })
  const results = [
    consume(store, 'one').catch((error: Error) => error.message),
    store.consumePlan('pln_one', wallet, second, '0x'),
  ]
  await turn()
  fail()
  await turn()
  succeed()
  expect(await Promise.all(results)).toEqual(['disk full', 'consumed'])
  expect(heard.map(({ data }) => data.activity_id)).toEqual(['act_second'])
  expect((await store.activities('acc_one')).map(({ numbers }) => numbers.activity)).toEqual([2, 1])
})

test('error: all that came behind a failed write fails with it, in memory too', async () => {
  const { store, heard, fail } = await slowStore()
  const before = store.save()
  const all = ['one', 'two'].map((plan) => consume(store, plan).catch(({ message }) => message))
  all.push(store.savePlan(aPlan({ planId: 'pln_four' })).catch(({ message }) => message))
  await turn()
  fail()
  expect(await Promise.all(all)).toEqual(['disk full', 'disk full', 'disk full'])
  expect(store.save()).toEqual(before)
  expect([...store.save().activityIds]).toEqual([['acc_one', ['act_three']]])
  expect(heard).toEqual([])
})

test('behavior: a signer is free again when the account before could not be written', async () => {
  const { store, succeed, fail } = await slowStore()
  const create = (accountId: string) =>
    store.createAccount(anAccount({ accountId, signerAddress: '0x0b' }))
  const first = create('acc_a')
  const [second, third] = [create('acc_b'), create('acc_c')]
  await turn()
  fail()
  await expect(first).rejects.toThrow('disk full')
  await turn()
  succeed()
  await second
  await expect(third).rejects.toMatchObject({ code: 'account_already_exists' })
})

/** One change of the records that `contents` reads. */
const change = fc.oneof(
  fc.constantFrom('acc_one', 'acc_two').map((accountId) => (store: Store) => {
    return store.createAccount(anAccount({ accountId, signerAddress: `0x${accountId}` }))
  }),
  fc.constantFrom('one', 'two', 'three').map((plan) => (store: Store) => {
    return store.savePlan(aPlan({ planId: `pln_${plan}`, nonceCounts: {} }))
  }),
  fc.constantFrom('one', 'two', 'three').map((plan) => (store: Store) => consume(store, plan)),
  fc
    .tuple(fc.constantFrom('one', 'two', 'three'), fc.constantFrom('confirmed', 'failed'))
    .map(([plan, status]) => async (store: Store) => {
      await store.updateActivity(anActivity({ activityId: `act_${plan}`, status }))
    }),
)

test('behavior: cut anywhere, the log gives a past of the store that has all that was acknowledged', async () => {
  const groups = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(groups, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), cutsHold),
    { numRuns: 25 },
  )
})

async function cutsHold(groups: ((store: Store) => Promise<unknown>)[][], cuts: number[]) {
  const folder = await newFolder()
  const { log, store } = await open(folder)
  await log.checkpoint()
  const size = async () => (await stat(join(folder, 'log-1.wal'))).size
  const model = createStore()
  await Promise.all([model, store].map((each) => each.createAccount(anAccount())))
  const begin = await size()
  const pasts = [await contents(model)]
  const acknowledged = [{ bytes: begin, changes: 0 }]
  for (const group of groups) {
    for (const make of group) {
      await make(model).catch(() => {})
      pasts.push(await contents(model))
    }
    await Promise.all(group.map((make) => make(store).catch(() => {})))
    acknowledged.push({ bytes: await size(), changes: pasts.length - 1 })
  }
  const end = await size()
  for (const cut of [0, 1, ...cuts]) {
    const bytes = begin + Math.round(cut * (end - begin))
    const copy = await newFolder()
    await cp(folder, copy, { recursive: true })
    await truncate(join(copy, 'log-1.wal'), bytes)
    const { store: again } = await open(copy)
    const atLeast = acknowledged.findLast((group) => group.bytes <= bytes)!.changes
    const atMost = acknowledged.find((group) => group.bytes >= bytes)!.changes
    expect(pasts.slice(atLeast, Math.max(atLeast, atMost) + 1)).toContain(await contents(again))
  }
}

/** Saves plans as fast as it can, three at a time, and prints the id of each when it is acknowledged. */
const writerScript = `
  import { writeSync } from 'node:fs'
  const { DIST, FOLDER, ORIGIN, PLAN, ROUND } = process.env
  const { createStore } = await import(DIST + 'service/store/createStore.js')
  const { recoverStore } = await import(DIST + 'service/store/recoverStore.js')
  const { openDataFolder } = await import(DIST + 'wal/dataFolder.js')
  const log = await openDataFolder(FOLDER, JSON.parse(ORIGIN))
  const store = createStore({ log, db: await recoverStore(log.recovered) })
  log.keep([store])
  await log.checkpoint()
  async function write(lane) {
    for (let i = 0; ; i++) {
      const planId = 'pln_' + ROUND + '_' + lane + '_' + i
      await store.savePlan({ ...JSON.parse(PLAN), planId })
      writeSync(1, planId + '\\n')
      if (i % 7 === 6) void log.checkpoint()
    }
  }
  await Promise.all([write('a'), write('b'), write('c')])
`

test('behavior: kill -9 in the middle of writes loses nothing that was acknowledged', async () => {
  const folder = await newFolder()
  const acknowledged: string[] = []
  for (const [round, count] of [20, 33, 47].entries()) {
    const env = {
      ...process.env,
      // The child needs compiled JavaScript; `npm run build:ts` has made it before tests run.
      DIST: new URL('../../../dist/modules/', import.meta.url).href,
      FOLDER: folder,
      ORIGIN: JSON.stringify(origin),
      PLAN: JSON.stringify(aPlan()),
      ROUND: `${round}`,
    }
    const child = spawn(process.execPath, ['--input-type=module', '-e', writerScript], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let seen = 0
    for await (const id of createInterface(child.stdout)) {
      acknowledged.push(id)
      seen += 1
      if (seen === count) child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    expect(child.signalCode).toBe('SIGKILL')

    const { log, store } = await open(folder)
    for (const id of acknowledged) expect(await store.plan('acc_one', id)).toBeDefined()
    await log.close()
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(100)
})
