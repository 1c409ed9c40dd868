import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { actors } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { rpc } from '../kit/http.js'
import { childrenOf, halt } from '../kit/processes.js'
import { openUser, type PlanBody } from '../kit/user.js'

const book = loadAddressBook()
const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }
let sim: SimulatorHandle | undefined

afterEach(async () => {
  await sim?.close()
  sim = undefined
})

/** The nodes of the simulator in this process. */
function nodePids(): number[] {
  const pids = childrenOf(process.pid, 'anvil')
  expect(pids).toHaveLength(5)
  return pids
}

test('error: timeout when the nodes hang; the cached folio still answers, and all goes on afterwards', async () => {
  sim = await createSimulator({ readTimeoutMs: 2_000 })
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  const fresh = await user.api.get(`${user.path}/folio`)
  expect(fresh.status).toBe(200)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  // What was read in the same second would be answered without the nodes, and rightly so.
  const late = await openUser(sim)
  const goOn = await halt(nodePids())
  try {
    const timeout = { status: 408, body: { error: 'timeout' } }
    expect(await late.api.get(`${late.path}/folio`)).toMatchObject(timeout)
    expect(await user.plan('earn', earn)).toMatchObject(timeout)
    const cached = await user.api.get(`${user.path}/folio?cached=true`)
    expect(cached).toMatchObject({ status: 200, body: fresh.body })
    const ready = await fetch(`${sim.url}/health/ready`)
    expect(ready.status).toBe(503)
  } finally {
    goOn()
  }
  expect((await user.execute(plan)).status).toBe(200)
})

test('error: swap_quote_failed when the exchange has nothing to sell; a missing balance is said first', async () => {
  sim = await createSimulator()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  const { exchange } = book.on('base')
  const weth = book.token('base', 'WETH')!.address
  const inventory = await rpc<`0x${string}`>(sim.rpc('base'), 'eth_call', [
    {
      to: weth,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [exchange] }),
    },
    'latest',
  ])
  const data = encodeFunctionData({
    abi: parseAbi(['function withdraw(address token, uint256 amount, address to)']),
    args: [weth, BigInt(inventory), actors.lender],
  })
  await rpc(sim.rpc('base'), 'eth_sendTransactionSync', [
    { from: actors.admin, to: exchange, data },
  ])

  const swap = { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base' }
  const drained = await user.plan('swap', { ...swap, sell_amount: '1000000' })
  expect(drained).toMatchObject({ status: 422, body: { error: 'swap_quote_failed' } })
  expect(drained.headers.get('x-svc-sim-hint')).toContain('InsufficientLiquidity')
  const poor = await user.plan('swap', { ...swap, sell_amount: '6000000' })
  expect(poor).toMatchObject({ status: 400, body: { error: 'plan_failed' } })
  // Another pair is not touched by it.
  const other = await user.plan('swap', { ...swap, buy_asset: 'cbBTC', sell_amount: '1000000' })
  expect(other.status).toBe(201)
})

test('behavior: a node that dies ends the simulator with its last words, and leaves none behind', async () => {
  sim = await createSimulator()
  const [victim] = nodePids()
  process.kill(victim!, 'SIGKILL')
  expect(await sim.closed).toMatchObject({
    exitCode: 1,
    reason: expect.stringContaining('SIGKILL'),
  })
  expect(childrenOf(process.pid, 'anvil')).toEqual([])
  await expect(fetch(`${sim.url}/health/live`)).rejects.toThrow()
})
