import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, leaseWorld, type SimulatorHandle } from '../../src/index.js'
import { runCli } from '../kit/cli.js'
import { askService } from '../kit/http.js'

// What coverage counts, and for whom. Needs `npm run build:ts` before: worlds and commands run in processes of their own.

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', maxWorlds: 2 })
})
afterAll(() => sim.close())

type Place = Pick<SimulatorHandle, 'url' | 'apiKey'>

interface Cells {
  met: number
  cells: { path: string; status: number; hits: number }[]
}

/** How often the networks were answered with this status. */
async function hits(place: Place, status = 200): Promise<number> {
  const { cells } = (await askService(place, '/_sim/coverage')).body as Cells
  const found = cells.filter((cell) => cell.path === '/networks' && cell.status === status)
  return found.reduce((sum, cell) => sum + cell.hits, 0)
}

test('behavior: what a rule paints counts, what is cut and HEAD do not; a reset and a restore change nothing', async () => {
  await sim.snapshot('before')
  await askService(sim, '/networks')
  const rule = { on: 'request', match: { path: '/networks' }, times: 1 } as const
  await sim.faults.add({ ...rule, effect: { respond: { error: 'internal_error' } } })
  expect((await askService(sim, '/networks')).status).toBe(500)
  await sim.faults.add({ ...rule, effect: 'truncate' })
  await expect(askService(sim, '/networks')).rejects.toThrow()
  expect((await askService(sim, '/networks', { method: 'HEAD' })).status).toBe(200)
  expect([await hits(sim), await hits(sim, 500)]).toEqual([1, 1])
  await sim.restore('before')
  await sim.reset()
  expect([await hits(sim), await hits(sim, 500)]).toEqual([1, 1])
})

test('behavior: each world counts its own, from its lease on, and tells whoever has its key', async () => {
  const before = await hits(sim)
  const [one, other] = [await leaseWorld({ url: sim.url }), await leaseWorld({ url: sim.url })]
  await askService(one, '/networks')
  await askService(one, '/networks')
  expect([await hits(one), await hits(other), await hits(sim)]).toEqual([2, 0, before])
  const asked = ['coverage', '--base-url', sim.url, '--require', '200@networks']
  expect((await runCli([...asked, '--control-token', one.apiKey])).code).toBe(0)
  const never = await runCli([...asked, '--control-token', other.apiKey])
  expect([never.code, never.stderr]).toEqual([
    1,
    expect.stringContaining('never seen: 200@network'),
  ])
  await one.close()
  await other.close()
  // The simulator adds up what they answered, also now that they have ended; its own counts alone are what they were.
  const ofAll = await askService(sim, '/_sim/coverage?worlds=true')
  const { cells } = ofAll.body as Cells
  const all = cells.find(({ path, status }) => path === '/networks' && status === 200)
  expect([all?.hits, await hits(sim)]).toEqual([before + 2, before])
  const { stdout } = await runCli(asked)
  expect(stdout).toMatch(new RegExp(`^seen +${before + 2} +200@networks$`, 'm'))
  // The next ones may get the same processes.
  const next = [await leaseWorld({ url: sim.url }), await leaseWorld({ url: sim.url })]
  for (const world of next) {
    expect(await hits(world)).toBe(0)
    await world.close()
  }
})

test('behavior: the sums have worlds that run and worlds that have ended, whether or not another one takes over their chains', async () => {
  const all = async () => {
    const { cells } = (await askService(sim, '/_sim/coverage?worlds=true')).body as Cells
    return cells.find(({ path, status }) => path === '/assets' && status === 200)!.hits
  }
  const [one, other] = [await leaseWorld({ url: sim.url }), await leaseWorld({ url: sim.url })]
  await askService(one, '/assets')
  await askService(other, '/assets')
  expect(await all()).toBe(2)
  // Its nodes act for a stranger from here on: nobody gets them again.
  const recipient = `0x${'5e'.repeat(20)}`
  const node = await askService(other, '/rpc/base', {
    method: 'POST',
    body: { jsonrpc: '2.0', id: 1, method: 'anvil_impersonateAccount', params: [recipient] },
  })
  expect(node.body.error).toBeUndefined()
  await Promise.all([one.close(), one.close(), all()])
  expect(await all()).toBe(2)
  await other.close()
  expect(await all()).toBe(2)
})
