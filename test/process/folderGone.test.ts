import { cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { openUser, type PlanBody, userAt } from '../kit/user.js'

/** A data folder that is moved, deleted or replaced under a running simulator. */

const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }

/** Moved, deleted, and replaced by a copy. */
const ways: ((dataDir: string) => Promise<void>)[] = [
  (dataDir) => rename(dataDir, `${dataDir}-moved`),
  (dataDir) => rm(dataDir, { recursive: true }),
  async (dataDir) => {
    await rename(dataDir, `${dataDir}-moved`)
    await cp(`${dataDir}-moved`, dataDir, { recursive: true })
  },
]

test('error: a data folder that goes away under a running simulator: changes are refused, reads go on', async () => {
  await Promise.all(ways.map(expectRefused))
})

async function expectRefused(act: (dataDir: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'svc-sim-gone-'))
  const dataDir = join(parent, 'data')
  const sim = await createSimulator({ dataDir })
  onTestFinished(() => sim.close())
  const reads = readsOf(sim)
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 6_000_000n)
  const unused = (await user.plan('earn', earn)).body as PlanBody
  await act(dataDir)
  // A copy of the lock says that it is ours, so it goes.
  const left = async () =>
    (await readdir(dataDir).catch(() => [])).filter((name) => name !== 'svc-sim.lock')
  const before = await left()
  // What is promised before it is noticed is lost with the folder; after a second nothing is promised any more.
  const rule = { id: 'probe', on: 'quote', effect: 'unavailable' } as const
  await expect.poll(() => sim.faults.set([rule]).catch(({ message }) => message)).toMatch(dataDir)
  const state = async () => ({
    accounts: (await user.api.get('/accounts')).body,
    events: (await user.api.get(`${user.path}/events`)).body,
    height: await reads.request('base', 'eth_blockNumber'),
    held: await reads.balance('base', 'USDC', user.wallet),
  })
  const stands = await state()
  const signer = { signer_type: 'eoa', signer_address: `0x${'f4'.repeat(20)}` }
  for (const refused of [
    await user.api.post('/accounts', signer),
    await user.plan('earn', earn),
    await user.execute(unused),
  ]) {
    expect(refused).toMatchObject({ status: 500, body: { error: 'internal_error' } })
    expect((refused.body as { message: string }).message).toMatch(/; nothing was changed$/)
    expect(refused.headers.get('x-svc-sim-hint')).toMatch(/start it again/)
  }
  await expect(reads.request('base', 'evm_mine')).rejects.toThrow(dataDir)
  await expect(sim.reset()).rejects.toThrow(dataDir)
  expect(await state()).toEqual(stands)
  await sim.close()
  expect(await left()).toEqual(before)
  const moved = `${dataDir}-moved`
  if (!(await readdir(parent)).includes('data-moved')) return
  await using again = await createSimulator({ dataDir: moved })
  const same = userAt(again, user)
  expect(await readsOf(again).balance('base', 'USDC', same.wallet)).toBe(6_000_000n)
  const { body } = await same.execute(unused)
  expect((await same.follow(body.activity_id)).activity_status).toBe('confirmed')
}
