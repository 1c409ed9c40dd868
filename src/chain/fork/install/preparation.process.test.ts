import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../../../../test/kit/upstream.js'
import { startNodes } from '../../process/nodes.js'
import type { Node, Nodes } from '../../rpc/node.js'
import { type OpenFork, openFork } from '../bundle/open.js'
import { cacheInMemory } from '../upstream/answerCache.js'
import {
  cachedPreparation,
  cachePreparation,
  changedAccounts,
  giveAccounts,
  type Preparation,
} from './preparation.js'

const word = (digits: string): Hex => `0x${digits.padStart(64, '0')}`
const nobody: Address = '0x0000000000000000000000000000000000000b0d'
let upstream: Upstream
let fork: OpenFork
let running: Nodes[]
let token: Address

beforeAll(async () => {
  upstream = await startUpstream('base')
  token = upstream.book.tokens.find(({ symbol }) => symbol === 'USDC')!.address
  await upstream.rpc.request('anvil_setStorageAt', [token, word('105'), word('51')])
  await upstream.rpc.request('anvil_setStorageAt', [token, word('106'), word('61')])
  await upstream.rpc.request('evm_mine')
  fork = await openFork('base', { url: upstream.url })
  running = await Promise.all(
    [1, 2].map(() => startNodes({ networks: ['base'], args: { base: fork.args } })),
  )
})
beforeEach(() => {
  upstream.asked.length = 0
})
afterAll(async () => {
  await Promise.all(running.map((nodes) => nodes.stop()))
  await fork.close()
  await upstream.stop()
})

const slot = ({ rpc }: Node, name: string) =>
  rpc.request<Hex>('eth_getStorageAt', [token, word(name), 'latest'])

test('default: what was changed on one node is given to another; all else is still the network’s', async () => {
  const [first, second] = running.map((nodes) => nodes.get('base')) as [Node, Node]
  await first.rpc.request('anvil_setStorageAt', [token, word('105'), word('0')])
  await first.rpc.request('anvil_setCode', [nobody, '0x60'])
  await first.rpc.request('evm_mine')
  await slot(first, '106')
  const accounts = await changedAccounts(first)
  expect(Object.keys(accounts)).toEqual([nobody, token])
  expect(Object.keys(accounts[token]!.storage)).toHaveLength(1)
  const before = await second.rpc.request('eth_getBlockByNumber', ['latest', false])
  await giveAccounts(second, accounts)
  expect(await second.rpc.request('eth_getBlockByNumber', ['latest', false])).toEqual(before)
  expect(await second.rpc.request('eth_getCode', [nobody, 'latest'])).toBe('0x60')
  expect(await second.rpc.request('eth_getCode', [token, 'latest'])).toBe(
    await upstream.rpc.request('eth_getCode', [token, 'latest']),
  )
  expect(await slot(second, '105')).toBe(word('0'))
  expect(await slot(second, '106')).toBe(word('61'))
  // Again it changes nothing, and neither does a block.
  await giveAccounts(second, accounts)
  await second.rpc.request('evm_mine')
  expect(await slot(second, '105')).toBe(word('0'))
  expect(await changedAccounts(second)).toEqual(accounts)
})

test('error: what can neither be asked nor was given is no zero', async () => {
  const second = running[1]!.get('base')
  upstream.mood = 'broken'
  await expect(slot(second, '107')).rejects.toThrow('base is forked from')
  upstream.mood = 'well'
  expect(BigInt(await slot(second, '107'))).toBe(0n)
})

test('behavior: a preparation is kept for its world, the first one for good', () => {
  const cache = cacheInMemory()
  const preparation: Preparation = {
    accounts: { [nobody]: { nonce: 1, balance: '0x0', code: '0x60', storage: {} } },
    leftOut: [],
    comets: [{ baseBorrowMin: 10n ** 30n, name: '12', collaterals: [] } as never],
    fillsVariable: 7,
    remarks: ['12 things'],
  }
  expect(cachedPreparation(cache, 'a', false)).toBeUndefined()
  cachePreparation(cache, 'a', preparation)
  cachePreparation(cache, 'a', { ...preparation, fillsVariable: 8 })
  expect(cachedPreparation(cache, 'a', false)).toEqual(preparation)
  expect(cachedPreparation(cache, 'b', false)).toBeUndefined()
  expect(cachedPreparation(cache, 'b', true)).toEqual(preparation)
})
