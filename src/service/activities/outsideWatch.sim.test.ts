import { afterAll, beforeAll, expect, test } from 'vitest'
import { readsOf } from '../../../test/kit/chainReads.js'
import { tapRpc } from '../../../test/kit/rpcTap.js'
import { createSimulator, type SimulatorHandle } from '../../../test/kit/simulator.js'
import { openUser } from '../../../test/kit/user.js'

const friend = '0x00000000000000000000000000000000000f41e7'
const errors: string[] = []
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({
    log: { debug() {}, error: (message) => void errors.push(message) },
  })
})
afterAll(() => {
  tapRpc(undefined)
  return sim.close()
})

test('behavior: a block that is taken back just before its receipts are read is no error, and what was in it comes again', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await sim.clock.advance(0)
  let answer: unknown = 'not asked'
  tapRpc(async ({ network, method }, proceed) => {
    const isFirst = method === 'eth_getBlockReceipts' && answer === 'not asked'
    if (isFirst) await readsOf(sim).request(network, 'anvil_rollback', [1])
    const given = await proceed()
    if (isFirst) answer = given
    return given
  })
  const body = { asset: 'USDC', amount: '1000000', network: 'base', recipient: friend }
  const { activity } = await user.run('transfer', body)
  await sim.clock.advance(0)
  expect(answer).toMatchObject({ result: null })
  expect(errors).toEqual([])
  const again = (await user.api.get(`/activities/${activity.activity_id}`)).body
  expect(again).toMatchObject({ activity_status: 'confirmed' })
  expect(await readsOf(sim).balance('base', 'USDC', friend)).toBe(1_000_000n)
})
