import { expect, test } from 'vitest'
import { useWorld } from '../../../test/kit/world.js'
import type { Node, Nodes } from '../rpc/node.js'
import { latestChainTime, setChainTimes } from './time.js'

const networks = ['base', 'optimism'] as const
const world = useWorld(networks)
const start = Date.parse('2030-01-01T00:00:00Z')

/** The nodes; `spoil` may make a request of a network fail before it reaches its node, and `before` do something first. */
function nodesOf(
  spoil: (network: string, method: string) => boolean = () => false,
  before: (node: Node, method: string) => Promise<void> = async () => {},
): Nodes {
  const wrap = (node: Node): Node => ({
    ...node,
    rpc: {
      ...node.rpc,
      async request(method, params) {
        await before(node, method)
        if (spoil(node.network, method)) throw new Error(`${node.network} does not take ${method}`)
        return node.rpc.request(method, params)
      },
    },
  })
  const all = networks.map((network) => wrap(world.on(network).node))
  return {
    get: (network) => all.find((node) => node.network === network)!,
    all: () => all,
    stop: async () => {},
  }
}

/** The times of the last block and of the next one on each network, in seconds from the start. */
async function times(): Promise<number[]> {
  const reads = networks.flatMap((network) =>
    (['latest', 'pending'] as const).map(async (blockTag) => {
      const { timestamp } = await world.on(network).client.getBlock({ blockTag })
      return Number(timestamp) - start / 1000
    }),
  )
  return Promise.all(reads)
}

const mine = () =>
  Promise.all(networks.map((network) => world.on(network).node.rpc.request('evm_mine')))

test('default: frozen, every block has the second, and later ones the next second that is set', async () => {
  await setChainTimes(nodesOf(), { mode: 'frozen', ms: start + 999 })
  await mine()
  expect(await times()).toEqual([0, 0, 0, 0])
  await setChainTimes(nodesOf(), { mode: 'frozen', ms: start + 1_000 })
  await mine()
  expect(await times()).toEqual([1, 1, 1, 1])
  expect(await latestChainTime(nodesOf())).toBe(start / 1000 + 1)
})

test('behavior: running again they tick from there', async () => {
  await setChainTimes(nodesOf(), { mode: 'frozen', ms: start })
  await setChainTimes(nodesOf(), { mode: 'real', ms: start + 5_000 })
  const [, first] = await times()
  let later = first
  while (later === first) later = (await times())[1]
  expect(later).toBeGreaterThan(5)
})

test('behavior: a chain that is ahead keeps its time, and one that mines nothing is not made to', async () => {
  await setChainTimes(nodesOf(), { mode: 'frozen', ms: start })
  const { rpc } = world.on('optimism').node
  await rpc.request('evm_setNextBlockTimestamp', [start / 1000 + 50])
  await rpc.request('evm_mine')
  await world.on('base').node.rpc.request('evm_setAutomine', [false])
  await setChainTimes(nodesOf(), { mode: 'frozen', ms: start + 10_000 })
  expect(await times()).toEqual([0, 10, 50, 50])
  await world.on('base').node.rpc.request('evm_setAutomine', [true])
})

test.each(['frozen', 'real'] as const)(
  'behavior: blocks that others mine while the clock becomes %s are not earlier than their parents',
  async (mode) => {
    await setChainTimes(nodesOf(), { mode: 'frozen', ms: start })
    await setChainTimes(nodesOf(), { mode: 'real', ms: start + 3_000 })
    const { client, node } = world.on('base')
    const seconds: number[] = []
    const note = async () => void seconds.push(Number((await client.getBlock()).timestamp))
    const busy = nodesOf(undefined, async ({ network }, method) => {
      if (network !== 'base' || method.startsWith('eth_')) return
      // As the machine's time goes on, which it does once.
      if (seconds.length === 0) await node.rpc.request('evm_increaseTime', [5])
      await node.rpc.request('evm_mine')
      await note()
    })
    await setChainTimes(busy, { mode, ms: start + 4_000 })
    await note()
    await mine()
    await note()
    expect(seconds).toEqual(seconds.toSorted((a, b) => a - b))
  },
)

test.each(['evm_setTime', 'anvil_setBlockTimestampInterval', 'eth_getBlockByNumber'])(
  'error: when one node fails at %s, the other is where it was, without a block',
  async (method) => {
    await setChainTimes(nodesOf(), { mode: 'frozen', ms: start })
    const height = () => world.on('base').client.getBlockNumber({ cacheTime: 0 })
    const before = await height()
    const spoiled = nodesOf((network, asked) => network === 'optimism' && asked === method)
    const was = { mode: 'frozen', ms: start } as const
    const moving = setChainTimes(spoiled, { mode: 'frozen', ms: start + 60_000 }, was)
    await expect(moving).rejects.toThrow(`optimism does not take ${method}`)
    expect((await times()).slice(0, 2)).toEqual([0, 0])
    expect(await height()).toBe(before)
  },
)
