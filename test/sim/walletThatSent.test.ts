import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { readsOf } from '../kit/chainReads.js'
import { tapRpc } from '../kit/rpcTap.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

/** Wallets that are impersonated over JSON-RPC, before and after they are deployed. */

const friend = '0x00000000000000000000000000000000000f41e7'
const send = { asset: 'USDC', amount: '1000000', network: 'base', recipient: friend }
const usdc = loadAddressBook().token('base', 'USDC')!.address
const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 1n] })

let sim: SimulatorHandle
let user: User
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen' })
})
afterAll(() => sim.close())

async function funded(): Promise<User> {
  user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  return user
}

const refused = {
  status: 400,
  body: {
    error: 'plan_failed',
    message:
      'the wallet cannot be deployed on base: its address has sent 1 transaction there before it was',
  },
}

test('error: an address that has sent something before its wallet was there: the plan is refused with the cure, and the cure works', async () => {
  await funded()
  const before = (await user.plan('transfer', send)).body as PlanBody
  await readsOf(sim).sendAs('base', user.wallet, { to: usdc, data })
  expect((await user.execute(before)).body.error).toBe('plan_stale')
  expect(await user.plan('transfer', send)).toMatchObject(refused)
  expect(await user.plan('transfer', send)).toMatchObject(refused)
  const answer = await fetch(`${sim.url}/rpc/base`, {
    method: 'POST',
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'anvil_setNonce',
      params: [user.wallet, '0x0'],
    }),
  })
  expect(await answer.json()).not.toHaveProperty('error')
  expect((await user.run('transfer', send)).activity.activity_status).toBe('confirmed')
})

test('behavior: on other networks, and after its first plan there, it may send what it likes', async () => {
  await funded()
  await readsOf(sim).sendAs('arbitrum', user.wallet, { to: friend, data: '0x' })
  expect((await user.run('transfer', send)).activity.activity_status).toBe('confirmed')
  const before = (await user.plan('transfer', { ...send, amount: 'max' })).body as PlanBody
  await readsOf(sim).sendAs('base', user.wallet, { to: usdc, data })
  expect((await user.execute(before)).body.error).toBe('plan_stale')
  expect((await user.run('transfer', send)).activity.activity_status).toBe('confirmed')
})

test('behavior: a plan that is made while the first execution of its wallet lands is not refused', async () => {
  await sim.clock.resume()
  await funded()
  const first = (await user.plan('transfer', send)).body as PlanBody
  let hasLanded = false
  tapRpc(async ({ method, params }, proceed) => {
    const isOfWallet = method === 'eth_getTransactionCount' && params[0] === user.wallet
    if (!isOfWallet || hasLanded) return proceed()
    hasLanded = true
    const { activity_id } = (await user.execute(first)).body as { activity_id: string }
    expect((await user.follow(activity_id)).activity_status).toBe('confirmed')
    return proceed()
  })
  try {
    expect((await user.plan('transfer', send)).status).toBe(201)
    expect(hasLanded).toBe(true)
  } finally {
    tapRpc(undefined)
    await sim.clock.freeze()
  }
})
