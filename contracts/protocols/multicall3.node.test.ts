import type { Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { artifact } from '../../src/chain/genesis/contracts.js'
import { admin, alice, bob, type Contract, startTestChain, type TestChain } from './testChain.js'

let chain: TestChain
let multicall: Contract
let token: Contract
let wrapped: Contract

beforeAll(async () => {
  chain = await startTestChain()
  multicall = await chain.deploy('Multicall3')
  token = await chain.deploy('Token', ['USD Coin', 'USDC', 6, admin])
  wrapped = await chain.deploy('WrappedNative', ['Wrapped Ether', 'WETH'])
  await token.send('mint', [alice, 42n])
})
afterAll(() => chain.stop())

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const balanceCall = () => ({
  target: token.address,
  callData: encodeFunctionData({
    abi: artifact('Token').abi,
    functionName: 'balanceOf',
    args: [alice],
  }),
})
const failingCall = () => ({
  target: token.address,
  callData: encodeFunctionData({
    abi: artifact('Token').abi,
    functionName: 'mint',
    args: [bob, 1n],
  }),
})

test('error: a call that must not fail takes the rest down', async () => {
  const calls = [balanceCall(), failingCall()]
  const strict = calls.map((call) => ({ ...call, allowFailure: false }))
  const expected = 'Error(Multicall3: call failed)'
  expect(await multicall.failure('aggregate', [calls])).toBe(expected)
  expect(await multicall.failure('tryAggregate', [true, calls])).toBe(expected)
  expect(await multicall.failure('blockAndAggregate', [calls])).toBe(expected)
  expect(await multicall.failure('aggregate3', [strict])).toBe(expected)
  const valued = strict.map((call) => ({ ...call, value: 0n }))
  expect(await multicall.failure('aggregate3Value', [valued])).toBe(expected)
})

test('error: values that do not add up to what was sent', async () => {
  const call = { target: wrapped.address, allowFailure: true, value: 1n, callData: '0x' }
  await chain.setBalance(alice, 10n)
  const failure = await multicall.failure('aggregate3Value', [[call]], { from: alice, value: 2n })
  expect(failure).toBe('Error(Multicall3: value mismatch)')
})

test('default: aggregate3 answers each call, failed ones with their error', async () => {
  const calls = [balanceCall(), failingCall()].map((call) => ({ ...call, allowFailure: true }))
  const results = await multicall.read<{ success: boolean; returnData: Hex }[]>('aggregate3', [
    calls,
  ])
  expect(results[0]).toEqual({ success: true, returnData: word(42n) })
  expect(results[1]!.success).toBe(false)
  expect(results[1]!.returnData.toLowerCase()).toContain(multicall.address.slice(2).toLowerCase())
})

test('behavior: the older ways to aggregate', async () => {
  const height = BigInt(await chain.request<Hex>('eth_blockNumber'))
  const calls = [balanceCall()]
  const results = [{ success: true, returnData: word(42n) }]
  expect(await multicall.read('aggregate', [calls])).toEqual([height, [word(42n)]])
  expect(await multicall.read('tryAggregate', [false, calls])).toEqual(results)
  const [number, , blockResults] = await multicall.read<[bigint, Hex, unknown]>(
    'tryBlockAndAggregate',
    [false, calls],
  )
  expect([number, blockResults]).toEqual([height, results])
  const [, , strictResults] = await multicall.read<[bigint, Hex, unknown]>('blockAndAggregate', [
    calls,
  ])
  expect(strictResults).toEqual(results)
})

test('behavior: aggregate3Value sends each call its value', async () => {
  await chain.setBalance(alice, 10n)
  const call = (value: bigint) => ({
    target: wrapped.address,
    allowFailure: false,
    value,
    callData: '0x',
  })
  await multicall.send('aggregate3Value', [[call(3n), call(4n)]], { from: alice, value: 7n })
  expect(await wrapped.read('balanceOf', [multicall.address])).toBe(7n)
})

test('behavior: it tells about the chain', async () => {
  await chain.setBalance(bob, 123n)
  const block = await chain.request<
    Record<'number' | 'timestamp' | 'gasLimit' | 'parentHash', Hex>
  >('eth_getBlockByNumber', ['latest', false])
  expect(await multicall.read('getEthBalance', [bob])).toBe(123n)
  expect(await multicall.read('getBlockNumber')).toBe(BigInt(block.number))
  expect(await multicall.read('getCurrentBlockTimestamp')).toBe(BigInt(block.timestamp))
  expect(await multicall.read('getCurrentBlockGasLimit')).toBe(BigInt(block.gasLimit))
  expect(await multicall.read('getChainId')).toBe(8453n)
  expect(await multicall.read('getLastBlockHash')).toBe(block.parentHash)
  expect(await multicall.read('getBlockHash', [BigInt(block.number) - 1n])).toBe(block.parentHash)
})
