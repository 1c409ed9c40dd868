import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import { createSimulator } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { smallDisk } from '../kit/smallDisk.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** A disk that is full, and then is not. */

const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }
/** More than there is on base, so that some of it is bridged. */
const send = {
  asset: 'USDC',
  amount: '8000000',
  network: 'base',
  recipient: '0x00000000000000000000000000000000000f41e7',
}

test('behavior: a full disk refuses and changes nothing; when there is room again, what was under way is finished', async ({
  skip,
}) => {
  const disk = await smallDisk(4096)
  if (!disk) return skip('a small disk takes root on Linux')
  const dataDir = join(disk.folder, 'data')
  await using sim = await createSimulator({ dataDir, bridgeDelayMs: 1_000, longPollMs: 200 })
  const reads = readsOf(sim)
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 6_000_000n)
  await user.fund('arbitrum', 'USDC', 6_000_000n)
  const other = await openUser(sim)
  await other.fund('base', 'USDC', 6_000_000n)
  const unused = (await other.plan('earn', earn)).body as PlanBody
  const bridged = (await user.plan('transfer', send)).body as PlanBody
  const { activity_id } = (await user.execute(bridged)).body as { activity_id: string }
  const eventsOf = async () =>
    ((await user.api.get(`${user.path}/events`)).body as { events: unknown[] }).events.length
  // The second event tells of the deposit; its fill is due in a second.
  while ((await eventsOf()) < 2) await user.api.get(`${user.path}/events?since=0&poll=true`)

  const marked = await reads.request<string>('base', 'evm_snapshot')
  const kept = await sim.snapshot()

  await disk.fill()
  // A disk gives room by pages: the last one takes some short records yet. That one is refused is not enough: it was written together
  // with those of the bridge, perhaps, and they took more. The record of the rules below has 64 bytes, and no other here is shorter.
  const roomLeft = () => {
    const log = readdirSync(dataDir).find((name) => name.endsWith('.wal'))!
    return -statSync(join(dataDir, log)).size & 4095
  }
  // While a write of the bridge fails, the file reaches to the end of its page, and goes back: one look can meet that, and twenty cannot.
  for (let full = 0; full < 20; full = roomLeft() < 64 ? full + 1 : 0)
    await sim.faults.set([]).catch(() => {})
  const blocks = () => reads.request('base', 'eth_blockNumber')
  const [accounts, height] = [(await user.api.get('/accounts')).body, await blocks()]
  const signer = { signer_type: 'eoa', signer_address: send.recipient }
  for (const refused of [
    await user.api.post('/accounts', signer),
    await other.execute(unused),
    await other.plan('earn', earn),
    await user.api.post('/_sim/fund', {
      account_id: other.id,
      asset: 'USDC',
      network: 'base',
      amount: '1',
    }),
  ]) {
    expect(refused).toMatchObject({ status: 500, body: { error: 'internal_error' } })
    expect((refused.body as { message: string }).message).toContain(dataDir)
    expect(refused.headers.get('x-svc-sim-hint')).toContain('Free some space')
  }
  await expect(reads.request('base', 'evm_mine')).rejects.toThrow(dataDir)
  await expect(sim.clock.freeze()).rejects.toThrow(dataDir)
  await expect(sim.faults.add({ on: 'quote', effect: 'unavailable' })).rejects.toThrow(dataDir)
  expect(sim.faults.list()).toEqual([])
  for (const replace of [
    () => reads.request('base', 'anvil_mine', ['0x5']),
    () => reads.request('base', 'evm_revert', [marked]),
    () => sim.restore(kept),
    () => sim.reset(),
  ])
    await expect(replace()).rejects.toThrow(/ENOSPC.*nothing was changed/)
  expect(await blocks()).toBe(height)
  expect((await user.api.get('/accounts')).body).toEqual(accounts)
  // Polls answer, also when the fill has been due for long.
  for (let poll = 0; poll < 10; poll++)
    expect((await user.api.get(`${user.path}/events?since=4000000000&poll=true`)).status).toBe(200)
  const { body } = await user.api.get(`/activities/${activity_id}`)
  expect(body).toMatchObject({ activity_status: 'pending' })

  await disk.free()
  expect((await user.follow(activity_id)).activity_status).toBe('confirmed')
  const executed = await other.execute(unused)
  expect(executed.status).toBe(200)
  const { activity_id: late } = executed.body as { activity_id: string }
  expect((await other.follow(late)).activity_status).toBe('confirmed')
  expect((await user.api.post('/accounts', signer)).status).toBe(201)
})

