import { expect, test } from 'vitest'
import type { Node } from '../rpc/node.js'
import { callNow } from './callNow.js'

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
  const changeTracker = { isUnsettled: false, mark: () => undefined }
  return { node: { rpc, changeTracker } as unknown as Node, asked, rest }
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

test('behavior: a later block in between is noticed by its time, before its number is told', async () => {
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
