import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, expect, test, vi } from 'vitest'
import { actors } from '../../src/deployments/actors.js'
import { networkNames, networkOf } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { textOfWhy } from '../../src/observe/journal/whyText.js'
import { runCli } from '../kit/cli.js'
import { createClient } from '../kit/client.js'
import { cutLog, imageOf, logOf } from '../kit/dataFolders.js'
import { rpc } from '../kit/http.js'
import { anvilOf } from '../kit/processes.js'
import { executed, openUser, type PlanBody, userAt } from '../kit/user.js'

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

test('behavior: every block from the first on has the same hash after each start, and when a node was brought back', async () => {
  const dir = await dataDir()
  const blocks = async (sim: SimulatorHandle) => {
    const body = JSON.stringify(
      ['0x0', '0x19e', '0x19f'].map((number, id) => ({
        ...{ jsonrpc: '2.0', id, method: 'eth_getBlockByNumber', params: [number, false] },
      })),
    )
    const all = networkNames.map(async (network) => {
      const answer = await fetch(sim.rpc(network), {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
      })
      const results = (await answer.json()) as { result: { hash: string } | null }[]
      return results.map(({ result }) => result?.hash)
    })
    return Promise.all(all)
  }
  const first = await start(dir)
  const before = await blocks(first.sim)
  expect(before.flatMap(([zero]) => zero)).not.toContain(undefined)
  for (const network of networkNames) {
    const { chainId } = networkOf(network)
    process.kill(anvilOf(chainId), 'SIGKILL')
  }
  await vi.waitFor(async () => expect(await blocks(first.sim)).toEqual(before), 30_000)
  await first.sim.close()
  const second = await start(dir)
  expect(await blocks(second.sim)).toEqual(before)
  await second.sim.close()
  expect(await blocks((await start(dir)).sim)).toEqual(before)
})

test('behavior: an old transaction is there after a restart, when a node was brought back, and in an export', async () => {
  const dir = await dataDir()
  const { sim } = await start(dir)
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 10n)
  const transfer = { network: 'base', asset: 'USDC', amount: '5', recipient: user.wallet }
  const { activity } = await user.run('transfer', transfer)
  const hash = activity.activity_metadata[0]!.transaction_hash as string
  const receipt = (of: SimulatorHandle) => rpc(of.rpc('base'), 'eth_getTransactionReceipt', [hash])
  const before = await receipt(sim)
  expect(before).toMatchObject({ transactionHash: hash, status: '0x1' })
  for (let i = 0; i < 220; i++) await rpc(sim.rpc('base'), 'evm_mine')
  expect(await receipt(sim)).toEqual(before)
  process.kill(anvilOf(networkOf('base').chainId), 'SIGKILL')
  await vi.waitFor(async () => expect(await receipt(sim)).toEqual(before), 30_000)
  await sim.close()
  const second = await start(dir)
  expect(await receipt(second.sim)).toEqual(before)
  await second.sim.close()
  const file = join(await dataDir(), 'world.export')
  const { code, stderr } = await runCli(['data', 'export', file, '--data-dir', dir])
  expect([code, stderr]).toEqual([0, expect.anything()])
  const imported = await createSimulator({ snapshot: file })
  running.push(imported)
  expect(await receipt(imported)).toEqual(before)
})

test('behavior: the journal begins with the process, and why says so where the beginning is missing', async () => {
  const dir = await dataDir()
  const { sim } = await start(dir)
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 10n)
  const transfer = { network: 'base', asset: 'USDC', amount: '5', recipient: user.wallet }
  const { activity, plan } = await user.run('transfer', transfer)
  const ids = [user.id, plan.plan_id, activity.activity_id]
  await sim.faults.add({ id: 'breaks', on: 'execute', effect: 'revert', times: 1 })
  const failed = await user.run('transfer', transfer)
  const areComplete = async (api: ReturnType<typeof createClient>) => {
    const told = await Promise.all(ids.map((id) => api.get(`/_sim/why/${id}`)))
    return told.map(({ body }) => body.is_complete)
  }
  expect(await areComplete(createClient(sim))).toEqual([true, true, true])
  await sim.close()
  const second = await start(dir)
  expect(await areComplete(second.api)).toEqual([false, false, false])
  const other = await openUser(second.sim)
  expect((await second.api.get(`/_sim/why/${other.id}`)).body.is_complete).toBe(true)
  const why = async (id: string) => (await second.api.get(`/_sim/why/${id}`)).body
  const whole = textOfWhy(await why(user.id))
  expect(whole).toContain('(older requests are missing: the journal begins with')
  const unknown =
    /reverted \(\S.*\); its execution is not in the journal, which begins at each start/
  expect(whole).toMatch(unknown)
  expect((await why(failed.activity.activity_id)).now).toMatch(unknown)
  expect(await why('breaks')).toMatchObject({
    is_complete: false,
    now: expect.stringMatching(/1 of these hits came before this start/),
  })
  const gone = await fetch(`${second.sim.controlUrl}/why/req_000000000000`)
  expect([gone.status, gone.headers.get('x-svc-sim-hint')]).toEqual([
    404,
    expect.stringMatching(
      /^Requests, .* are known from the journal alone: it begins at each start/,
    ),
  ])
  // Its hits from here on are in the journal.
  await second.sim.faults.set([{ id: 'breaks', on: 'execute', effect: 'revert', times: 1 }])
  const again = await userAt(second.sim, user).run('transfer', transfer)
  expect((await why(again.activity.activity_id)).now).toContain('because breaks')
  expect((await why('breaks')).is_complete).toBe(true)
})