test('error: a rule that is in the way goes while the disk is full too; asked again, a start has it no more', async ({
  skip,
}) => {
  const disk = await smallDisk(4096)
  if (!disk) return skip('a small disk takes root on Linux')
  const dataDir = join(disk.folder, 'data')
  const sim = await createSimulator({ dataDir })
  onTestFinished(() => sim.close())
  // What stays is more than the last page of a file has room for.
  const rules = Array.from({ length: 60 }, (_, i) => ({
    id: `rule-${i}`,
    on: 'quote' as const,
    effect: 'unavailable' as const,
  }))
  await sim.faults.set(rules)
  const left = () => sim.faults.list().length
  await disk.fill()
  for (let again = 0; again < 2; again++) {
    await expect(sim.faults.remove('rule-7')).rejects.toThrow(
      /ENOSPC.*it is removed, but a start from the folder would bring it back/,
    )
    expect(left()).toBe(59)
  }
  await disk.free()
  expect(await sim.faults.remove('rule-7')).toBe(true)
  expect(await sim.faults.remove('rule-7')).toBe(false)
  await sim.close()
  await using next = await createSimulator({ dataDir })
  expect(next.faults.list().length).toBe(59)
})

test('behavior: without a data folder a full disk stops nothing: old blocks stay known, a restore and a reset are done whole', async ({
  skip,
}) => {
  const disk = await smallDisk(4096)
  if (!disk) return skip('a small disk takes root on Linux')
  vi.stubEnv('TMPDIR', disk.folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  await using sim = await createSimulator()
  const reads = readsOf(sim)
  const heights = () =>
    Promise.all(networkNames.map((network) => reads.request(network, 'eth_blockNumber')))
  const start = await heights()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 6_000_000n)
  const kept = await sim.snapshot()
  const then = await heights()
  await disk.fill()
  for (let again = 0; again < 2; again++) {
    const { activity } = await user.run('earn', earn)
    const hash = activity.activity_metadata[0]!.transaction_hash
    for (let block = 0; block < 100; block++) await reads.request('base', 'evm_mine')
    expect(await reads.request('base', 'eth_getTransactionReceipt', [hash])).not.toBeNull()
    await sim.restore(kept)
    expect(await heights()).toEqual(then)
    expect(await reads.request('base', 'eth_getTransactionReceipt', [hash])).toBeNull()
  }
  await sim.reset()
  expect(await heights()).toEqual(start)
  expect((await user.api.get('/accounts')).body.accounts).toEqual([])
})

test('behavior: a reset that a full disk has refused works when there is room, and is there after a restart', async ({
  skip,
}) => {
  const disk = await smallDisk(40_000)
  if (!disk) return skip('a small disk takes root on Linux')
  const dataDir = join(disk.folder, 'data')
  const sim = await createSimulator({ dataDir })
  onTestFinished(() => sim.close())
  const blocks = (of = sim) => readsOf(of).request('base', 'eth_blockNumber')
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 6_000_000n)
  const start = await sim.snapshot()
  const then = await blocks()
  const { activity } = await user.run('earn', earn)
  for (let block = 0; block < 100; block++) await readsOf(sim).request('base', 'evm_mine')
  const height = await blocks()
  await disk.fill()
  for (const replace of [() => sim.restore(start), () => sim.reset()]) {
    await expect(replace()).rejects.toThrow(/ENOSPC.*nothing was changed/)
    expect(await blocks()).toBe(height)
    const { body } = await user.api.get(`/activities/${activity.activity_id}`)
    expect(body).toEqual(activity)
  }
  await disk.free()
  await sim.restore(start)
  expect(await blocks()).toBe(then)
  expect((await user.api.get(`${user.path}/activities`)).body.activities).not.toContainEqual(
    expect.objectContaining({ plan_id: expect.anything() }),
  )
  await sim.reset()
  expect((await user.api.get('/accounts')).body.accounts).toEqual([])
  const latest = (of = sim, which: unknown = 'latest') =>
    readsOf(of).request<{ number: string; hash: string }>('base', 'eth_getBlockByNumber', [
      which,
      false,
    ])
  const { number, hash } = await latest()
  await sim.close()
  await using next = await createSimulator({ dataDir })
  expect((await latest(next, number)).hash).toBe(hash)
})
