import { describe, expect, test } from 'vitest'
import { boundedParams } from './rpcBounds.js'

describe('gas', () => {
  const to = `0x${'11'.repeat(20)}`
  const cap = '0x2faf080'

  test.each(['eth_call', 'eth_estimateGas', 'eth_createAccessList'])(
    'behavior: of %s is bounded',
    (method) => {
      expect(boundedParams(method, [{ to }, 'latest'])).toEqual([{ to, gas: cap }, 'latest'])
      expect(boundedParams(method, [{ to, gas: null }])).toEqual([{ to, gas: cap }])
      expect(boundedParams(method, [{ to, gas: '0xffffffffffff' }])).toEqual([{ to, gas: cap }])
      expect(boundedParams(method, [{ to, gas: 21_000 }])).toEqual([{ to, gas: '0x5208' }])
    },
  )

  test('behavior: of a trace with every step, or with JavaScript at every step, it is less', () => {
    const gas = (options: unknown) => {
      const params = boundedParams('debug_traceCall', [{ to }, 'latest', options])
      return (params as { gas: string }[])[0]!.gas
    }
    expect(gas({ tracer: 'callTracer' })).toBe(cap)
    expect(gas({ tracer: 'prestateTracer' })).toBe(cap)
    expect(gas({ tracer: '{step(){},fault(){},result(){return 1}}' })).toBe('0xf4240')
    expect(gas({})).toBe('0xf4240')
    expect(gas(undefined)).toBe('0xf4240')
  })

  test('behavior: of simulated blocks, and how many there may be', () => {
    const block = {
      blockOverrides: { gasLimit: '0xffffffffffff', number: '0x1' },
      calls: [{ to, gas: '0xffffffffffff' }, { to }],
    }
    const better = {
      blockOverrides: { gasLimit: cap, number: '0x1' },
      calls: [{ to, gas: cap }, { to }],
    }
    expect(boundedParams('eth_simulateV1', [{ blockStateCalls: [block] }, 'latest'])).toEqual([
      { blockStateCalls: [better] },
      'latest',
    ])
    expect(
      boundedParams('eth_simulateV1', [{ blockStateCalls: Array(17).fill(block) }]),
    ).toMatchObject({ code: -32602 })
  })

  test('error: what is no call is left to the node', () => {
    for (const params of [undefined, {}, 'x', [], [5]])
      expect(boundedParams('eth_call', params)).toBeUndefined()
    expect(boundedParams('eth_blockNumber', [])).toBeUndefined()
  })

  test('error: in a form that cannot be read here does not reach the node', () => {
    for (const gas of ['0b11', '0o17', '1_000', '0x', '', 'much', 3.7, -1, [3], {}, true]) {
      const refusal = {
        code: -32602,
        message: expect.stringContaining(
          `text in decimal or 0x hex, but is ${JSON.stringify(gas)}`,
        ),
      }
      const block = { blockOverrides: { gasLimit: gas } }
      expect(boundedParams('eth_call', [{ to, gas }])).toEqual(refusal)
      expect(boundedParams('debug_traceCall', [{ to, gas }, 'latest', {}])).toEqual(refusal)
      for (const odd of [block, { calls: [{ to }, { to, gas }] }])
        expect(boundedParams('eth_simulateV1', [{ blockStateCalls: [{}, odd] }])).toEqual(refusal)
    }
  })

  test('error: simulated blocks that are written as arrays, which the node reads, do not reach it', () => {
    const calls = [{ to, gas: '0xffffffffffff' }]
    for (const payload of [
      [[{ calls }], false, false, false],
      { blockStateCalls: [[null, null, calls]] },
      { blockStateCalls: [{ blockOverrides: [null, null, null, '0xffffffffffff'] }] },
    ])
      expect(boundedParams('eth_simulateV1', [payload])).toEqual({
        code: -32602,
        message: expect.stringContaining('must be objects'),
      })
  })
})

test('behavior: a search for transactions begins at most at the latest block', () => {
  const search = (block: unknown, forkBlock?: number) =>
    boundedParams('ots_searchTransactionsBefore', ['0x', block, 5], forkBlock)
  expect(search(999_999_999_999)).toEqual(['0x', 0, 5])
  expect(search(2 ** 64)).toEqual(['0x', 0, 5])
  expect(search(400_000_000)).toEqual(['0x', 0, 5])
  expect(search(400_000_000, 399_000_000)).toBeUndefined()
  expect(search(999_999_999_999, 399_000_000)).toEqual(['0x', 0, 5])
  for (const other of [0, 5, 10_000_000, '0x5', null, undefined])
    expect(search(other)).toBeUndefined()
})

test('behavior: rewards of blocks are told in a hundred percentiles', () => {
  const history = (percentiles: unknown) =>
    boundedParams('eth_feeHistory', ['0x400', 'latest', percentiles])
  for (const some of [undefined, [], [50], Array(100).fill(50)])
    expect(history(some)).toBeUndefined()
  expect(history(Array(101).fill(50))).toEqual({
    code: -32602,
    message: expect.stringContaining('at most 100, but are 101'),
  })
})
