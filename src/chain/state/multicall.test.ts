import fc from 'fast-check'
import {
  encodeFunctionData,
  encodeFunctionResult,
  getAddress,
  type Hex,
  parseAbi,
  toHex,
} from 'viem'
import { expect, test } from 'vitest'
import { multicall3Abi } from '../../generated/abis.js'
import type { Node } from '../rpc/node.js'
import { callNow, decodeReads, encodeCall, encodeReads, selectorOf, wordAt } from './multicall.js'

const bytes = fc
  .uint8Array({ maxLength: 100 })
  .map((data): Hex => `0x${Buffer.from(data).toString('hex')}`)

const fixed = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((data) => toHex(data))
const address = fixed(20)

test('behavior: words and lists of them are encoded as viem encodes them, addresses in any case', () => {
  const abi = parseAbi(['function f(address, address[], uint256, bytes32[], bytes32)'])
  const args = fc.tuple(address, fc.array(address), fc.bigInt(0n, 2n ** 256n - 1n))
  fc.assert(
    fc.property(args, fc.array(fixed(32)), fixed(32), ([one, some, sum], list, word) => {
      const expected = encodeFunctionData({ abi, args: [one, some, sum, list, word] })
      const inAnyCase = some.map((each) => getAddress(each))
      const called = encodeCall(selectorOf(abi, 'f'), [one, inAnyCase, sum, list, word])
      expect(called).toBe(expected)
    }),
  )
  expect(encodeCall('0x12345678')).toBe('0x12345678')
})

test('default: every read may fail, and keeps its place, with data of any length', () => {
  const reads = fc.array(fc.record({ target: address, data: bytes }), { maxLength: 20 })
  fc.assert(
    fc.property(reads, (all) => {
      const calls = all.map(({ target, data }) => ({ target, allowFailure: true, callData: data }))
      expect(encodeReads(all)).toBe(
        encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] }),
      )
    }),
  )
})

test('behavior: results of any length are decoded as viem encodes them; a failed one is undefined', () => {
  const results = fc.array(fc.record({ success: fc.boolean(), returnData: bytes }), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(results, (result) => {
      const returned = encodeFunctionResult({
        abi: multicall3Abi,
        functionName: 'aggregate3',
        result,
      })
      expect(decodeReads(returned)).toEqual(
        result.map(({ success, returnData }) => (success ? returnData.slice(2) : undefined)),
      )
    }),
  )
})

test('behavior: words are unsigned and 32 bytes apart', () => {
  const data = `${'0'.repeat(63)}7${'f'.repeat(64)}`
  expect(wordAt(data, 0)).toBe(7n)
  expect(wordAt(data, 1)).toBe(2n ** 256n - 1n)
})

/** A node that is asked while blocks are mined; each answer is what it says at that moment. */
function answering(answers: readonly (readonly [method: string, answer: unknown])[]) {
  const asked: unknown[][] = []
  const rest = [...answers]
  const rpc = {
    request(method: string, params: unknown[]) {
      const [expected, answer] = rest.shift()!
      expect(method).toBe(expected)
      asked.push(params)
      return Promise.resolve(answer)
    },
  }
  const gate = { isUnsettled: false, mark: () => undefined }
  return { node: { rpc, gate } as unknown as Node, asked, rest }
}

const pending = (number: string, timestamp: string) =>
  ['eth_getBlockByNumber', { number, timestamp }] as const

test('default: while something waits in the pool, as the next block would without it', async () => {
  const call = { to: '0x1', data: '0x2' }
  const { node, asked, rest } = answering([
    pending('0x5', '0x64'),
    ['eth_call', '0xaa'],
    pending('0x5', '0x64'),
  ])
  expect(await callNow(node, call)).toBe('0xaa')
  expect(asked[1]).toEqual([call, 'latest', {}, { number: '0x5', time: '0x64' }])
  expect(rest).toEqual([])
})

test('behavior: when a block is mined meanwhile, the time of the next one tells, and the call is made again', async () => {
  const { node, asked } = answering([
    pending('0x5', '0x64'),
    ['eth_call', 'from a state that is later than its time'],
    // The state of block 5 is there, and its number is not.
    pending('0x5', '0x6b'),
    ['eth_call', '0xbb'],
    pending('0x6', '0x6b'),
  ])
  expect(await callNow(node, {})).toBe('0xbb')
  expect(asked[3]![3]).toEqual({ number: '0x5', time: '0x6b' })
})
