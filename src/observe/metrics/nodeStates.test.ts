import { afterEach, expect, test, vi } from 'vitest'
import type { Node, Nodes } from '../../chain/rpc/node.js'
import { createLifecycle } from '../../chain/rpc/nodeLifecycle.js'
import { watchNodes } from './nodeStates.js'

afterEach(() => {
  vi.useRealTimers()
})

/** Nodes that answer as they are told; `asked` counts the questions. */
function nodesOf(answers: Partial<Record<'base' | 'polygon', () => Promise<unknown>>>) {
  const asked = { base: 0, polygon: 0 }
  const all = (['base', 'polygon'] as const).map((network): Node => {
    const request = async <T>(): Promise<T> => {
      asked[network]++
      return (await answers[network]!()) as T
    }
    const rpc = { request, close() {} }
    return { network, chainId: 1, rpc, socket: '', lifecycle: createLifecycle(process.pid) }
  })
  const nodes: Nodes = { get: () => all[0]!, all: () => all, stop: async () => {} }
  return { nodes, asked }
}

const never = () => new Promise(() => {})

test('default: heights and memory, in the order of the nodes', async () => {
  const { nodes } = nodesOf({ base: async () => '0x10', polygon: async () => '0x0' })
  const states = await watchNodes(nodes)()
  expect(states).toMatchObject([
    { network: 'base', height: 16 },
    { network: 'polygon', height: 0 },
  ])
  expect(states[0]!.resident).toBeGreaterThan(1024 * 1024)
})

test('behavior: a node that hangs has no height after two seconds, and is asked only once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let answer: (height: string) => void = () => {}
  const hanging = new Promise<string>((resolve) => {
    answer = resolve
  })
  const { nodes, asked } = nodesOf({ base: () => hanging, polygon: async () => '0x2' })
  const look = watchNodes(nodes)
  const looks = Promise.all([look(), look()])
  await vi.advanceTimersByTimeAsync(2_000)
  for (const states of await looks)
    expect(states).toMatchObject([{ height: undefined }, { height: 2 }])
  expect(asked).toEqual({ base: 1, polygon: 1 })
  answer('0x7')
  await hanging
  expect(await look()).toMatchObject([{ height: 7 }, { height: 2 }])
})

test('error: a node that is gone has neither height nor memory; the others have', async () => {
  const { nodes } = nodesOf({
    base: () => Promise.reject(new Error('gone')),
    polygon: async () => '0x3',
  })
  Object.assign(nodes.all()[0]!, { lifecycle: createLifecycle(2 ** 22 + 1) })
  const [base, polygon] = await watchNodes(nodes)()
  expect(base).toEqual({ network: 'base', height: undefined, resident: undefined, revivals: 0 })
  expect(polygon).toMatchObject({ height: 3, resident: expect.any(Number) })
})

test('behavior: a question that failed is asked again', async () => {
  const answers = { base: never, polygon: vi.fn().mockRejectedValueOnce(new Error('once')) }
  answers.polygon.mockResolvedValue('0x9')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { nodes, asked } = nodesOf(answers)
  const look = watchNodes(nodes)
  for (const height of [undefined, 9]) {
    const looking = look()
    await vi.advanceTimersByTimeAsync(2_000)
    expect((await looking)[1]!.height).toBe(height)
  }
  expect(asked).toEqual({ base: 1, polygon: 2 })
})
