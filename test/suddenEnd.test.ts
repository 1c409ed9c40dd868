import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import type { NetworkName } from '../src/chain/deployments/networks.js'
import { networks } from '../src/chain/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../src/index.js'
import type { LogRecord } from '../src/wal/recover.js'
import { startCli } from './kit/cli.js'
import { createClient } from './kit/client.js'
import { cutLog, imageOf, logOf } from './kit/dataFolders.js'
import { markedBy, waitUntilGone } from './kit/processes.js'
import { type ActivityBody, openUser, type PlanBody, type User, userAt } from './kit/user.js'

/** What an answer said is there after any sudden end, on the chains too. */

const friend = '0x00000000000000000000000000000000000f41e7'
const dirs: string[] = []
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))))

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-sim-sudden-'))
  dirs.push(dir)
  return dir
}

const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }
/** More than there is on base after that, so that some of it has to be bridged. */
const send = { asset: 'USDC', amount: '8000000', network: 'base', recipient: friend }

type RpcUrl = (network: NetworkName) => string

/** What an activity says happened on the chains did happen there. */
async function expectOnChain(rpc: RpcUrl, activity: ActivityBody) {
  for (const { transaction_hash: hash, chain_id } of activity.activity_metadata) {
    if (hash === null) continue
    const { name } = networks.find(({ chainId }) => chainId === chain_id)!
    const receipt = await ask(rpc(name), 'eth_getTransactionReceipt', [hash])
    expect(receipt).toMatchObject({ status: '0x1' })
  }
}

async function ask(url: string, method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  return ((await response.json()) as { result: unknown }).result
}

const all = async (user: User): Promise<ActivityBody[]> =>
  ((await user.api.get(`${user.path}/activities`)).body as { activities: ActivityBody[] })
    .activities

test('default: wherever the log ends, what it has is whole: what was under way ends, and the account goes on', async () => {
  const dir = await folder()
  const sim = await createSimulator({ dataDir: dir, bridgeDelayMs: 20 })
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  await user.fund('arbitrum', 'USDC', 9_000_000n)
  await user.run('earn', earn)
  await user.run('transfer', send)
  const image = await imageOf(dir)
  dirs.push(image)
  await sim.close()

  const log = await logOf(image)
  const created = log.findIndex((record) => isOfStore(record, '"account"'))
  const consumed = log.flatMap((record, index) => (isOfStore(record, '"plan gone"') ? [index] : []))
  expect(consumed).toHaveLength(2)
  // Around each of the two executions the places are taken one by one, elsewhere now and then.
  const places = log.flatMap((_, index) =>
    index > created &&
    consumed.some((start) => index >= start && index < start + 14 && (index - start) % 2 === 0)
      ? [index]
      : [],
  )
  expect(places.length).toBeGreaterThan(5)
  for (const place of places) {
    const cut = await folder()
    await cp(image, cut, { recursive: true })
    await cutLog(cut, place + 1)
    await expectWhole(cut, user, `record ${place} of ${log.length}`)
  }
})

function isOfStore(record: LogRecord, words: string): boolean {
  return (
    'change' in record && record.part === 'store' && JSON.stringify(record.change).includes(words)
  )
}

async function expectWhole(dir: string, before: User, place: string): Promise<void> {
  await using sim = await createSimulator({ dataDir: dir, bridgeDelayMs: 20 })
  const user = userAt(sim, before)
  for (const { activity_id } of await all(user)) {
    const activity = await user.follow(activity_id)
    expect(activity.activity_status, place).toBe('confirmed')
    await expectOnChain(sim.rpc, activity)
  }
  await user.fund('base', 'USDC', 1n)
  const { activity } = await user.run('transfer', { ...send, amount: '1' })
  expect(activity.activity_status, place).toBe('confirmed')
}

