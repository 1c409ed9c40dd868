import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import type { NetworkName } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import type { LogRecord } from '../../src/wal/recover.js'
import { createClient } from '../kit/client.js'
import { cutLog, imageOf, logOf } from '../kit/dataFolders.js'
import { rpc } from '../kit/http.js'
import { markedBy, waitUntilGone } from '../kit/processes.js'
import {
  all,
  expectOnChain,
  expectTold,
  startOn,
  type Told,
  transfer,
  untilConfirmed,
  work,
} from '../kit/told.js'
import { openUser, type User, userAt } from '../kit/user.js'

/** What an answer said is there after any sudden end, on the chains too. */

const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }
/** More than there is on base after that, so that some of it has to be bridged. */
const send = transfer

const dirs: string[] = []
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))))

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-sim-sudden-'))
  dirs.push(dir)
  return dir
}

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
  // The execution without a bridge: in resume.test.ts.
  const bridged = consumed[1]!
  expect(bridged).toBeGreaterThan(created)
  const places = log.flatMap((_, index) =>
    index >= bridged && index < bridged + 14 && (index - bridged) % 2 === 0 ? [index] : [],
  )
  expect(places.length).toBeGreaterThan(3)
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

test('behavior: what waits on a halted network waits after a start too, until the rule is removed; the other networks begin with an empty block', async () => {
  const dir = await folder()
  const from = '0x00000000000000000000000000000000000a11ce'
  const height = async (sim: SimulatorHandle, on: NetworkName) =>
    Number(await rpc<string>(sim.rpc(on), 'eth_blockNumber'))
  const sim = await createSimulator({ dataDir: dir })
  await rpc(sim.rpc('base'), 'anvil_setBalance', [from, '0xde0b6b3a7640000'])
  await rpc(sim.rpc('base'), 'anvil_impersonateAccount', [from])
  await sim.faults.add({ id: 'halted', on: 'chain', effect: 'halt', match: { network: 'base' } })
  const hashes = []
  for (const value of ['0x1', '0x2', '0x3'])
    hashes.push(
      await rpc<string>(sim.rpc('base'), 'eth_sendTransaction', [{ from, to: from, value }]),
    )
  const image = await imageOf(dir)
  dirs.push(image)
  const before = { base: await height(sim, 'base'), polygon: await height(sim, 'polygon') }
  await sim.close()

  await using again = await createSimulator({ dataDir: image })
  expect(await rpc(again.rpc('base'), 'txpool_status')).toEqual({ pending: '0x3', queued: '0x0' })
  expect(await height(again, 'base')).toBe(before.base)
  expect(await height(again, 'polygon')).toBe(before.polygon + 1)
  await again.faults.remove('halted')
  for (const hash of hashes)
    expect(await rpc(again.rpc('base'), 'eth_getTransactionReceipt', [hash])).toMatchObject({
      status: '0x1',
    })
})

test.each(['the process', 'all of them'] as const)(
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
      const victims = { 'the process': [run.pid], 'all of them': [...anvils, run.pid] }
      for (const pid of victims[victim]) process.kill(pid, 'SIGKILL')
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
