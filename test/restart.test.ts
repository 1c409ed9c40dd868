import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../src/index.js'
import { createClient } from './kit/client.js'

const dirs: string[] = []
const running: SimulatorHandle[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((sim) => sim.close()))
  await Promise.all(dirs.splice(0).map((dir) => rm(dir, { recursive: true, force: true })))
})

async function dataDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-sim-restart-'))
  dirs.push(dir)
  return dir
}

async function start(dir: string) {
  const sim = await createSimulator({ dataDir: dir })
  running.push(sim)
  return { sim, api: createClient(sim) }
}

const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }

test('default: a clean restart brings back accounts, plans, activities, events and the five chains', async () => {
  const dir = await dataDir()
  const key = generatePrivateKey()
  const first = await start(dir)
  const created = await first.api.post('/accounts', {
    signer_type: 'eoa',
    signer_address: privateKeyToAddress(key),
  })
  const account = created.body as { account_id: string; svc_wallet_address: string }
  const path = `/accounts/${account.account_id}`
  for (const network of ['mainnet', 'base', 'arbitrum', 'optimism', 'polygon'] as const)
    await first.sim.fund({
      account_id: account.account_id,
      asset: 'USDC',
      amount: '9000000',
      network,
    })

  const done = await execute(first.api, path, key)
  const open = await first.api.post(`${path}/plan/earn`, { ...earn, network: 'arbitrum' })
  const before = await everything(first.api, path)
  await first.sim.close()

  const second = await start(dir)
  const after = await everything(second.api, path)
  expect(after.account).toEqual(before.account)
  expect(after.activities).toEqual(before.activities)
  expect(after.events).toEqual(before.events)
  // Interest runs on while the simulator is down, so positions and totals may only have grown.
  expect(Object.keys(after.folio.balances)).toEqual(Object.keys(before.folio.balances))
  expect(tokens(after.folio)).toEqual(tokens(before.folio))
  expect(after.folio.hex_data).toEqual(before.folio.hex_data)
  expect(after.folio.prices).toEqual(before.folio.prices)
  expect(after.folio.completion_statuses).toEqual(before.folio.completion_statuses)

  // The plan that was open is still alive and runs on the restored chain; the consumed one stays consumed.
  const { plan_id, details } = open.body as PlanBody
  const executed = await second.api.post(`${path}/plan/execute`, {
    plan_id,
    signature: await sign({ hash: details.eip712_data.digest, privateKey: key, to: 'hex' }),
  })
  expect(executed.status).toBe(200)
  const again = await second.api.post(`${path}/plan/execute`, done)
  expect(again.status).toBe(404)
})

test('error: a second simulator on the same data folder is refused and names the first', async () => {
  const dir = await dataDir()
  await start(dir)
  await expect(createSimulator({ dataDir: dir })).rejects.toThrow(String(process.pid))
})

interface PlanBody {
  plan_id: string
  details: { eip712_data: { digest: `0x${string}` } }
}

interface FolioBody {
  balances: Record<string, string>
  prices: Record<string, string>
  hex_data: Record<string, string>
  completion_statuses: Record<string, boolean>
}

type Api = ReturnType<typeof createClient>

/** Executes an earn plan and waits for its confirmation; returns the execute body. */
async function execute(api: Api, path: string, key: `0x${string}`) {
  const plan = await api.post(`${path}/plan/earn`, earn)
  const { plan_id, details } = plan.body as PlanBody
  const signature = await sign({ hash: details.eip712_data.digest, privateKey: key, to: 'hex' })
  await api.post(`${path}/plan/execute`, { plan_id, signature })
  let cursor = 0
  for (;;) {
    const page = await api.get(`${path}/events?since=${cursor}&poll=true`)
    const body = page.body as { cursor: number; events: { data: { activity_status: string } }[] }
    cursor = body.cursor
    if (body.events.some(({ data }) => data.activity_status === 'confirmed')) break
  }
  return { plan_id, signature }
}

async function everything(api: Api, path: string) {
  const [account, activities, events, folio] = await Promise.all([
    api.get(path),
    api.get(`${path}/activities`),
    api.get(`${path}/events`),
    api.get(`${path}/folio`),
  ])
  return {
    account: account.body,
    activities: activities.body,
    events: events.body,
    folio: (folio.body as { folio: FolioBody }).folio,
  }
}

function tokens(folio: FolioBody): Record<string, string> {
  return Object.fromEntries(
    Object.entries(folio.balances).filter(([key]) => key.startsWith('token/')),
  )
}