test('behavior: a bridge that a rule delays stays held, and arrives when the overview said before; why names the rule', async () => {
  const dir = await dataDir()
  const open = async () => {
    const sim = await createSimulator({ dataDir: dir, clock: 'frozen' })
    running.push(sim)
    return { sim, api: createClient(sim) }
  }
  const { sim } = await open()
  await sim.faults.add({ id: 'slow', on: 'bridge', effect: { delay: { seconds: 60 } } })
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 20_000_000n)
  const body = { asset: 'USDC', amount: '5000000', network: 'base', recipient: actors.relayer }
  const id = await executed(sim, user, 'transfer', body)
  await sim.clock.advance(20)
  // A rule meets the deposits that come after it.
  await sim.faults.add({ id: 'later', on: 'bridge', effect: 'stuck' })
  const [announced] = (await createClient(sim).get('/_sim/overview')).body.bridges
  await sim.close()
  const second = await open()
  // Background work of the start takes it up again.
  await second.sim.clock.advance(0)
  const told = async () => {
    const { bridges } = (await second.api.get('/_sim/overview')).body
    return { ...bridges[0], ...(await second.api.get(`/_sim/why/${id}`)).body }
  }
  const { fills_at, now, verdict } = await told()
  expect(fills_at).toBe(announced.fills_at)
  expect(Date.parse(fills_at) - second.sim.clock.now().getTime()).toBe(40_000)
  expect(now).toContain(
    'to deliver 5 USDC, because slow (bridge.delay) holds it; if it is not filled by ',
  )
  expect(verdict.next).toMatch(/^remove the rule slow, which releases what it holds /)
  await second.sim.clock.advance(39)
  expect((await told()).status).toBe('in flight')
  await second.sim.clock.advance(1)
  expect(await told()).toMatchObject({ status: 'filled', now: 'confirmed' })
  expect(second.sim.faults.list()).toMatchObject([{ hits: 1 }, { seen: 0, hits: 0 }])
})

test('behavior: after a stop and after a kill, an execution whose response was lost is still known as lost, wherever the next payment looks', async () => {
  const dir = await dataDir()
  const open = async (at: string) => {
    const sim = await createSimulator({ dataDir: at, clock: 'frozen' })
    running.push(sim)
    const api = createClient(sim)
    return { sim, why: async (id: string) => (await api.get(`/_sim/why/${id}`)).body }
  }
  const { sim, why } = await open(dir)
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 40_000_000n)
  const pay = { asset: 'USDC', amount: '8000000', network: 'base', recipient: actors.relayer }
  const other = await executed(sim, user, 'transfer', { ...pay, amount: '2000000' })
  await sim.faults.add({ id: 'mean', on: 'execute', effect: 'response_lost', times: 1 })
  const paid = (await user.plan('transfer', pay)).body as PlanBody
  await expect(user.execute(paid)).rejects.toThrow()
  await sim.clock.advance(5)
  const { now, related } = await why(paid.plan_id)
  const id = related.activity_id
  expect(now).toContain(
    'confirmed; its client did not get the response (the connection was cut), because mean (execute.response_lost) ',
  )
  const killed = await imageOf(dir)
  // The response to the last execution arrives, and nothing of it is written before the end.
  const late = await executed(sim, user, 'transfer', { ...pay, amount: '1000000' })
  const log = await logOf(dir)
  const unread = log.findIndex(
    (record) =>
      JSON.stringify(record).includes('"unread"') && JSON.stringify(record).includes(late),
  )
  const atOnce = await imageOf(dir)
  await cutLog(atOnce, unread + 1)
  dirs.push(killed, atOnce)
  await sim.close()
  for (const place of [killed, dir, atOnce]) {
    const { sim, why } = await open(place)
    await sim.clock.advance(5)
    const again = userAt(sim, user)
    for (const life of ['after the start', 'after a reset']) {
      expect((await why(paid.plan_id)).now, life).toBe(now)
      expect((await why(other)).now).toBe('confirmed')
      const follow = `follow activity ${id}, and do not make a new plan for it`
      if (place === killed) expect((await why(user.id)).verdict.next).toBe(follow)
      // The last execution was for another request.
      const look = `look at activity ${id}`
      const short = await again.plan('transfer', { ...pay, amount: '39000000' })
      expect(short.status).toBe(400)
      const refused = short.headers.get('x-svc-sim-request-id')!
      expect((await why(refused)).verdict.next).toContain('look at activity')
      const plan = (await again.plan('transfer', pay)).body as PlanBody
      expect((await why(plan.plan_id)).verdict.next.startsWith(look)).toBe(true)
      expect((await again.execute(plan)).status).toBe(200)
      await sim.clock.advance(5)
      const twice = `confirmed; the same request was carried out before, by activity ${id}, whose response was lost: this did it again`
      expect((await why(plan.plan_id)).now).toBe(twice)
      expect((await why(user.id)).now).toContain(twice)
      if (place === atOnce)
        expect((await why(late)).now).toBe(
          'confirmed; its client may not have got the response: the simulator ended before it knew; the client can find this activity by its plan_id',
        )
      else if (place === dir) expect((await why(late)).now).toBe('confirmed')
      await sim.reset()
    }
    await sim.close()
  }
})

