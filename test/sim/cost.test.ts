import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import { bodies, openPositions } from '../kit/plans.js'
import { type RpcTap, tapRpc } from '../kit/rpcTap.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { executed, openUser, type PlanBody } from '../kit/user.js'

/** What reads cost: requests to the nodes, counted where they leave, and how many of them must wait for one another. */

interface Sent {
  network: string
  method: string
  /** How many requests in a row had been answered when this one was sent, itself included. */
  round: number
}

const counter = { sent: [] as Sent[], answered: 0 }

const count: RpcTap = async ({ network, method }, proceed) => {
  const round = counter.answered + 1
  counter.sent.push({ network, method, round })
  try {
    return await proceed()
  } finally {
    counter.answered = Math.max(counter.answered, round)
  }
}

let sim: SimulatorHandle

beforeAll(async () => {
  tapRpc(count)
  sim = await createSimulator({ bridgeDelayMs: 20 })
})
afterAll(() => {
  tapRpc(undefined)
  return sim.close()
})

/** The requests that the nodes get meanwhile. */
async function sentBy(work: () => Promise<{ status: number; body: unknown }>): Promise<Sent[]> {
  // Nothing else may go on: blocks that were mined before are still being looked at.
  await sim.clock.advance(0)
  counter.sent = []
  counter.answered = 0
  const { status, body } = await work()
  expect([status, body]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()])
  return counter.sent
}

test('default: a fresh folio is one call per network, all at once', async () => {
  const user = await openUser(sim)
  // After a return, nodes are asked once whether anything still waits there.
  await user.api.get(`${user.path}/folio`)
  for (const network of networkNames) await user.fund(network, 'USDC', 1_000_000n)
  const sent = await sentBy(() => user.api.get(`${user.path}/folio`))
  expect(sent.map(({ method }) => method)).toEqual(networkNames.map(() => 'eth_call'))
  expect(new Set(sent.map(({ network }) => network)).size).toBe(networkNames.length)
  expect(sent.map(({ round }) => round)).toEqual(networkNames.map(() => 1))
  const cached = await sentBy(() => user.api.get(`${user.path}/folio?cached=true`))
  expect(cached).toEqual([])
})

function rounds(sent: readonly Sent[]): number {
  return Math.max(...sent.map(({ round }) => round))
}

test('behavior: a plan of any kind reads once, and takes at most two rounds beside that', async () => {
  const user = await openUser(sim)
  await openPositions(sim, user)
  for (const [kind, body] of Object.entries(bodies)) {
    const sent = await sentBy(() => user.plan(kind, body))
    expect([kind, rounds(sent)]).toEqual([kind, expect.toBeOneOf([2, 3])])
    // The snapshot, a price per swap, the simulation; claims look at all networks.
    const most = kind === 'claim-rewards' ? 2 * networkNames.length : 3
    expect([kind, sent.length <= most, sent.length]).toEqual([kind, true, sent.length])
  }
})

test('behavior: a plan that bridges from four networks takes two rounds beside its read', async () => {
  const user = await openUser(sim)
  for (const network of networkNames) await user.fund(network, 'USDC', 10_000_000n)
  const earn = { asset: 'USDC', amount: '49000000', network: 'base', protocol: 'compound' }
  // Where a token keeps balances is looked for once.
  await user.plan('earn', earn)
  const sent = await sentBy(() => user.plan('earn', earn))
  expect(rounds(sent)).toBe(3)
  // One snapshot and one simulation per network, and beside that, as long as there is no wallet there, whether there can be one.
  expect(sent).toHaveLength(3 * networkNames.length)
})

test('behavior: while its network stands as it is, a plan asks for its simulation only, and an execution for one check before it sends', async () => {
  const still = await createSimulator({ clock: 'frozen' })
  try {
    const user = await openUser(still)
    await user.fund('base', 'USDC', 10_000_000n)
    const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }
    await executed(still, user, 'earn', earn)
    const methods = async (work: () => Promise<unknown>): Promise<string[]> => {
      await still.clock.advance(0)
      counter.sent = []
      await work()
      await still.clock.advance(0)
      // Before a clock is moved, nodes are asked whether they are there, and for deposits that have not been heard of.
      const byClock = ['eth_chainId', 'eth_blockNumber', 'eth_getLogs']
      return counter.sent.map(({ method }) => method).filter((each) => !byClock.includes(each))
    }
    let plan: PlanBody | undefined
    const planned = async (): Promise<void> => {
      plan = (await user.plan('earn', earn)).body as PlanBody
    }
    // The snapshot and the simulation; then the snapshot is known.
    expect(await methods(planned)).toEqual(['eth_call', 'eth_call'])
    expect(await methods(planned)).toEqual(['eth_call'])
    const ofExecution = await methods(() => user.execute(plan!))
    expect(ofExecution.slice(0, 2)).toEqual(['eth_call', 'eth_sendTransactionSync'])
    // Afterwards the block is looked at for what it did to other wallets: first whether they are the simulator's own transactions.
    const looks = ['eth_getBlockByNumber', 'eth_getBlockReceipts', 'trace_block']
    // The latest block may be asked for once more when the node tells of it meanwhile.
    expect(new Set(ofExecution.slice(2))).toEqual(new Set(looks))
    expect(ofExecution.length).toBeOneOf([6, 7])
  } finally {
    await still.close()
  }
})
