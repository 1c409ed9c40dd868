import { expect, test } from 'vitest'
import { actors } from '../../deployments/actors.js'
import { refusalOf, socketRefusal } from './rpcRefusals.js'

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
