import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import type { LogRecord } from '../../src/wal/recover.js'
import { createClient } from '../kit/client.js'
import { cutLog, imageOf, logOf } from '../kit/dataFolders.js'
import { openPayer } from '../kit/payer.js'
import { openUser } from '../kit/user.js'

/** Transfers from outside and what is kept: data folders, snapshots. Each is told once. */

const dirs: string[] = []
const running: SimulatorHandle[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((sim) => sim.close()))
  await Promise.all(dirs.splice(0).map((dir) => rm(dir, { recursive: true, force: true })))
})

async function start(dataDir: string): Promise<SimulatorHandle> {
  const sim = await createSimulator({ dataDir, clock: 'frozen' })
  running.push(sim)
  return sim
}

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-sim-inbound-'))
  dirs.push(dir)
  return dir
}

/** The amounts that the account has received, oldest first, and the statuses that it was told. */
async function seen(sim: SimulatorHandle, path: string) {
  const api = createClient(sim)
  const { activities } = (await api.get(`${path}/activities`)).body
  const { events } = (await api.get(`${path}/events`)).body
  return {
    amounts: activities
      .map((one: { activity_metadata: { action_context: { amount: string } }[] }) =>
        one.activity_metadata.map((item) => item.action_context.amount).join('+'),
      )
      .reverse(),
    events: events.length,
  }
}

test('behavior: what was mined when nobody looked any more is told after the start, native funds too', async () => {
  const dir = await folder()
  const first = await start(dir)
  const user = await openUser(first, generatePrivateKey())
  const payer = await openPayer(first)
  await payer.sendNative('base', user.wallet, 1n)
  await first.snapshot() // Everything has been looked at.
  await payer.sendNative('base', user.wallet, 2n)
  await payer.sendToken('base', 'USDC', user.wallet, 3n)
  expect(await seen(first, user.path)).toEqual({ amounts: ['1', '2', '3'], events: 3 })

  // As if the process had ended when the payments were mined, and not looked at yet.
  const image = await imageOf(dir)
  dirs.push(image)
  const log = await logOf(image)
  const isActivity = (record: LogRecord) =>
    'change' in record && JSON.stringify(record.change).includes('"activity"')
  const last = log.findLastIndex((record) => 'part' in record && record.part === 'base')
  expect(log.slice(last).filter(isActivity)).toHaveLength(1)
  await cutLog(image, last + 1)
  const second = await start(image)
  expect(await seen(second, user.path)).toEqual({ amounts: ['1', '2', '3'], events: 3 })
})

test('behavior: a restored snapshot has what came before it, and tells of what comes again', async () => {
  await using sim = await createSimulator({ clock: 'frozen', seed: 3n })
  const user = await openUser(sim)
  const payer = await openPayer(sim)
  const early = await sim.snapshot()
  await payer.sendNative('base', user.wallet, 1n)
  const late = await sim.snapshot()
  await payer.sendNative('base', user.wallet, 2n)
  expect(await seen(sim, user.path)).toEqual({ amounts: ['1', '2'], events: 2 })
  await sim.restore(late)
  expect(await seen(sim, user.path)).toEqual({ amounts: ['1'], events: 1 })
  await payer.sendNative('base', user.wallet, 2n)
  expect(await seen(sim, user.path)).toEqual({ amounts: ['1', '2'], events: 2 })
  await sim.restore(early)
  expect(await seen(sim, user.path)).toEqual({ amounts: [], events: 0 })
  await payer.sendNative('base', user.wallet, 4n)
  expect(await seen(sim, user.path)).toEqual({ amounts: ['4'], events: 1 })
})
