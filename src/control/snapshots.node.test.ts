import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startNodes } from '../chain/process/nodes.js'
import { type Node, type Nodes, withSteps } from '../chain/rpc/node.js'
import type { ChainStep } from '../chain/rpc/pipeline.js'
import { sendForReceipt, untilAllMined } from '../chain/transactions/send.js'
import { setChainTimes } from '../chain/transactions/time.js'
import { actors } from '../deployments/actors.js'
import { createClock } from '../time/clock.js'
import { createSnapshots, type Lift } from './snapshots.js'
import { createSystemLock } from './systemLock.js'

const clock = createClock({ mode: 'frozen', atMs: Date.now() })
const someone: Address = `0x${'77'.repeat(20)}`
const payment = { from: actors.admin, to: someone, value: 1n }

let nodes: Nodes
beforeAll(async () => {
  nodes = await startNodes({ networks: ['base'] })
})
afterAll(() => nodes.stop())
beforeEach(() => setChainTimes(nodes, { mode: 'frozen', ms: clock.now() }))

const balance = (node: Node) => node.rpc.request<Hex>('eth_getBalance', [someone, 'latest'])

function snapshotsOf(of: Nodes, lift: Lift) {
  return createSnapshots({
    nodes: of,
    expectAlive: async () => {},
    clock,
    lock: createSystemLock(),
    tasks: { settled: async () => [] },
    lift,
    stateful: [],
    workers: [],
    replacing: (work) => work(),
    onLeave: async () => () => {},
  })
}

/** Nodes that receive transactions only after `lift`. `signal` interrupts the sender of the first one as soon as it is sent. */
function holdingSends() {
  const interrupt = new AbortController()
  let letGo = (): void => {}
  const fault: ChainStep = async (request, next) => {
    if (request.about.effect !== 'send') return next(request)
    const lifted = new Promise<void>((resolve) => {
      letGo = resolve
    })
    interrupt.abort()
    await lifted
    return next(request)
  }
  const lift: Lift = async () => {
    setImmediate(letGo)
    return async () => {}
  }
  return { held: withSteps(nodes, () => ({ fault })), lift, signal: interrupt.signal }
}

test('behavior: a transaction that an interrupted sender has on its way is not in the restored chain', async () => {
  const { held, lift, signal } = holdingSends()
  const base = held.get('base')
  const snapshots = snapshotsOf(held, lift)
  const { id } = await snapshots.take()
  const sending = sendForReceipt(base, payment, signal)
  await expect(sending).rejects.toThrow('stopped')
  await snapshots.restore(id)
  await untilAllMined(base)
  await base.rpc.request('evm_mine')
  expect(await balance(base)).toBe('0x0')
})

test('behavior: nor is one that a client has sent and the node is about to mine', async () => {
  const asked: string[] = []
  const listing: ChainStep = (request, next) => {
    const isFirst = !asked.includes(request.method)
    asked.push(request.method)
    return request.method === 'txpool_status' && isFirst
      ? Promise.resolve({ result: { pending: '0x1', queued: '0x0' } })
      : next(request)
  }
  const listed = withSteps(nodes, () => ({ fault: listing }))
  const base = listed.get('base')
  const snapshots = snapshotsOf(listed, async () => async () => {})
  const { id } = await snapshots.take()
  asked.length = 0
  await base.rpc.request('eth_sendTransaction', [{ ...payment, value: '0x1' }])
  await snapshots.restore(id)
  const changes = ['txpool_status', 'evm_setAutomine', 'anvil_dropAllTransactions', 'evm_revert']
  const [first, second, ...others] = asked.filter((method) => changes.includes(method))
  expect([first, second]).toEqual(['txpool_status', 'txpool_status'])
  expect(others).toContain('evm_revert')
  await base.rpc.request('evm_mine')
  expect(await balance(base)).toBe('0x0')
})
