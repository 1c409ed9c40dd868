import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cacheAnswers } from './cachedAnswers.js'
import { createGate, heldDuring } from './gate.js'
import { ChainPipeline, type ChainStep, nodeRequest } from './pipeline.js'

const second = 1_000
const start = Date.parse('2030-01-01T00:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A node of which every answer to a read is another one, and what is sent to it. `pending` transactions wait in its pool. */
function nodeOf({ log, pending = 0 }: { log?: ChainStep; pending?: number } = {}) {
  const state = {
    pending,
    queued: 0,
    asked: 0,
    refuses: false,
    breaks: false,
    hold: Promise.resolve(),
  }
  const answer = async (method: string): Promise<unknown> => {
    if (method === 'txpool_status')
      return { pending: `0x${state.pending}`, queued: `0x${state.queued}` }
    const own = ++state.asked
    await state.hold
    return own
  }
  const gate = createGate(log === undefined)
  const channel = {
    async request(method: string) {
      if (/^(eth_(call|blockNumber|getBlockByNumber)|txpool_status)$/.test(method))
        return { result: await answer(method) }
      await state.hold
      if (state.breaks) throw new Error('the connection was closed')
      return state.refuses ? { error: { message: 'no' } } : { result: null }
    },
    close() {},
  }
  const pipeline = new ChainPipeline('base', channel, {
    cache: cacheAnswers(gate),
    log: log && heldDuring(gate, log),
    gate: gate.step,
  })
  const rpc = pipeline.rpc()
  return {
    state,
    gate,
    read: (params: unknown[] = [{ to: '0x1' }, 'pending']) =>
      rpc.request<number>('eth_call', params),
    ask: (method: string, params?: readonly unknown[]) => rpc.request<number>(method, params),
    command: (method: string, ...params: unknown[]) =>
      pipeline.to(channel)(nodeRequest('base', 'client', method, params)),
    /** Whether a read is the same as the one before it. */
    async keeps(): Promise<boolean> {
      const before = await rpc.request('eth_call', [{ to: '0x1' }, 'pending'])
      return before === (await rpc.request('eth_call', [{ to: '0x1' }, 'pending']))
    },
  }
}

/** Has all reads and commands wait until it is called. */
function holding({ state }: ReturnType<typeof nodeOf>): () => void {
  let release = (): void => {}
  state.hold = new Promise((resolve) => {
    release = resolve
  })
  return release
}

test('default: the same question about the next block is asked once', async () => {
  const node = nodeOf()
  expect([await node.read(), await node.read()]).toEqual([1, 1])
  expect(await node.read([{ to: '0x2' }, 'pending'])).toBe(2)
  expect(await node.read()).toBe(1)
})

test('behavior: the number and the head of the latest block are kept as well, for the service', async () => {
  const node = nodeOf()
  const questions = [['eth_blockNumber'], ['eth_getBlockByNumber', ['latest', false]]] as const
  for (const [method, params] of questions) {
    const first = await node.ask(method, params)
    expect(await node.ask(method, params)).toBe(first)
    await node.command(method)
    await node.command('evm_mine')
    expect(await node.ask(method, params)).not.toBe(first)
  }
  const third = await node.ask('eth_getBlockByNumber', ['0x3', false])
  expect(await node.ask('eth_getBlockByNumber', ['0x3', false])).not.toBe(third)
})

test('behavior: a transaction that waits for a nonce may be mined with the one that has it, so that nothing is kept', async () => {
  const node = nodeOf()
  await node.command('eth_sendRawTransaction')
  node.state.queued = 1
  expect(await node.keeps()).toBe(false)
  node.state.queued = 0
  await node.read()
  expect(await node.keeps()).toBe(true)
})

test('behavior: a call of the latest block, or of another state than the node’s, is made again', async () => {
  const node = nodeOf()
  for (const params of [[{}, 'latest'], [{}], [{}, 'pending', {}]])
    expect(await node.read(params)).not.toBe(await node.read(params))
})

test.each([
  'eth_sendTransactionSync',
  'eth_sendRawTransaction',
  'anvil_setBalance',
  'hardhat_setStorageAt',
  'tenderly_setErc20Balance',
  'evm_mine',
  'evm_revert',
  'evm_increaseTime',
  'evm_setNextBlockTimestamp',
  'anvil_reorg',
  'anvil_rollback',
  'anvil_impersonateAccount',
  'anvil_noSuchMethod',
])('behavior: what was read before %s is read again', async (method) => {
  const node = nodeOf()
  const before = await node.read()
  await node.command(method)
  expect(await node.read()).not.toBe(before)
})

test.each(['eth_call', 'eth_getLogs', 'evm_snapshot', 'txpool_content', 'anvil_dumpState'])(
  'behavior: %s changes nothing',
  async (method) => {
    const node = nodeOf()
    const before = await node.read()
    await node.command(method)
    expect(await node.read()).toBe(before)
  },
)

test('behavior: what was read while a command was under way is not kept', async () => {
  const node = nodeOf()
  const release = holding(node)
  const command = node.command('anvil_setBalance')
  const meanwhile = node.read()
  release()
  await command
  expect(await node.read()).not.toBe(await meanwhile)
})

test('behavior: what was read around a command, from before it until after it, is not kept', async () => {
  const node = nodeOf()
  const release = holding(node)
  const around = node.read()
  node.state.hold = Promise.resolve()
  await node.command('anvil_setBalance')
  release()
  const read = await around
  expect(await node.read()).not.toBe(read)
  // Nor does it come back when somebody else has read meanwhile.
  expect(await node.keeps()).toBe(true)
})

test('behavior: a late answer from before a command does not take the place of one from after it', async () => {
  const node = nodeOf()
  const release = holding(node)
  const late = node.read()
  node.state.hold = Promise.resolve()
  await node.command('anvil_setBalance')
  const now = await node.read()
  release()
  await late
  expect(await node.read()).toBe(now)
})

test('behavior: where time runs, every second is another one', async () => {
  const node = nodeOf()
  const before = await node.read()
  vi.setSystemTime(start + second - 1)
  expect(await node.read()).toBe(before)
  vi.setSystemTime(start + second)
  expect(await node.read()).not.toBe(before)
})

test('behavior: a read from one second into the next is not kept', async () => {
  const node = nodeOf()
  const release = holding(node)
  const read = node.read()
  vi.setSystemTime(start + second)
  release()
  expect(await node.read()).not.toBe(await read)
})

test('behavior: where time stands still it is kept for any time, until time runs again', async () => {
  const node = nodeOf()
  await node.command('anvil_setBlockTimestampInterval', 0)
  const before = await node.read()
  vi.setSystemTime(start + 1_000 * second)
  expect(await node.read()).toBe(before)
  await node.command('anvil_removeBlockTimestampInterval')
  const running = await node.read()
  vi.setSystemTime(start + 1_001 * second)
  expect(await node.read()).not.toBe(running)
})

test.each([
  ['a refused interval of no seconds', true, [0]],
  ['an interval of twelve seconds', false, [12]],
])('behavior: with %s time does not stand still', async (_, refuses, params) => {
  const node = nodeOf()
  node.state.refuses = refuses
  await node.command('anvil_setBlockTimestampInterval', ...params)
  const before = await node.read()
  vi.setSystemTime(start + second)
  expect(await node.read()).not.toBe(before)
})

test('behavior: nothing is kept while transactions may wait to be mined by themselves', async () => {
  const node = nodeOf()
  node.state.pending = 1
  await node.command('eth_sendTransaction')
  expect([await node.keeps(), await node.keeps()]).toEqual([false, false])
  node.state.pending = 0
  await node.read()
  expect(await node.keeps()).toBe(true)
})

test.each([
  ['a transaction that was waited for in vain', 'eth_sendTransactionSync', true, []],
  ['mining that was turned on', 'evm_setAutomine', false, [true]],
  ['blocks that come back', 'anvil_reorg', false, []],
])('behavior: the pool is looked at after %s', async (_, method, refuses, params) => {
  const node = nodeOf({ pending: 1 })
  expect(await node.keeps()).toBe(true)
  node.state.refuses = refuses
  await node.command(method, ...params)
  expect(await node.keeps()).toBe(false)
})

test('behavior: a node that mines by the clock is always asked, until it does not', async () => {
  const node = nodeOf()
  await node.command('evm_setIntervalMining', 5)
  await node.read()
  expect(await node.keeps()).toBe(false)
  await node.command('evm_setIntervalMining', 0)
  await node.read()
  expect(await node.keeps()).toBe(true)
})

test('behavior: what the log sends of its own, before and after a command, counts as part of it', async () => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const log: ChainStep = async (request, next) => {
    const answer = await next(request)
    if (request.method !== 'eth_call') await held
    return answer
  }
  const node = nodeOf({ log })
  await node.read() // which settles it: others may have sent before
  const before = await node.read()
  const command = node.command('anvil_setBalance')
  expect(await node.keeps()).toBe(false)
  release()
  await command
  expect(await node.read()).not.toBe(before)
  expect(await node.keeps()).toBe(true)
})

test('behavior: a log that refuses a command leaves the node as it stood', async () => {
  const log: ChainStep = async (message, next) => {
    if (message.by === 'client') throw new Error('the disk is full')
    return next(message)
  }
  const node = nodeOf({ log })
  await node.read()
  await expect(node.command('anvil_setBalance')).rejects.toThrow('the disk is full')
  expect(await node.keeps()).toBe(true)
})

test('behavior: while it is held nothing is kept, nor what was kept before', async () => {
  const node = nodeOf()
  const before = await node.read()
  const release = node.gate.hold()
  expect(await node.read()).not.toBe(before)
  expect(await node.keeps()).toBe(false)
  release()
  release()
  expect(await node.keeps()).toBe(true)
})

test('error: a command that was not answered may still be done, so nothing is kept any more', async () => {
  const node = nodeOf()
  node.state.breaks = true
  await expect(node.command('anvil_setBalance')).rejects.toThrow('closed')
  node.state.breaks = false
  expect(await node.keeps()).toBe(false)
  await node.command('anvil_setBalance')
  expect(await node.keeps()).toBe(false)
})
