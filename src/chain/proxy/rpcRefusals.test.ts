import { describe, expect, test } from 'vitest'
import { actors } from '../../deployments/actors.js'
import { boundedParams, refusalOf, socketRefusal } from './rpcRefusals.js'

const code = (method: string, ...params: unknown[]) => refusalOf(method, params)?.code

test.each([
  ['reset', '/_sim/reset'],
  ['loadState', '/_sim/snapshots'],
  ['setRpcUrl', '--fork'],
  ['setAutomine', '"halt"'],
  ['setIntervalMining', '"halt"'],
  ['increaseTime', '/_sim/clock/advance'],
  ['setTime', '/_sim/clock'],
  ['setNextBlockTimestamp', '/_sim/clock'],
  ['setBlockTimestampInterval', '/_sim/clock'],
  ['removeBlockTimestampInterval', '/_sim/clock'],
  ['setChainId', 'nothing changes it'],
  ['setBlockGasLimit', 'nothing changes it'],
  ['setMinGasPrice', 'anvil_setNextBlockBaseFeePerGas'],
  ['setLoggingEnabled', '/_sim/journal'],
])('default: %s, under any of its names, says what to use instead', (name, instead) => {
  for (const prefix of ['anvil', 'hardhat', 'evm', 'tenderly']) {
    const method = `${prefix}_${name}`
    expect(refusalOf(method, undefined)).toEqual({
      code: -32601,
      message: expect.stringContaining(instead),
    })
    expect(refusalOf(method, undefined)!.message).toContain(`${method} is not open here`)
    expect(refusalOf(method, undefined)!.message).toContain('--rpc-unsafe')
  }
})

test('behavior: what users do to chains stays open', () => {
  const open = [
    'eth_call',
    'eth_sendRawTransaction',
    'evm_snapshot',
    'evm_revert',
    'evm_mine',
    'anvil_mine',
    'anvil_reorg',
    'anvil_rollback',
    'anvil_setBalance',
    'anvil_setCode',
    'anvil_setStorageAt',
    'anvil_impersonateAccount',
    'anvil_dumpState',
    'anvil_dropTransaction',
    'debug_traceTransaction',
    'eth_reset',
    'anvil_constructor',
    'evm_toString',
  ]
  expect(open.filter((method) => refusalOf(method, []))).toEqual([])
})

test('behavior: the accounts that the simulator sends from keep their signatures', () => {
  const actor = actors.admin
  expect(code('anvil_impersonateAccount', actor)).toBe(-32601)
  expect(code('hardhat_impersonateAccount', actor.toUpperCase().replace('0X', '0x'))).toBe(-32601)
  expect(code('anvil_impersonateAccount', actor.slice(2))).toBe(-32601)
  expect(code('anvil_impersonateAccount', actor.slice(2).toUpperCase())).toBe(-32601)
  expect(code('anvil_impersonateAccount', `0x${'12'.repeat(20)}`)).toBeUndefined()
  expect(code('anvil_impersonateAccount', '12'.repeat(20))).toBeUndefined()
  // A node reads the bytes of an address too.
  const bytes = [...Buffer.from(actor.slice(2), 'hex')]
  for (const other of [bytes, [actor], ` ${actor}`, `${actor}00`, '', null, 5, {}])
    expect(refusalOf('anvil_impersonateAccount', [other])).toEqual({
      code: -32602,
      message: `anvil_impersonateAccount: the account must be 0x and 40 hex digits, but is ${JSON.stringify(other).slice(0, 80)}. --rpc-unsafe lifts this.`,
    })
})

/** What a node reads as a quantity, or might, and what nobody does. */
const oddQuantities = ['0b11', '0o17', '1_000', '0x_1', '0x', '', ' 3', '+3', '3n', '1e3', 3.7, -1]
const longQuantities = ['9'.repeat(79), `0x${'f'.repeat(65)}`]

test.each([
  ['anvil_mine', (value: unknown) => [value]],
  ['hardhat_mine', (value: unknown) => [value]],
  ['evm_mine', (blocks: unknown) => [{ timestamp: null, blocks }]],
  ['evm_mine_detailed', (blocks: unknown) => [{ timestamp: null, blocks }]],
  ['anvil_setNextBlockBaseFeePerGas', (value: unknown) => [value]],
  ['hardhat_setNextBlockBaseFeePerGas', (value: unknown) => [value]],
])('error: a quantity that cannot be read here does not reach the node: %s', (method, params) => {
  for (const odd of [...oddQuantities, ...longQuantities, [3], {}, true]) {
    const refusal = refusalOf(method, params(odd))
    expect(refusal?.code).toBe(-32602)
    expect(refusal?.message).toContain(
      `must be a whole number, or text in decimal or 0x hex, but is ${JSON.stringify(odd).slice(0, 80)}`,
    )
  }
  for (const plain of [3, '3', '0x3', '0X3', '003', null, undefined])
    expect(refusalOf(method, params(plain))).toBeUndefined()
})

test('behavior: base fees up to 1000 gwei', () => {
  expect(code('anvil_setNextBlockBaseFeePerGas', '0xe8d4a51000')).toBeUndefined()
  expect(code('anvil_setNextBlockBaseFeePerGas', '0xe8d4a51001')).toBe(-32602)
  expect(code('hardhat_setNextBlockBaseFeePerGas', `0x${'f'.repeat(64)}`)).toBe(-32602)
  expect(code('anvil_setNextBlockBaseFeePerGas', 1e30)).toBe(-32602)
})

test('behavior: blocks are mined up to a thousand at once, and at the time of the clock', () => {
  expect(code('anvil_mine', '0x3e8')).toBeUndefined()
  expect(code('anvil_mine', 1001)).toBe(-32602)
  expect(code('hardhat_mine', '0x2710')).toBe(-32602)
  expect(code('anvil_mine', '0x1', '0x3c')).toBe(-32601)
  expect(code('evm_mine', 2_000_000_000)).toBe(-32601)
  expect(code('evm_mine', { timestamp: '0x77359400' })).toBe(-32601)
  expect(code('evm_mine', { blocks: 1001 })).toBe(-32602)
  expect(code('evm_mine', { blocks: 3 })).toBeUndefined()
  expect(code('evm_mine_detailed', { timestamp: 5 })).toBe(-32601)
  expect(code('anvil_mine')).toBeUndefined()
})

test('behavior: subscriptions are for WebSockets', () => {
  expect(socketRefusal('eth_subscribe')?.message).toContain('open a WebSocket')
  expect(socketRefusal('eth_call')).toBeUndefined()
})

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

test('behavior: a request for more than a hundred reward percentiles is refused', () => {
  const history = (percentiles: unknown) =>
    boundedParams('eth_feeHistory', ['0x400', 'latest', percentiles])
  for (const some of [undefined, [], [50], Array(100).fill(50)])
    expect(history(some)).toBeUndefined()
  expect(history(Array(101).fill(50))).toEqual({
    code: -32602,
    message: expect.stringContaining('at most 100, but are 101'),
  })
})
