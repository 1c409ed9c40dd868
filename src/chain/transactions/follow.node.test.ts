import type { Hex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { useWorld } from '../../../test/kit/world.js'
import { createBackgroundTasks } from '../../time/backgroundTasks.js'
import type { Node } from '../rpc/node.js'
import { type BlockMark, type ChainFollower, type ChainListener, followChains } from './follow.js'

const world = useWorld(['base'], { isOwn: true })
const running: ChainFollower[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((follower) => follower.pause()))
})

/** A follower of the one chain and what it told: hashes of blocks in order, `replaced` in between. */
function follow(options: Partial<ChainListener> & { mark?: BlockMark; node?: Node } = {}) {
  const { node } = { ...world.on('base'), ...options }
  const tasks = createBackgroundTasks()
  const told: string[] = []
  const errors: string[] = []
  const reached: BlockMark[] = []
  const listener: ChainListener = {
    async mined(_, { hash }) {
      told.push(hash)
    },
    async replaced() {
      told.push('replaced')
    },
    ...options,
  }
  const follower = followChains({
    nodes: { get: () => node as Node, all: () => [node as Node], stop: async () => {} },
    track: tasks.run,
    listener,
    begin: async () => options.mark,
    async reached(_, mark) {
      reached.push(mark)
    },
    onError: (message) => void errors.push(message),
  })
  running.push(follower)
  const { rpc } = node
  return {
    follower,
    told,
    errors,
    reached,
    request: rpc.request,
    /** Looks, and waits until that is done. */
    async look() {
      follower.look('base')
      await tasks.settled()
    },
    async mine(): Promise<Hex> {
      await rpc.request('evm_mine')
      return hashAt('latest')
    },
  }
}

async function hashAt(tag: string): Promise<Hex> {
  const { rpc } = world.on('base').node
  return (await rpc.request<{ hash: Hex }>('eth_getBlockByNumber', [tag, false])).hash
}

test('default: each block once and in order, heard of from the node', async () => {
  let hear: () => void = () => {}
  const heard = new Promise<void>((resolve) => {
    hear = resolve
  })
  const hashes: string[] = []
  const { follower, mine, look } = follow({
    async mined(_, { hash }) {
      if (hashes.push(hash) === 3) hear()
    },
  })
  await follower.resume()
  await look()
  const mined = [await mine(), await mine(), await mine()]
  await heard
  await look()
  expect(hashes).toEqual(mined)
})

test('behavior: a new block is read after its senders had the chance to be answered', async () => {
  const { node } = world.on('base')
  const asked: string[] = []
  const rpc = {
    ...node.rpc,
    request: <T>(method: string, params?: readonly unknown[]) => {
      asked.push(method)
      return node.rpc.request<T>(method, params)
    },
  }
  const { follower, look } = follow({ node: { ...node, pipeline: undefined, rpc } as Node })
  await follower.resume()
  await look()
  asked.length = 0
  follower.look('base')
  for (let turns = 0; turns < 100; turns++) await undefined
  expect(asked).toEqual([])
  await look()
  expect(asked).toContain('eth_getBlockByNumber')
})

test('behavior: what was mined before it began is told only to who has followed the chain before', async () => {
  const before = await hashAt('latest')
  const { request } = world.on('base').node.rpc
  const number = Number(await request<Hex>('eth_blockNumber'))
  const first = follow()
  const missed = [await first.mine(), await first.mine()]
  await first.follower.resume()
  await first.look()
  expect(first.told).toEqual([])
  expect(first.reached).toEqual([{ number: number + 2, hash: missed[1] }])
  const second = follow({ mark: { number, hash: before } })
  await second.follower.resume()
  await second.look()
  expect(second.told).toEqual(missed)
})

test('behavior: paused it is told of nothing; resumed, of each block once; restored, from there on', async () => {
  const { follower, told, mine, look } = follow()
  await follower.resume()
  await look()
  const saved = follower.save()
  const one = await mine()
  await look()
  await follower.pause()
  const more = [await mine(), await mine()]
  await look()
  expect(told).toEqual([one])
  await follower.resume()
  await look()
  expect(told).toEqual([one, ...more])
  await follower.restore(saved)
  await look()
  expect(told).toEqual([one, ...more, one, ...more])
})

test('behavior: blocks that are taken back, for none and for others, are told of before those', async () => {
  const { follower, told, mine, look, request } = follow()
  await follower.resume()
  await look()
  await mine()
  await mine()
  await look()
  told.length = 0
  await request('anvil_rollback', [2])
  await look()
  expect(told).toEqual(['replaced'])
  const again = await mine()
  await look()
  expect(told.splice(0)).toEqual(['replaced', again])

  const snapshot = await request('evm_snapshot')
  await mine()
  await look()
  told.length = 0
  await request('evm_revert', [snapshot])
  await look()
  expect(told.splice(0)).toEqual(['replaced'])
  // The same block again is the same block: nothing has happened to what stands below.
  await look()
  expect(told).toEqual([])
})

test('behavior: more blocks at once than are asked for side by side', async () => {
  const { follower, told, look, request } = follow()
  await follower.resume()
  await look()
  await request('anvil_mine', ['0xc8'])
  await look()
  expect(new Set(told).size).toBe(200)
  expect(told).toHaveLength(200)
  expect(told.at(-1)).toBe(await hashAt('latest'))
})

test('error: who could not take a block is told of it again with the next look', async () => {
  let fails = 1
  const hashes: string[] = []
  const { follower, errors, mine, look } = follow({
    async mined(_, { hash }) {
      if (fails-- > 0) throw new Error('not now')
      hashes.push(hash)
    },
  })
  await follower.resume()
  await look()
  await follower.pause() // Nobody hears of the block by itself.
  const hash = await mine()
  await follower.resume()
  await look()
  await look()
  expect(errors).toEqual(['the blocks of base could not be read'])
  expect(hashes).toEqual([hash])
})