test('error: a second simulator on the same data folder is refused and names the first', async () => {
  const dir = await dataDir()
  await start(dir)
  await expect(createSimulator({ dataDir: dir })).rejects.toThrow(String(process.pid))
})

test('behavior: the clock is as it was left, frozen or ahead; a given seed draws no id again', async () => {
  const dir = await dataDir()
  const options = { dataDir: dir, seed: 5n }
  const open = async (more: Parameters<typeof createSimulator>[0] = {}) => {
    const sim = await createSimulator({ ...options, ...more })
    running.push(sim)
    return { sim, api: createClient(sim) }
  }
  const newAccount = async (api: ReturnType<typeof createClient>): Promise<string> => {
    const signer = privateKeyToAddress(generatePrivateKey())
    const { body } = await api.post('/accounts', { signer_type: 'eoa', signer_address: signer })
    return body.account_id
  }
  const first = await open({ clock: { frozenAt: '2026-05-01T00:00:00Z' } })
  const id = await newAccount(first.api)
  await first.sim.clock.advance(3600.5)
  await first.sim.close()

  const second = await open()
  const frozenMs = Date.parse('2026-05-01T01:00:00.500Z')
  expect(second.sim.clock.time()).toMatchObject({ mode: 'frozen', ms: frozenMs })
  const ids = [id, await newAccount(second.api)]
  expect(new Set(ids).size).toBe(2)
  expect((await second.api.get('/accounts')).body.accounts).toHaveLength(2)
  await second.sim.clock.resume()
  // Ahead of the machine by a day at least, whatever the machine's time.
  const aheadMs = Math.max(0, Date.now() - frozenMs) + 86_400_000
  await second.sim.clock.advance(Math.ceil(aheadMs / 1000))
  const left = second.sim.clock.now().getTime() - Date.now()
  await second.sim.close()

  const third = await open()
  const offset = third.sim.clock.now().getTime() - Date.now()
  expect(third.sim.clock.time().mode).toBe('real')
  // The same but for the moment between the two readings of the machine's clock.
  expect(Math.abs(offset - left)).toBeLessThan(1000)
  const { ms } = await third.sim.clock.auto()
  await third.sim.close()

  const fourth = await open()
  expect(fourth.sim.clock.time()).toMatchObject({ mode: 'auto', ms })
  await fourth.sim.close()
  await expect(open({ clock: { frozenAt: '2026-05-01T00:00:00Z' } })).rejects.toThrow(
    'cannot go back',
  )
})

test('behavior: with keepBlocks an older transaction is unknown, its activity stays confirmed through a reorganisation, with the bound and without', async () => {
  const dir = await dataDir()
  const sim = await createSimulator({ dataDir: dir, keepBlocks: 1_000 })
  running.push(sim)
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 10n)
  const transfer = { network: 'base', asset: 'USDC', amount: '5', recipient: user.wallet }
  const run = async () => (await user.run('transfer', transfer)).activity
  const old = await run()
  const request = <T>(method: string, ...params: unknown[]) =>
    rpc<T>(sim.rpc('base'), method, params)
  const receipt = ({ activity_metadata: [item] }: typeof old) =>
    request('eth_getTransactionReceipt', item!.transaction_hash)
  await request('anvil_mine', 990)
  expect(await receipt(old)).not.toBeNull()
  const recent = await run()
  await request('anvil_mine', 60)
  expect(await receipt(old)).toBeNull()
  expect(await receipt(recent)).not.toBeNull()
  await request('anvil_reorg', 1, [])
  // A frozen clock has let everything that was noticed be done.
  await sim.clock.freeze()
  for (const activity of [old, recent]) {
    const { body } = await user.api.get(`/activities/${activity.activity_id}`)
    expect(body).toEqual(activity)
  }
  await sim.clock.resume()
  await sim.close()
  const second = await start(dir)
  for (let block = 0; block < 3; block++) await rpc(second.sim.rpc('base'), 'evm_mine')
  await rpc(second.sim.rpc('base'), 'anvil_reorg', [1, []])
  await second.sim.clock.freeze()
  expect((await second.api.get(`/activities/${old.activity_id}`)).body).toEqual(old)
})
