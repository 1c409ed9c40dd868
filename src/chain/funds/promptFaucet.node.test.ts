import type { Address, Hex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stranger, useWorld } from '../../../test/kit/world.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import type { Node } from '../rpc/node.js'
import { createFaucet, type FaucetGift } from './faucet.js'
import { promptFaucet } from './promptFaucet.js'

const world = useWorld(['base'])
const book = loadAddressBook()

// The faucet gives up when a test says so.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Passes requests on; the first of the method that gives is held back before the node gets it, or its answer is. */
function holding(what: 'request' | 'answer', method: string) {
  const { node } = world.on('base')
  let release!: () => void
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let reached!: () => void
  const held = new Promise<void>((resolve) => {
    reached = resolve
  })
  const request = async <T>(name: string, params?: readonly unknown[]): Promise<T> => {
    if (name !== method) return node.rpc.request<T>(name, params)
    reached()
    if (what === 'request') await released
    const answer = await node.rpc.request<T>(name, params)
    if (what === 'answer') await released
    return answer
  }
  const slow: Node = { ...node, rpc: { ...node.rpc, request } }
  return { node: slow, held, release }
}

/** Asks the faucet at this node for 7 units, and has it give up when `held` has come. */
async function givenUp(
  asset: string,
  address: Address,
  { node, held }: ReturnType<typeof holding>,
): Promise<{ gift: Promise<FaucetGift> }> {
  const nodes = { get: () => node, all: () => [node], stop: async () => {} }
  const faucet = promptFaucet(createFaucet(nodes, book), { nodes, book })
  const gift = faucet.fund({ address, asset, amount: 7n, network: 'base' })
  gift.catch(() => {}) // the test looks at it later
  await held
  await vi.advanceTimersByTimeAsync(5_000)
  return { gift }
}

const ways = [
  { asset: 'USDC', method: 'eth_sendTransactionSync' },
  { asset: 'ETH', method: 'anvil_setBalance' },
]

for (const { asset, method } of ways)
  for (const what of ['request', 'answer'] as const)
    test(`behavior: ${asset} whose ${what} comes late was given, and the faucet says so`, async () => {
      const slow = holding(what, method)
      const address = stranger(`late ${what} ${asset}`)
      const { gift } = await givenUp(asset, address, slow)
      slow.release()
      expect(await gift).toMatchObject({ address, balance: 7n })
    })

test('error: what was not sent in time is not given, and never will be', async () => {
  const slow = holding('answer', 'eth_call')
  const address = stranger('not in time')
  const { gift } = await givenUp('USDC', address, slow)
  slow.release()
  await expect(gift).rejects.toMatchObject({
    code: 'conflict',
    message: 'The base network did not mine the transaction within 5 s; nothing was given',
  })
  expect(await balanceOf(world.on('base').node, address)).toBe(0n)
})

test('error: a gift that waits in the pool is removed from it', async () => {
  const { rpc } = world.on('base').node
  const slow = holding('answer', 'eth_sendTransactionSync')
  const address = stranger('in the pool')
  await rpc.request('evm_setIntervalMining', [3_600])
  try {
    const { gift } = await givenUp('USDC', address, slow)
    await vi.advanceTimersByTimeAsync(30)
    vi.useRealTimers()
    await expect(gift).rejects.toMatchObject({ code: 'conflict' })
    slow.release()
    await rpc.request('evm_mine')
    expect(await balanceOf(world.on('base').node, address)).toBe(0n)
  } finally {
    await rpc.request('evm_setIntervalMining', [0])
    await rpc.request('evm_setAutomine', [true])
  }
})

test('error: a gift that is held up for good is neither given nor refused', async () => {
  const slow = holding('request', 'eth_sendTransactionSync')
  const { gift } = await givenUp('USDC', stranger('held up'), slow)
  await vi.advanceTimersByTimeAsync(60_000)
  await expect(gift).rejects.toMatchObject({
    code: 'timeout',
    message: 'The base node does not say what became of the gift; it may be given later',
    hint: expect.stringContaining('Look at the balance before you fund again'),
  })
  slow.release()
})

async function balanceOf({ rpc }: Node, address: Hex): Promise<bigint> {
  const to = book.token('base', 'USDC')!.address
  const data = `0x70a08231${address.slice(2).padStart(64, '0')}`
  return BigInt(await rpc.request<Hex>('eth_call', [{ to, data }, 'latest']))
}