test('behavior: a frozen clock stands where it stood, and fault rules stand again with what they have counted', async () => {
  const dir = await folder()
  const sim = await createSimulator({ dataDir: dir, clock: 'frozen' })
  await sim.clock.advance(100)
  await sim.faults.add({ on: 'folio', effect: 'timeout', times: 2 })
  const user = await openUser(sim)
  const folio = `${user.path}/folio`
  expect((await user.api.get(folio)).status).toBe(408)
  await openUser(sim) // written after what has been counted
  const image = await imageOf(dir)
  dirs.push(image)
  const [time, rules] = [sim.clock.time(), sim.faults.list()]
  expect(rules).toMatchObject([{ hits: 1 }])
  await sim.close()

  await using again = await createSimulator({ dataDir: image })
  expect(again.clock.time()).toEqual(time)
  expect(again.faults.list()).toEqual(rules)
  const { api } = userAt(again, user)
  const statuses = [(await api.get(folio)).status, (await api.get(folio)).status]
  expect(statuses).toEqual([408, 200])
})

test('behavior: an old store.json that is put beside a folder in use takes nothing from it', async () => {
  const dir = await folder()
  const sim = await createSimulator({ dataDir: dir })
  const user = await openUser(sim)
  const image = await imageOf(dir)
  dirs.push(image)
  await sim.close()
  await writeFile(join(image, 'store.json'), '{}')
  await using again = await createSimulator({ dataDir: image })
  expect((await userAt(again, user).api.get(user.path)).status).toBe(200)
})

interface Ready {
  url: string
  apiKey: string
  rpc: Record<NetworkName, string>
}

/** The program on this folder. */
async function startOn(dir: string) {
  const run = startCli(['start', '--port', '0', '--json', '--data-dir', dir])
  const [line] = await run.saying('stdout', /^\{.*\}$/m)
  return { run, ready: JSON.parse(line) as Ready }
}

interface EventsBody {
  events: unknown[]
}

/** What the service has told of an account. */
interface Told {
  user: User
  confirmed: Map<string, ActivityBody>
  events: unknown[]
  unused: PlanBody | undefined
}

/** Makes plans and carries them out until the service is gone; keeps what it was told. */
async function work(user: User, told: Told): Promise<void> {
  try {
    for (let amount = 1; ; amount++) {
      told.unused = undefined
      const planned = await user.plan('transfer', { ...send, amount: String(amount) })
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

test.each(['the process', 'a node', 'all of them'] as const)(
  'behavior: killed under load, %s: everything that was told is there, twice in a row',
  async (victim) => {
    const dir = await folder()
    const told: Told[] = []
    for (let round = 0; round < 2; round++) {
      const { run, ready } = await startOn(dir)
      await expectTold(ready, told)
      for (let i = 0; i < 2; i++) {
        const user = await openUser(ready as unknown as SimulatorHandle, generatePrivateKey())
        await createClient(ready).post('/_sim/fund', {
          account_id: user.id,
          asset: 'USDC',
          network: 'base',
          amount: '1000000000',
        })
        told.push({ user, confirmed: new Map(), events: [], unused: undefined })
      }
      const working = told.slice(-2).map((each) => work(each.user, each))
      const some = told.at(-1)!
      await untilConfirmed(some, 2)
      const anvils = markedBy(run.mark, 'anvil')
      const victims = { 'the process': [run.pid], 'a node': anvils.slice(0, 1) }
      for (const pid of victim === 'all of them' ? [...anvils, run.pid] : victims[victim])
        process.kill(pid, 'SIGKILL')
      await run.ended
      await waitUntilGone(anvils)
      await Promise.all(working)
    }
    const { run, ready } = await startOn(dir)
    await expectTold(ready, told)
    run.kill('SIGTERM')
    expect((await run.ended).code).toBe(0)
  },
)

/** Resolves when so many executions of the account have been told to be confirmed. */
async function untilConfirmed(told: Told, count: number): Promise<void> {
  for (let cursor = 0; told.confirmed.size < count; ) {
    const { body } = await told.user.api.get(`${told.user.path}/events?since=${cursor}&poll=true`)
    cursor = (body as { cursor: number }).cursor
  }
}

async function expectTold(ready: Ready, told: readonly Told[]): Promise<void> {
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
