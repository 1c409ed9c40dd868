import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAccount, anActivity, aPlan, wallet } from '../../test/kit/records.js'
import { createStore } from './createStore.js'
import type { Store } from './store.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-sim-store-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Everything that the interface can say about the records of the tests. */
async function contents(store: Store) {
  return {
    accounts: [await store.accounts('svc_first'), await store.accounts('svc_second')],
    plans: [await store.plan('acc_one', 'pln_one'), await store.plan('acc_one', 'pln_two')],
    activities: await store.activities('acc_one'),
    activity: await store.activity('acc_one', 'act_one'),
    events: await store.events('acc_one', 0),
    nonceCounts: await store.nonceCounts(wallet),
  }
}

test('default', async () => {
  const file = join(folder, 'deep', 'er', 'store.json')
  const store = await createStore({ file })
  await store.createAccount(anAccount())
  await store.createAccount(anAccount({ accountId: 'acc_two', primeId: 'svc_second' }))
  await store.savePlan(aPlan())
  await store.savePlan(aPlan({ planId: 'pln_two' }))
  await store.consumePlan('pln_one', wallet, anActivity(), '0x')
  await store.updateActivity(anActivity({ status: 'confirmed' }))
  const before = await contents(store)

  // Without `close`: what was acknowledged is in the file already.
  const again = await createStore({ file })
  expect(await contents(again)).toEqual(before)
  expect(before.activities).toHaveLength(1)
  expect(before.events).toHaveLength(2)

  // Indexes are back too: the signer is still taken, the cursor goes on, the nonce count still counts.
  await expect(again.createAccount(anAccount())).rejects.toMatchObject({
    code: 'account_already_exists',
  })
  expect(await again.consumePlan('pln_two', wallet, anActivity(), '0x')).toBe('stale')
  await again.updateActivity(anActivity())
  expect(await again.events('acc_one', before.events.at(-1)!.cursor)).toHaveLength(1)
})

test('behavior: numbers go on in a file; one from before there were any gives them in its order', async () => {
  const file = join(folder, 'older.json')
  const store = await createStore({ file })
  await store.createAccount(anAccount())
  for (const activityId of ['act_one', 'act_two'])
    await store.recordActivity(anActivity({ activityId, planId: null, intentId: null }))
  await store.close()
  const reopened = await createStore({ file })
  await reopened.recordActivity(anActivity({ activityId: 'act_three' }))
  await reopened.close()

  const { numbers: _, ...older } = JSON.parse(await readFile(file, 'utf8'))
  for (const activity of older.activities) delete activity.numbers
  await writeFile(file, JSON.stringify(older))
  for (let start = 0; start < 2; start++) {
    const again = await createStore({ file })
    expect(await again.activities('acc_one')).toEqual(await reopened.activities('acc_one'))
    expect(await again.activity('acc_one', 2)).toMatchObject({ activityId: 'act_two' })
    await again.close()
  }
  const numbers = (await reopened.activities('acc_one')).map((each) => each.numbers)
  expect(numbers.map(({ activity, intent }) => [activity, intent])).toEqual([
    [3, 1],
    [2, null],
    [1, null],
  ])
})

const foreignFiles: [why: string, text: string, message: string][] = [
  ['cut off', '{"format":"svc-sim-store","version":2,"acc', 'it is not valid JSON'],
  ['empty', '', 'it is not valid JSON'],
  ['of something else', '{"name":"left-pad"}', 'its "format" is undefined, not "svc-sim-store"'],
  ['not an object', 'null', 'its "format" is undefined'],
  ['of another version', '{"format":"svc-sim-store","version":3}', 'its "version" is 3'],
  ['without its lists', '{"format":"svc-sim-store","version":2}', 'its "accounts" is not a list'],
]

test.each(foreignFiles)(
  'error: a file that is %s is named and left alone',
  async (why, text, message) => {
    const file = join(folder, `${why}.json`)
    await writeFile(file, text)
    const error = await createStore({ file }).catch((e: Error) => e)
    expect(error).toMatchObject({ name: 'StoreFileError' })
    const said = (error as Error).message
    expect(said).toContain(file)
    expect(said).toContain(message)
    expect(said).toContain('Move or delete it')
    expect(await readFile(file, 'utf8')).toBe(text)
  },
)

test('error: a failed write rejects, spares the old file, and goes out with the next one', async () => {
  const file = join(folder, 'blocked.json')
  const store = await createStore({ file })
  await store.savePlan(aPlan())
  const before = await readFile(file, 'utf8')

  // The temporary file cannot be written while a folder has its name.
  const obstacle = join(folder, '.blocked.json.tmp')
  await mkdir(obstacle)
  await expect(store.consumePlan('pln_one', wallet, anActivity(), '0x')).rejects.toThrow('EISDIR')
  expect(await readFile(file, 'utf8')).toBe(before)

  await rm(obstacle, { recursive: true })
  await store.savePlan(aPlan({ planId: 'pln_two' }))
  expect(await contents(await createStore({ file }))).toEqual(await contents(store))
})

test('error: a place that cannot be written is noticed at the start', async () => {
  const file = join(folder, 'taken.json')
  await mkdir(join(folder, '.taken.json.tmp'))
  await expect(createStore({ file })).rejects.toThrow('EISDIR')
})

/** Saves plans as fast as it can, three at a time, and prints the id of each when it is acknowledged. */
const writerScript = `
  import { writeSync } from 'node:fs'
  const { createStore } = await import(process.env.STORE_MODULE)
  const store = await createStore({ file: process.env.STORE_FILE })
  const plan = JSON.parse(process.env.PLAN)
  async function write(lane) {
    for (let i = 0; ; i++) {
      const planId = 'pln_' + process.env.ROUND + '_' + lane + '_' + i
      await store.savePlan({ ...plan, planId })
      writeSync(1, planId + '\\n')
    }
  }
  await Promise.all([write('a'), write('b'), write('c')])
`

test('behavior: kill -9 in the middle of writes loses nothing that was acknowledged', async () => {
  const file = join(folder, 'killed.json')
  const acknowledged: string[] = []
  // The child needs compiled JavaScript; `npm run build:ts` has made it before tests run.
  const module = new URL('../../dist/store/createStore.js', import.meta.url).href
  for (const [round, writes] of [20, 33, 47].entries()) {
    const env = {
      ...process.env,
      STORE_MODULE: module,
      STORE_FILE: file,
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
      if (seen === writes) child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    expect(child.signalCode).toBe('SIGKILL')

    const store = await createStore({ file })
    for (const id of acknowledged) expect(await store.plan('acc_one', id)).toBeDefined()
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(100)
})
