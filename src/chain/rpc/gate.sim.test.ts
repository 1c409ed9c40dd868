import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../../test/kit/simulator.js'
import { createGate } from './gate.js'
import { nodeRequest, type PassOn } from './pipeline.js'

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ rpcUnsafe: true })
})
afterAll(() => sim.close())

interface Told {
  // biome-ignore lint/suspicious/noExplicitAny: what comes over the wire
  result?: any
  error?: { code: number; message: string }
}

async function post(message: unknown): Promise<Told> {
  const response = await fetch(sim.rpc('base'), { method: 'POST', body: JSON.stringify(message) })
  return (await response.json()) as Told
}
const rpc = (method: string, ...params: unknown[]) =>
  post({ jsonrpc: '2.0', id: 1, method, params })
const take = async (): Promise<string> => (await rpc('evm_snapshot')).result
const head = async () => (await rpc('eth_getBlockByNumber', 'latest', false)).result

test('default: reverts in the order of a stack', async () => {
  const before = await head()
  const outer = await take()
  await rpc('evm_mine')
  const between = await head()
  const inner = await take()
  await rpc('evm_mine')
  expect((await rpc('evm_revert', inner)).result).toBe(true)
  expect(await head()).toEqual(between)
  expect((await rpc('evm_revert', outer)).result).toBe(true)
  expect(await head()).toEqual(before)
})

test('error: a revert has ended the later snapshots and its own; the node goes on', async () => {
  const outer = await take()
  await rpc('evm_mine')
  const inner = await take()
  await rpc('evm_revert', outer)
  for (const id of [inner, outer, Number(inner)])
    expect((await rpc('evm_revert', id)).error).toEqual({
      code: -32000,
      message: `snapshot ${id} is gone: a revert to it, or to an older one, has ended it. Nothing was changed; take another, or use POST /_sim/reset`,
    })
  const { number } = await head()
  await rpc('evm_mine')
  expect(Number((await head()).number)).toBe(Number(number) + 1)
})

test('error: its block was taken back', async () => {
  await rpc('evm_mine')
  const id = await take()
  await rpc('anvil_rollback', 1)
  const there = await head()
  expect((await rpc('evm_revert', id)).error?.message).toMatch(
    /^snapshot 0x\w+ is gone: its block \d+ was taken back/,
  )
  expect(await head()).toEqual(there)
})

test('error: what a reset returns to is not for clients to revert to or to take back, and a reset always works', async () => {
  await using own = await createSimulator({ rpcUnsafe: true })
  const ask = async (method: string, ...params: unknown[]): Promise<Told> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(own.rpc('polygon'), { method: 'POST', body })
    return (await response.json()) as Told
  }
  const block = async () => (await ask('eth_getBlockByNumber', 'latest', false)).result.hash
  const start = await block()
  for (const round of [1, 2, 3]) {
    const listed = (await ask('anvil_metadata')).result.snapshots
    for (const id of Object.keys(listed))
      expect((await ask('evm_revert', id)).error, `${round} ${id}`).toEqual({
        code: -32000,
        // Nodes that have served another simulator still list its snapshots.
        message: expect.toBeOneOf([
          `snapshot ${id} is the simulator's own, which a reset returns to, or older. Nothing was changed; revert to one that evm_snapshot has given you, or use POST /_sim/reset`,
          `snapshot ${id} is gone: a revert to it, or to an older one, has ended it. Nothing was changed; take another, or use POST /_sim/reset`,
        ]),
      })
    await ask('evm_mine')
    for (const [method, ...params] of [
      ['anvil_rollback', 2],
      ['anvil_reorg', 2, []],
    ] as const)
      expect((await ask(method, ...params)).error).toEqual({
        code: -32000,
        message: `${method} 2 would take back the block that a reset returns to. Nothing was changed; take back fewer, or use POST /_sim/reset`,
      })
    // Back to the start itself, by either way.
    expect(await ask('anvil_rollback', null)).toMatchObject({ result: null })
    expect(await block()).toBe(start)
    expect((await ask('anvil_rollback', null)).error?.message).toContain('anvil_rollback 1 would')
    const id = (await ask('evm_snapshot')).result
    await ask('evm_mine')
    expect(await ask('evm_revert', id)).toMatchObject({ result: true })
    expect(await block()).toBe(start)
    await ask('evm_mine')
    await own.reset()
    expect(await block()).toBe(start)
  }
})

test('behavior: a batch is done in its order, and what is no snapshot is the node’s to say', async () => {
  const call = (id: number, method: string, ...params: unknown[]) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  })
  const answers = (await post([
    call(1, 'evm_snapshot'),
    call(2, 'evm_mine'),
    call(3, 'eth_blockNumber'),
    call(4, 'evm_revert', '0xffffff'),
  ])) as unknown as (Told & { id: number })[]
  expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expect((await rpc('evm_revert', answers[0]!.result)).result).toBe(true)
  expect(Number((await head()).number)).toBe(Number(answers[2]!.result) - 1)
  expect(answers[3]!.result).toBe(false)
  expect((await rpc('evm_revert', 'x')).error).toBeDefined()
})

