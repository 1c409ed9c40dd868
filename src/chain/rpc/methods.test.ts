import { expect, test } from 'vitest'
import {
  type MethodEffect,
  methodEffect,
  methodOf,
  sharedBlockMethod,
  takesBack,
} from './methods.js'

test.each<[MethodEffect, string[]]>([
  ['read', ['eth_call', 'evm_snapshot', 'anvil_getAutomine', 'anvil_getSomethingNew', 'ots_x']],
  ['write', ['anvil_setBalance', 'hardhat_setCode', 'tenderly_addBalance', 'anvil_loadState']],
  ['settings', ['evm_setAutomine', 'hardhat_impersonateAccount']],
  ['time', ['evm_setTime', 'evm_increaseTime', 'anvil_removeBlockTimestampInterval']],
  ['send', ['eth_sendRawTransactionSync', 'eth_sendNew', 'wallet_sendCalls', sharedBlockMethod]],
  ['mine', ['evm_mine', 'anvil_mine', 'evm_mine_detailed']],
  ['beyond', ['evm_revert', 'anvil_reorg', 'anvil_rollback', 'evm_setIntervalMining']],
])('default: %s is the effect of %j', (effect, methods) => {
  for (const method of methods) {
    expect(methodEffect(method, undefined), method).toBe(effect)
    expect(methodEffect(method.toUpperCase(), undefined), method).toBe(effect)
  }
})

test('default: a node knows its own methods under four prefixes, and others under one name', () => {
  for (const prefix of ['anvil', 'hardhat', 'evm', 'tenderly'])
    expect(methodOf(`${prefix}_setAutomine`)).toBe(methodOf('evm_setAutomine'))
  expect(methodOf('reset')).toEqual({ name: 'reset', effect: 'read' })
  expect(methodOf('anvil_eth_sendTransaction')).toMatchObject({ effect: 'write', lasts: true })
  expect(methodOf('anvil_constructor')).toEqual({
    name: 'constructor',
    effect: 'write',
    lasts: true,
  })
})

test('behavior: one block without a time can be replayed, any other mining cannot', () => {
  const effects = (method: string, ...each: unknown[][]) =>
    each.map((params) => methodEffect(method, params))
  expect(effects('anvil_mine', [], [1], ['0x1'], [null, null])).toEqual(Array(4).fill('mine'))
  expect(effects('hardhat_mine', ['0x2'], [1, 60])).toEqual(['beyond', 'beyond'])
  expect(effects('evm_mine', [], [1], [{ blocks: 1 }])).toEqual(['mine', 'beyond', 'beyond'])
})

test('behavior: a reset undoes what a transaction or a write does, and no impersonation', () => {
  const lasting = (methods: string[]) => methods.filter((method) => methodOf(method).lasts)
  expect(
    lasting([
      ...['eth_sendTransaction', 'evm_mine', 'evm_revert', 'evm_setAutomine', 'evm_setTime'],
      ...['anvil_setBalance', 'anvil_dropTransaction', 'anvil_metadata', 'anvil_dealERC20'],
    ]),
  ).toEqual([])
  const methods = ['anvil_impersonateAccount', 'anvil_setCoinbase', 'evm_setIntervalMining']
  expect(lasting(methods)).toEqual(methods)
})

test('behavior: what takes blocks back, under the names that a node takes it by', () => {
  const methods = ['evm_revert', 'hardhat_revert', 'anvil_reorg', 'anvil_rollback']
  expect(
    [...methods, 'evm_snapshot', 'revert'].filter((method) => takesBack(methodOf(method))),
  ).toEqual(methods)
})
