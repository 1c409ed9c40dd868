import { describe, expect, test } from 'vitest'
import { actors } from '../deployments/actors.js'
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

test('behavior: the accounts that the simulator sends from stay its own', () => {
  const actor = actors.admin
  expect(code('anvil_stopImpersonatingAccount', actor)).toBe(-32601)
  expect(code('hardhat_stopImpersonatingAccount', actor.toUpperCase().replace('0X', '0x'))).toBe(
    -32601,
  )
  expect(code('anvil_stopImpersonatingAccount', `0x${'12'.repeat(20)}`)).toBeUndefined()
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

  test('behavior: of a trace with every step it is less', () => {
    const gas = (options: unknown) => {
      const params = boundedParams('debug_traceCall', [{ to }, 'latest', options])
      return (params as { gas: string }[])[0]!.gas
    }
    expect(gas({ tracer: 'callTracer' })).toBe(cap)
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
    expect(boundedParams('eth_call', [{ gas: 'much' }])).toEqual([{ gas: 'much' }])
    expect(boundedParams('eth_blockNumber', [])).toBeUndefined()
  })
})
