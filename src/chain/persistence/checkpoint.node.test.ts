import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createClock } from '../../time/clock.js'
import { startNodes } from '../process/nodes.js'
import { type Node, type Nodes, withSteps } from '../rpc/node.js'
import { nodeRequest } from '../rpc/pipeline.js'
import { setChainTimes } from '../transactions/time.js'
import { markChains, returnTo } from './checkpoint.js'

/** Real nodes that are taken back, and do not do all that is asked of them. */

const someone = `0x${'77'.repeat(20)}`

let nodes: Nodes
beforeAll(async () => {
  nodes = await startNodes({ networks: ['base', 'polygon'] })
})
afterAll(() => nodes.stop())
/** Of both, at the beginning of a test. */
let height: unknown
beforeEach(async () => {
  for (const { rpc } of nodes.all()) {
    await rpc.request('evm_setAutomine', [true])
    await rpc.request('anvil_mine', ['0x2'])
  }
  await bringLevel()
  height = await nodes.get('base').rpc.request('eth_blockNumber')
})

async function bringLevel(): Promise<void> {
  const heights = await Promise.all(
    nodes.all().map(async ({ rpc }) => Number(await rpc.request('eth_blockNumber'))),
  )
  const highest = Math.max(...heights)
  await Promise.all(
    nodes.all().map(({ rpc }, i) => rpc.request('anvil_mine', [highest - heights[i]!])),
  )
}

/** The same nodes; `request` stands in front of base. */
function withBase(request: (method: string, ask: () => Promise<unknown>) => Promise<unknown>) {
  const wrapped = nodes.all().map((node): Node => {
    if (node.network !== 'base') return node
    const asked = <T>(method: string, params?: readonly unknown[]) =>
      request(method, () => node.rpc.request<T>(method, params)) as Promise<T>
    return { ...node, rpc: { ...node.rpc, request: asked } }
  })
  return { ...nodes, all: () => wrapped } as Nodes
}

const mines = () =>
  Promise.all(nodes.all().map(({ rpc }) => rpc.request<boolean>('anvil_getAutomine')))

test.each(['anvil_dropAllTransactions', 'evm_revert', 'evm_setTime', 'evm_snapshot'])(
  'error: where %s fails once, all mine as before, and can be taken back again',
  async (what) => {
    const clock = createClock({ mode: 'frozen', atMs: Date.now() })
    const marks = await markChains(nodes, clock)
    await nodes.get('base').rpc.request('evm_setAutomine', [true])
    let failures = 0
    const failing = withBase(async (method, ask) => {
      if (method !== what) return ask()
      failures++
      throw new Error('it failed')
    })
    await expect(returnTo(failing, marks, clock)).rejects.toThrow('it failed')
    expect(failures).toBe(1)
    expect(await mines()).toEqual([true, true])
    const again = await markChains(nodes, clock)
    await nodes.get('base').rpc.request('evm_mine')
    await returnTo(nodes, again, clock)
    expect(await mines()).toEqual([true, true])
  },
)

/** Which requests the nodes are sent meanwhile, by network. */
async function sentDuring(work: (tapped: Nodes) => Promise<unknown>) {
  const sent: Record<string, string[]> = {}
  const tapped = nodes.all().map((node): Node => {
    const request: Node['rpc']['request'] = (method, params) => {
      sent[node.network] = [...(sent[node.network] ?? []), method]
      return node.rpc.request(method, params)
    }
    return { ...node, rpc: { ...node.rpc, request } }
  })
  await work({ ...nodes, all: () => tapped } as Nodes)
  return sent
}

test('default: a node to which nothing has happened is left alone, and taken back once something has', async () => {
  const clock = createClock({ mode: 'frozen', atMs: Date.now() })
  await setChainTimes(nodes, { mode: 'frozen', ms: clock.now() })
  const marks = await markChains(nodes, clock)
  const base = nodes.get('base').rpc
  const before = await base.request('eth_blockNumber')
  expect(await sentDuring((tapped) => returnTo(tapped, marks, clock))).toEqual({})
  await base.request('evm_mine')
  let again = marks
  const first = await sentDuring(async (tapped) => {
    again = await returnTo(tapped, marks, clock)
  })
  expect(Object.keys(first)).toEqual(['base'])
  // Nothing can wait there, so that it goes on mining.
  expect(first.base).not.toContain('evm_setAutomine')
  expect(await base.request('eth_blockNumber')).toBe(before)
  expect(await sentDuring((tapped) => returnTo(tapped, again, clock))).toEqual({})
  await base.request('anvil_setBalance', [someone, '0x1'])
  expect(Object.keys(await sentDuring((tapped) => returnTo(tapped, again, clock)))).toEqual([
    'base',
  ])
  expect(await base.request('eth_getBalance', [someone, 'latest'])).toBe('0x0')
})

test('behavior: a node is taken back for the sake of another snapshot, of another time, and of a clock that runs', async () => {
  const clock = createClock({ mode: 'frozen', atMs: Date.now() })
  await setChainTimes(nodes, { mode: 'frozen', ms: clock.now() })
  let marks = await markChains(nodes, clock)
  const { rpc } = nodes.get('base')
  const later = await rpc.request<string>('evm_snapshot')
  const taken = await sentDuring(async (tapped) => {
    marks = await returnTo(tapped, marks, clock)
  })
  expect(Object.keys(taken)).toEqual(['base'])
  await expect(rpc.request('evm_revert', [later])).rejects.toThrow('is gone')
  for (const state of [
    { mode: 'frozen', atMs: clock.now() + 1_000 },
    { mode: 'real', offsetMs: 0 },
  ] as const) {
    clock.set(state)
    const sent = await sentDuring(async (tapped) => {
      marks = await returnTo(tapped, marks, clock)
    })
    expect(Object.keys(sent).sort()).toEqual(['base', 'polygon'])
  }
})

