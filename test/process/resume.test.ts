import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle, type SimulatorOptions } from '../../src/index.js'
import { bridgeHint, bridgeOutput } from '../../src/service/bridge/hints.js'
import { folioAmount } from '../../src/service/folio/numbers.js'
import type { LogRecord } from '../../src/wal/recover.js'
import { createClient } from '../kit/client.js'
import { cutLog, imageOf, logOf } from '../kit/dataFolders.js'
import type { ActivityBody, PlanBody } from '../kit/user.js'

const dirs: string[] = []
const running: SimulatorHandle[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((sim) => sim.close()))
  await Promise.all(dirs.splice(0).map((dir) => rm(dir, { recursive: true, force: true })))
})

async function dataDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-sim-resume-'))
  dirs.push(dir)
  return dir
}

async function start(dataDir: string, options: SimulatorOptions = {}) {
  const sim = await createSimulator({ dataDir, ...options })
  running.push(sim)
  return { sim, api: createClient(sim) }
}

const key = generatePrivateKey()

async function openAccount({ sim, api }: Awaited<ReturnType<typeof start>>, amounts: Amounts) {
  const signer = { signer_type: 'eoa', signer_address: privateKeyToAddress(key) }
  const { body } = await api.post('/accounts', signer)
  for (const [network, amount] of Object.entries(amounts) as [keyof Amounts, string][])
    await sim.fund({ account_id: body.account_id, asset: 'USDC', amount, network })
  return { path: `/accounts/${body.account_id}`, wallet: body.svc_wallet_address as string }
}
type Amounts = { base?: string; arbitrum?: string }
type Api = ReturnType<typeof createClient>

async function execute(api: Api, path: string, { plan_id, details }: PlanBody): Promise<string> {
  const hash = details.eip712_data.digest
  const signature = await sign({ hash, privateKey: key, to: 'hex' })
  const { body } = await api.post(`${path}/plan/execute`, { plan_id, signature })
  expect(body).toMatchObject({ status: 'executing' })
  return body.activity_id
}

/** Reads events by long polls until those of the account so far satisfy the condition. */
async function eventsUntil(api: Api, path: string, enough: (statuses: string[]) => boolean) {
  const statuses: string[] = []
  for (let cursor = 0; ; ) {
    const { body } = await api.get(`${path}/events?since=${cursor}&poll=true`)
    cursor = body.cursor
    for (const { data } of body.events) statuses.push(data.activity_status)
    if (enough(statuses)) return
  }
}

const confirmed = (statuses: string[]): boolean => statuses.includes('confirmed')

async function balances(api: Api, path: string): Promise<Record<string, string>> {
  return (await api.get(`${path}/folio`)).body.folio.balances
}

test('default: a bridge that was under way at a clean stop is filled after the next start, and the plan goes on', async () => {
  const dir = await dataDir()
  const first = await start(dir, { bridgeDelayMs: 3_600_000 })
  const { path, wallet } = await openAccount(first, { base: '5000000', arbitrum: '5000000' })
  const friend = '0x00000000000000000000000000000000000f41e7'
  const request = { asset: 'USDC', amount: '7000000', network: 'base', recipient: friend }
  const plan = (await first.api.post(`${path}/plan/transfer`, request)).body as PlanBody
  const id = await execute(first.api, path, plan)
  // The second event says that the deposit has landed; from then on the plan waits for its fill.
  await eventsUntil(first.api, path, (statuses) => statuses.length === 2)
  const before = (await first.api.get(`/activities/${id}`)).body as ActivityBody
  const [deposit] = before.activity_metadata
  expect(before.activity_status).toBe('pending')
  expect(deposit).toMatchObject({ action_type: 'BRIDGE', success: true })
  const source = `token/arbitrum/USDC/${wallet}`
  const left = (await balances(first.api, path))[source]
  await first.sim.close()

  const { api } = await start(dir, { bridgeDelayMs: 10 })
  await eventsUntil(api, path, confirmed)
  const { activity_metadata } = (await api.get(`/activities/${id}`)).body as ActivityBody
  expect(activity_metadata.map((item) => [item.action_type, item.success])).toEqual([
    ['BRIDGE', true],
    ['BRIDGE_MINT', true],
    ['TRANSFER', true],
  ])
  // The deposit was made once: it is the same transaction, and nothing more has left the source network.
  expect(activity_metadata[0]).toEqual(deposit)
  const after = await balances(api, path)
  expect(after[source]).toBe(left)
  const context = deposit!.action_context as { input_amount: string }
  const hint = bridgeHint('arbitrum', 'base', 'USDC')!
  const rest = 5_000_000n + bridgeOutput(hint, BigInt(context.input_amount)) - 7_000_000n
  expect(after[`token/base/USDC/${wallet}`] ?? '0e6').toBe(folioAmount(rest, 6))
})

test('behavior: after a death in the middle nothing is sent twice, and what was never sent is sent', async () => {
  const dir = await dataDir()
  const first = await start(dir)
  const { path } = await openAccount(first, { base: '9000000' })
  const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }
  const plan = (await first.api.post(`${path}/plan/earn`, earn)).body as PlanBody
  const id = await execute(first.api, path, plan)
  await eventsUntil(first.api, path, confirmed)
  const done = (await first.api.get(`/activities/${id}`)).body as ActivityBody
  const folio = await balances(first.api, path)

  // The log up to where the plan had been consumed, and up to where it had been sent and nobody knew yet.
  const [notSent, notKnown] = [await imageOf(dir), await imageOf(dir)]
  dirs.push(notSent, notKnown)
  const log = await logOf(dir)
  const isOfStore = (record: LogRecord, words: string) =>
    'change' in record && record.part === 'store' && JSON.stringify(record.change).includes(words)
  const consumed = log.findIndex((record) => isOfStore(record, '"plan gone"'))
  const ended = log.findIndex((record) => isOfStore(record, '"activity_status":"confirmed"'))
  const sent = log
    .slice(consumed, ended)
    .filter((record) => 'part' in record && record.part === 'base')
  expect(sent).not.toEqual([])
  await cutLog(notSent, consumed + 1)
  await cutLog(notKnown, ended)

  for (const place of [notKnown, notSent]) {
    const { sim, api } = await start(place)
    await eventsUntil(api, path, confirmed)
    const again = (await api.get(`/activities/${id}`)).body as ActivityBody
    expect(again).toMatchObject({ activity_status: 'confirmed' })
    const [item] = again.activity_metadata
    expect(item).toMatchObject({ success: true })
    expect(item!.semantic_events).toHaveLength(1)
    // On the chain that has it, it is the transaction of then; on the other it is a new one, and the first.
    if (place === notKnown)
      expect(item!.transaction_hash).toBe(done.activity_metadata[0]!.transaction_hash)
    const now = await balances(api, path)
    const token = Object.keys(folio).find((name) => name.startsWith('token/base/USDC/'))!
    expect(now[token]).toBe('7e6')
    await sim.close()
  }
})
