import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import type { LogRecord } from '../../src/wal/recover.js'
import { readsOf } from '../kit/chainReads.js'
import { createClient } from '../kit/client.js'
import { cutLog, imageOf, logOf } from '../kit/dataFolders.js'
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
  // The execution without a bridge: in the test below.
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

test('behavior: after a death in the middle nothing is sent twice, and what was never sent is sent', async () => {
  const dir = await folder()
  const sim = await createSimulator({ dataDir: dir })
  const before = await openUser(sim)
  await before.fund('base', 'USDC', 9_000_000n)
  const { activity: done } = await before.run('earn', earn)
  const [notSent, notKnown] = [await imageOf(dir), await imageOf(dir)]
  dirs.push(notSent, notKnown)
  const log = await logOf(dir)
  await sim.close()
  const consumed = log.findIndex((record) => isOfStore(record, '"plan gone"'))
  const ended = log.findIndex((record) => isOfStore(record, '"activity_status":"confirmed"'))
  const sent = log.slice(consumed, ended)
  expect(sent.filter((record) => 'part' in record && record.part === 'base')).not.toEqual([])
  await cutLog(notSent, consumed + 1)
  await cutLog(notKnown, ended)
  for (const place of [notKnown, notSent]) {
    await using again = await createSimulator({ dataDir: place })
    const user = userAt(again, before)
    const { activity_status, activity_metadata } = await user.follow(done.activity_id)
    expect(activity_status).toBe('confirmed')
    const [item] = activity_metadata
    expect(item).toMatchObject({ success: true })
    expect(item!.semantic_events).toHaveLength(1)
    // The chain that has it keeps the transaction of then; on the other it is a new one, and the first.
    if (place === notKnown)
      expect(item!.transaction_hash).toBe(done.activity_metadata[0]!.transaction_hash)
    expect(await readsOf(again).balance('base', 'USDC', user.wallet)).toBe(7_000_000n)
  }
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
