import { expect, test } from 'vitest'
import { type Node, type Nodes, withSteps } from './node.js'
import {
  ChainPipeline,
  type ChainStep,
  type ChainStepName,
  type ChainSteps,
  nodeRequest,
} from './pipeline.js'

/** Steps that write down when a message comes by and when its answer does. */
function recording(names: readonly ChainStepName[]) {
  const seen: string[] = []
  const stepOf =
    (name: string): ChainStep =>
    async (message, next) => {
      seen.push(`> ${name}`)
      const answer = await next(message)
      seen.push(`< ${name}`)
      return answer
    }
  const steps = Object.fromEntries(names.map((name) => [name, stepOf(name)])) as ChainSteps
  return { seen, steps }
}

/** A node that answers each request with its method and parameters. */
function channelOf() {
  const sent: unknown[] = []
  return {
    sent,
    async request(method: string, params: unknown) {
      sent.push([method, params])
      return { result: [method, params] }
    },
    close() {},
  }
}

const all: readonly ChainStepName[] = ['fault', 'cache', 'log', 'gate', 'time']

test('default: a message takes all steps in this order, and its answer takes them back', async () => {
  const { seen, steps } = recording([...all].reverse())
  const pipeline = new ChainPipeline('base', channelOf(), steps)
  expect(pipeline.names).toEqual(all)
  expect(await pipeline.rpc().request('eth_chainId', [1])).toEqual(['eth_chainId', [1]])
  expect(seen).toEqual([
    ...all.map((name) => `> ${name}`),
    ...[...all].reverse().map((name) => `< ${name}`),
  ])
})

test('behavior: a step that is added takes its place, and the way without it stays as it is', async () => {
  const { seen, steps } = recording(['gate', 'cache'])
  const without = new ChainPipeline('base', channelOf(), steps)
  const more = recording(['log', 'fault'])
  const pipeline = without.with(more.steps)
  expect(pipeline.names).toEqual(['fault', 'cache', 'log', 'gate'])
  await without.rpc().request('eth_chainId')
  expect(more.seen).toEqual([])
  await pipeline.rpc().request('eth_chainId')
  expect(more.seen).toEqual(['> fault', '> log', '< log', '< fault'])
  expect(seen).toHaveLength(8)
})

test('behavior: other connections have the same steps', async () => {
  const [own, clients] = [channelOf(), channelOf()]
  const { seen, steps } = recording(['log'])
  const request = nodeRequest('base', 'client', 'evm_mine', [])
  await new ChainPipeline('base', own, steps).to(clients)(request)
  expect(seen).toEqual(['> log', '< log'])
  expect([own.sent, clients.sent]).toEqual([[], [['evm_mine', []]]])
})

test('behavior: each node gets the steps that are added to all, and a stand-in for a node has none', async () => {
  const pipeline = new ChainPipeline('base', channelOf(), {})
  const real = { network: 'base', pipeline, rpc: pipeline.rpc() } as unknown as Node
  const standIn = { network: 'optimism', rpc: {} } as unknown as Node
  const all = [real, standIn]
  const get = (network: string) => all.find((node) => node.network === network)!
  const nodes: Nodes = { all: () => all, get, stop: async () => {} }
  const { seen, steps } = recording(['fault'])
  const joined = withSteps(nodes, () => steps)
  await joined.get('base').rpc.request('eth_chainId')
  expect(seen).toEqual(['> fault', '< fault'])
  expect(joined.get('optimism')).toBe(standIn)
  await nodes.get('base').rpc.request('eth_chainId')
  expect(seen).toHaveLength(2)
})
