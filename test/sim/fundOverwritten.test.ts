import { afterAll, beforeAll, expect, test } from 'vitest'
import { actors } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { readsOf } from '../kit/chainReads.js'
import { createClient } from '../kit/client.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'

/** Clients that write over what the faucet needs. */

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator()
})
afterAll(() => sim.close())

const usdc = loadAddressBook().token('base', 'USDC')!.address
const address = '0x00000000000000000000000000000000000fa0ce'
const fund = (network = 'base') =>
  createClient({ url: sim.url, apiKey: sim.apiKey }).post('/_sim/fund', {
    ...{ address, asset: 'USDC', amount: '5', network },
  })

test.each([
  [
    'anvil_setBalance',
    [actors.admin, '0x0'],
    /^The base chain does not give it: .*[Ii]nsufficient/,
  ],
  ['anvil_setCode', [usdc, '0xfe'], /^The base chain does not give it: .*InvalidFEOpcode/],
  [
    'anvil_setCode',
    [usdc, '0x'],
    `The base chain does not give it: there is no token at ${usdc} any more`,
  ],
] as const)(
  'error: %s over what the faucet needs: a conflict with the reason, until a reset',
  async (method, params, message) => {
    await readsOf(sim).request('base', method, [...params])
    for (let round = 0; round < 2; round++) {
      const refused = await fund()
      expect(refused).toMatchObject({ status: 409, body: { error: 'conflict' } })
      expect(refused.body.message).toMatch(message)
      expect(refused.headers.get('x-svc-sim-hint')).toContain('POST /_sim/reset repairs it')
    }
    expect((await fund('polygon')).status).toBe(200)
    await sim.reset()
    expect(await fund()).toMatchObject({ status: 200, body: { balance: '5' } })
  },
)