test('error: what one node cannot do is told when the others are through', async () => {
  const clock = createClock()
  const marks = await markChains(nodes, clock)
  for (const { rpc } of nodes.all()) await rpc.request('evm_setAutomine', [true])
  let begin: () => void = () => {}
  const failed = new Promise<void>((resolve) => {
    begin = resolve
  })
  const polygon = nodes.get('polygon')
  const failing = withBase(async (method, ask) => {
    if (method !== 'evm_revert') return ask()
    begin()
    return false
  })
  let isThrough = false
  const slow: Node['rpc']['request'] = async (method, params) => {
    if (method === 'evm_revert') await failed
    if (method === 'evm_setAutomine' && params?.[0] === true) isThrough = true
    return polygon.rpc.request(method, params)
  }
  const all = failing
    .all()
    .map((node) =>
      node.network === 'polygon' ? { ...node, rpc: { ...node.rpc, request: slow } } : node,
    )
  await expect(returnTo({ ...failing, all: () => all }, marks, clock)).rejects.toThrow(
    'The base node lost its snapshot on the way',
  )
  expect(isThrough).toBe(true)
  expect(await mines()).toEqual([true, true])
})

test('behavior: a node that mined nothing before stays so when it cannot be taken back', async () => {
  const clock = createClock()
  const marks = await markChains(nodes, clock)
  await nodes.get('base').rpc.request('evm_setAutomine', [false])
  const failing = withBase(async (method, ask) => (method === 'evm_revert' ? false : ask()))
  await expect(returnTo(failing, marks, clock)).rejects.toThrow(
    'The base node lost its snapshot on the way',
  )
  expect(await mines()).toEqual([false, true])
})

test('behavior: a restore switches mining off only for a while, and leaves off what a client had switched off', async () => {
  const clock = createClock()
  const sent: string[] = []
  const spied = withSteps(nodes, () => ({
    log(request, next) {
      const { method, params, network, forNow } = request
      if (method === 'evm_setAutomine' && network === 'base')
        sent.push(`${JSON.stringify(params)}${forNow ? ' for now' : ''}`)
      return next(request)
    },
  }))
  const base = nodes.get('base')
  const bySwitch = (isOn: boolean) =>
    base.pipeline!.send(nodeRequest('base', 'client', 'evm_setAutomine', [isOn]))
  const on = await markChains(nodes, clock)
  // From then on transactions may wait.
  await bySwitch(true)
  await returnTo(spied, on, clock)
  expect(sent.splice(0)).toEqual(['[false] for now', '[true]'])
  await bySwitch(false)
  const off = await markChains(nodes, clock)
  await bySwitch(true)
  await returnTo(spied, off, clock)
  expect(sent).toEqual(['[false] for now', '[false]'])
  expect(base.gate!.clientSwitch).toEqual({ method: 'evm_setAutomine', params: [false] })
  expect(await mines()).toEqual([false, true])
})

test('behavior: a node that loses the mark of the start on the way is started over, where it can be', async () => {
  const clock = createClock()
  const marks = await markChains(nodes, clock)
  const base = nodes.get('base')
  await base.rpc.request('evm_mine')
  let startedOver = 0
  const losing = withBase(async (method, ask) => (method === 'evm_revert' ? false : ask()))
  const all = losing.all().map((node): Node => {
    if (node.network !== 'base') return node
    const again = async () => {
      startedOver++
      await base.rpc.request('evm_revert', [marks.get('base')!.id])
    }
    return { ...node, start: { keep: () => {}, restart: again, leftovers: () => [] } }
  })
  const second = await returnTo({ ...losing, all: () => all }, marks, clock, { isStart: true })
  expect(startedOver).toBe(1)
  expect(await base.rpc.request('eth_blockNumber')).toBe(height)
  expect(await mines()).toEqual([true, true])
  await base.rpc.request('evm_mine')
  await returnTo(nodes, second, clock, { isStart: true })
  expect(await base.rpc.request('eth_blockNumber')).toBe(height)
})

test('error: what is no start is not started over: a conflict, which says what to do', async () => {
  const clock = createClock()
  const start = await markChains(nodes, clock)
  const marks = await markChains(nodes, clock)
  const losing = withBase(async (method, ask) => (method === 'evm_revert' ? false : ask()))
  const restart = () => Promise.reject(new Error('not to be called'))
  const cannot = { keep: () => {}, restart, leftovers: () => [] }
  const all = losing.all().map((node): Node => ({ ...node, start: cannot }))
  await nodes.get('polygon').rpc.request('evm_mine')
  await expect(returnTo({ ...losing, all: () => all }, marks, clock)).rejects.toMatchObject({
    code: 'conflict',
    hint: expect.stringContaining('POST /_sim/reset'),
  })
  // As it says.
  await nodes.get('base').rpc.request('evm_mine')
  await returnTo(nodes, start, clock, { isStart: true })
  for (const { rpc } of nodes.all()) expect(await rpc.request('eth_blockNumber')).toBe(height)
})

test('error: a mark whose process has died is lost, which the words have among the causes', async () => {
  const clock = createClock()
  const marks = await markChains(nodes, clock)
  const all = nodes.all().map((node): Node => {
    const died = { ...node.lifecycle, ends: node.lifecycle.ends + 1 }
    return node.network === 'base' ? { ...node, lifecycle: died } : node
  })
  await expect(returnTo({ ...nodes, all: () => all }, marks, clock)).rejects.toThrow(
    /^the base node has no snapshot of that moment any more: its process died,/,
  )
})
