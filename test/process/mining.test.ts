import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { type Client, createClient, type Reply } from '../kit/client.js'
import { childrenOf, halt } from '../kit/processes.js'
import { openUser } from '../kit/user.js'

/** Chains whose mining somebody has switched off, and nodes that do not answer. A long poll waits meanwhile. */

let sim: SimulatorHandle
let client: Client
let reads: ReturnType<typeof readsOf>

beforeAll(async () => {
  // Only so can mining be switched off over /rpc.
  const unsafe = { rpcUnsafe: true }
  sim = await createSimulator({ ...unsafe, longPollMs: 600_000 })
  client = createClient(sim)
  reads = readsOf(sim)
})
afterAll(() => sim.close())

const address = `0x${'ab'.repeat(20)}` as const
const fund = (asset: string, amount: bigint, network = 'base'): Promise<Reply> =>
  client.post('/_sim/fund', { address, asset, amount: `${amount}`, network })
const automine = (on: boolean, network: (typeof networkNames)[number] = 'base') =>
  reads.request(network, 'evm_setAutomine', [on])

const hintOf = ({ headers }: Reply) => headers.get('x-svc-sim-hint') ?? ''

/** Everything works: funds, plans, executions, on every network; and the long poll heard of the reset. */
let polling: Promise<Reply> | undefined
afterEach(async () => {
  const reset = await client.post('/_sim/reset')
  expect(reset.status).toBe(200)
  if (polling) expect((await polling).status).toBeLessThan(500)
  for (const network of networkNames) {
    expect(await reads.request(network, 'anvil_getAutomine')).toBe(true)
    expect((await fund('USDC', 1n, network)).status).toBe(200)
  }
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const { activity } = await user.run('earn', earn)
  expect(activity.activity_status).toBe('confirmed')
  await sim.reset()
}, 60_000)

const earn = { asset: 'USDC', amount: '5000000', network: 'base', protocol: 'compound' }

async function waitForEvents() {
  const user = await openUser(sim)
  polling = user.api.get(`${user.path}/events?poll=true`)
  await user.api.get(user.path)
  return user
}

test('error: where mining is switched off the faucet says so, twice at once, and gives what needs no block', async () => {
  await waitForEvents()
  await automine(false)
  const refused = await Promise.all([fund('USDC', 5n), fund('WETH', 5n)])
  for (const reply of refused)
    expect(reply).toMatchObject({
      status: 409,
      body: {
        error: 'conflict',
        message:
          'The base network mines no blocks, since its mining is switched off; nothing was given',
      },
    })
  for (const reply of refused) expect(hintOf(reply)).toContain('Send evm_setAutomine [true] there')
  expect(await reads.request('base', 'txpool_status')).toMatchObject({ pending: '0x0' })
  expect((await fund('ETH', 5n)).status).toBe(200)
  expect((await fund('USDC', 5n, 'arbitrum')).status).toBe(200)
  await automine(true)
  expect((await fund('USDC', 7n)).body.balance).toBe('7')
})

test('error: the fault that halts a network is a reason like any other', async () => {
  await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'polygon' } })
  const refused = await fund('USDC', 5n, 'polygon')
  expect(refused).toMatchObject({ status: 409 })
  expect(hintOf(refused)).toContain('Lift the fault that holds it, or')
  await sim.faults.clear()
  expect((await fund('USDC', 5n, 'polygon')).body.balance).toBe('5')
})

const moved = (usd: string) =>
  client.send('PUT', '/_sim/prices/ETH', JSON.stringify({ usd }), {
    headers: { 'content-type': 'application/json' },
  })