test('behavior: many who snapshot, mine, pay and revert at once leave a node that works', async () => {
  const end = performance.now() + 3_000
  const on = async (work: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < end) await work()
  }
  const told: unknown[] = []
  const account = '0x00000000000000000000000000000000000000bb'
  await Promise.all([
    ...[1, 2].map(() =>
      on(async () => {
        const id = await take()
        await rpc('evm_mine')
        await rpc('evm_revert', id)
      }),
    ),
    on(() => rpc('evm_mine')),
    on(() =>
      sim
        .fund({ address: account, asset: 'USDC', amount: '1', network: 'base' })
        .catch((error) => told.push(error.message)),
    ),
    on(async () => expect(await head()).not.toBeNull()),
  ])
  for (const message of told) expect(message).not.toContain('unexpected')
  const { number } = await head()
  await rpc('evm_mine')
  expect(Number((await head()).number)).toBe(Number(number) + 1)
  await sim.fund({ address: account, asset: 'USDC', amount: '1', network: 'base' })
})

test('behavior: who asks a node about itself while it mines does not stop it', async () => {
  const before = Number((await head()).number)
  const often = async (times: number, method: string) => {
    for (let i = 0; i < times; i++) await rpc(method)
  }
  await Promise.all([
    ...Array.from({ length: 8 }, () => often(100, 'anvil_nodeInfo')),
    ...Array.from({ length: 3 }, () => often(50, 'evm_mine')),
  ])
  expect(Number((await head()).number)).toBe(before + 150)
})

test.each([['debug_traceTransaction', '0x1', { tracer: 'callTracer' }], ['anvil_nodeInfo']])(
  'behavior: %s begins between two blocks, and when it takes long lets others go on',
  async (method, ...params) => {
    const order: string[] = []
    const ends: Record<string, () => void> = {}
    const toNode: PassOn = ({ method }) => {
      order.push(method)
      if (method === 'txpool_status') return Promise.resolve({ result: { pending: '0x0' } })
      return new Promise((resolve) => {
        ends[method] = () => resolve({ result: method })
      })
    }
    const { step } = createGate(true)
    const asked = (method: string, ...params: unknown[]) =>
      step(nodeRequest('base', 'client', method, params), toNode)
    const sent = asked('eth_sendTransactionSync', {})
    void asked('eth_call') // never answered
    const asking = asked(method as string, ...params)
    await new Promise(setImmediate)
    const mined = asked('evm_mine')
    await new Promise(setImmediate)
    expect(order).toEqual(['eth_sendTransactionSync', 'eth_call'])
    ends.eth_sendTransactionSync!()
    await sent
    await vi.waitFor(() => expect(order).toContain(method))
    expect(order).not.toContain('evm_mine')
    await vi.waitFor(() => expect(order).toContain('evm_mine'), 5_000)
    ends.evm_mine!()
    await mined
    ends[method as string]!()
    expect(await asking).toEqual({ result: method })
    // One without a tracer has nothing to wait for.
    const other = asked('evm_mine')
    const steps = asked('debug_traceTransaction', '0x1', {})
    expect(order.slice(-2)).toEqual(['evm_mine', 'debug_traceTransaction'])
    for (const end of Object.values(ends)) end()
    await Promise.all([other, steps])
  },
)

test('behavior: it has the node alone, but does not wait for what hangs', async () => {
  const order: string[] = []
  const ends: Record<string, () => void> = {}
  const toNode: PassOn = ({ method }) => {
    order.push(method)
    const answer = { result: method === 'evm_snapshot' ? '0x0' : {} }
    return method === 'eth_call'
      ? new Promise((resolve) => {
          ends[method] = () => resolve(answer)
        })
      : Promise.resolve(answer)
  }
  const { step } = createGate(true)
  const asked = (method: string) => step(nodeRequest('base', 'client', method), toNode)
  const call = asked('eth_call')
  const snapshot = asked('evm_snapshot')
  await new Promise(setImmediate) // its turn has begun
  const mined = asked('evm_mine')
  await new Promise(setImmediate)
  expect(order).toEqual(['eth_call'])
  ends.eth_call!()
  await Promise.all([call, snapshot, mined])
  expect(order).toEqual(['eth_call', 'evm_snapshot', 'evm_mine'])
  void asked('eth_call') // never answered
  expect(await asked('evm_snapshot')).toEqual({ result: '0x0' })
})

test('behavior: a transaction that waits for the one before it is waited for once, not each time', async () => {
  const order: string[] = []
  const toNode: PassOn = ({ method }) => {
    order.push(method)
    return method === 'eth_sendRawTransactionSync'
      ? new Promise(() => {}) // behind a gap in the nonces of its sender
      : Promise.resolve({ result: {} })
  }
  const { step } = createGate(true)
  const asked = (method: string) => step(nodeRequest('base', 'client', method), toNode)
  void asked('eth_sendRawTransactionSync')
  await asked('evm_snapshot')
  const second = asked('evm_snapshot')
  for (let i = 0; i < 20; i++) await new Promise(setImmediate)
  expect(order.filter((method) => method === 'evm_snapshot')).toHaveLength(2)
  await second
})