test('error: prices, liquidations and rewards say which network mines no blocks, and change nothing', async () => {
  const before = (await client.get('/_sim/prices')).body
  const liquidated = (network?: string) => client.post('/_sim/liquidations', { address, network })
  const granted = (network: string) =>
    client.post('/_sim/rewards', { address, asset: 'MORPHO', amount: '7', network })
  for (const network of ['base', 'polygon'] as const) await automine(false, network)
  const both = 'The networks base, polygon mine no blocks, since their mining is switched off; '
  const base = 'The base network mines no blocks, since its mining is switched off; '
  expect(await moved('1234')).toMatchObject({
    status: 409,
    body: { error: 'conflict', message: `${both}no price was moved` },
  })
  expect(await liquidated()).toMatchObject({
    status: 409,
    body: { message: `${both}nothing was liquidated` },
  })
  expect(await granted('base')).toMatchObject({
    status: 409,
    body: { message: `${base}nothing was granted` },
  })
  expect((await liquidated('arbitrum')).status).toBe(200)
  expect((await client.post('/_sim/snapshots', {})).status).toBe(201)
  for (const network of ['base', 'polygon'] as const) await automine(true, network)
  expect((await client.get('/_sim/prices')).body).toEqual(before)
  expect((await moved('1234')).status).toBe(200)
  expect((await granted('base')).body).toMatchObject({ owed: '7' })
  expect((await liquidated()).status).toBe(200)
})

test('error: what is not mined in time is taken back, and comes later neither', async () => {
  await reads.request('base', 'evm_setIntervalMining', [3_600])
  const refused = await Promise.all([fund('USDC', 5n), fund('USDC', 5n)])
  for (const reply of refused)
    expect(reply).toMatchObject({
      status: 409,
      body: {
        message: 'The base network did not mine the transaction within 5 s; nothing was given',
      },
    })
  await reads.request('base', 'evm_mine')
  expect(await reads.balance('base', 'USDC', address)).toBe(0n)
})

test('error: nodes that do not answer', async () => {
  const before = (await client.get('/_sim/prices')).body
  const nodes = childrenOf(process.pid, 'anvil')
  expect(nodes).toHaveLength(5)
  const goOn = await halt(nodes)
  try {
    const refused = await Promise.all([fund('USDC', 5n), fund('ETH', 5n)])
    for (const reply of refused)
      expect(reply).toMatchObject({
        status: 409,
        body: { message: 'The base network did not answer within 5 s; nothing was given' },
      })
    const all = 'The networks mainnet, base, arbitrum, optimism, polygon did not answer within 5 s'
    const grant = { address, asset: 'MORPHO', amount: '7', network: 'base' }
    const changes = await Promise.all([
      moved('4321'),
      client.post('/_sim/liquidations', { address }),
      client.post('/_sim/rewards', grant),
    ])
    expect(changes).toMatchObject([
      { status: 409, body: { message: `${all}; no price was moved` } },
      { status: 409, body: { message: `${all}; nothing was liquidated` } },
      {
        status: 409,
        body: { message: 'The base network did not answer within 5 s; nothing was granted' },
      },
    ])
  } finally {
    goOn()
  }
  expect((await fund('USDC', 1n)).body.balance).toBe('1')
  expect(await reads.balance('base', 'USDC', address)).toBe(1n)
  expect((await client.get('/_sim/prices')).body).toEqual(before)
  expect((await moved('4321')).status).toBe(200)
})

test('behavior: a reset wins over everything that waits for a block, and has every network mine again', async () => {
  const user = await waitForEvents()
  await user.fund('base', 'USDC', 9_000_000n)
  for (const network of networkNames) await automine(false, network)
  const { wallet } = user
  const waiting = [
    client.send('PUT', '/_sim/prices/ETH', JSON.stringify({ usd: '1234' }), {
      headers: { 'content-type': 'application/json' },
    }),
    reads.request('base', 'eth_sendTransaction', [{ from: wallet, to: wallet }]).catch(() => {}),
  ]
  const executed = await user.plan('earn', earn).then(({ body }) => user.execute(body))
  expect(executed.status).toBe(200)
  const resets = await Promise.all([client.post('/_sim/reset'), client.post('/_sim/reset')])
  expect(resets.map(({ status }) => status)).toEqual([200, 200])
  await Promise.allSettled(waiting)
  expect((await user.api.get(user.path)).status).toBe(404)
})
