import { encodeAbiParameters, encodeEventTopics, erc20Abi, pad } from 'viem'
import { expect, test } from 'vitest'
import type { Log } from '../../../chain/rpc/node.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { amountEvent, dollarValue, indexOf, logsOf, transfersOf } from './logs.js'

const base = loadAddressBook().on('base')
const token = (symbol: string) => base.tokens.find((t) => t.symbol === symbol)!.address
const [alice, bob] = [pad('0xa1', { size: 20 }), pad('0xb0', { size: 20 })]

function transferLog(
  address: string,
  from: typeof alice,
  to: typeof bob,
  amount: bigint,
  index: number,
): Log {
  return {
    address: address as typeof alice,
    topics: encodeEventTopics({
      abi: erc20Abi,
      eventName: 'Transfer',
      args: { from, to },
    }) as Log['topics'],
    data: encodeAbiParameters([{ type: 'uint256' }], [amount]),
    logIndex: `0x${index.toString(16)}`,
  }
}

const logs = [
  transferLog(token('USDC'), alice, bob, 5n, 0),
  transferLog(token('USDC'), bob, alice, 6n, 1),
  transferLog(token('WETH'), alice, bob, 7n, 16),
]

test('default: logs are found by contract and first topic, in any casing of the address', () => {
  const topic = logs[0]!.topics[0]!
  expect(logsOf(logs, token('USDC').toUpperCase().replace('0X', '0x'), topic).map(indexOf)).toEqual(
    [0, 1],
  )
  expect(logsOf(logs, token('USDC'), pad('0x01'))).toEqual([])
  expect(logsOf(logs, alice, topic)).toEqual([])
})

test('behavior: transfers by either end, both, or none', () => {
  const usdc = token('USDC')
  expect(transfersOf(logs, usdc, {}).map(indexOf)).toEqual([0, 1])
  expect(transfersOf(logs, usdc, { from: alice }).map(indexOf)).toEqual([0])
  expect(transfersOf(logs, usdc, { to: alice }).map(indexOf)).toEqual([1])
  expect(transfersOf(logs, usdc, { from: alice, to: alice })).toEqual([])
  expect(transfersOf(logs, token('WETH'), { from: alice }).map(indexOf)).toEqual([16])
})

test('behavior: a value in dollars has eight decimals and is rounded down', () => {
  expect(dollarValue(base, token('USDC'), 1_500_000n, '100000000')).toBe('150000000')
  expect(dollarValue(base, token('WETH'), 1n, '300000000000')).toBe('0')
  expect(dollarValue(base, token('WETH'), 10n ** 18n - 1n, '300000000000')).toBe('299999999999')
})

test('behavior: an event of an amount has its logs, its value and the fields it was given', () => {
  const worth = { amount: 2n * 10n ** 18n, price: '300000000000' }
  const fields = { token: token('WETH'), recipient: bob }
  const event = amountEvent('outbound_transfer', [logs[2]!], base, worth, fields)
  expect(event).toEqual({
    event_type: 'outbound_transfer',
    log_indices: [16],
    event_metadata: {
      token: token('WETH'),
      recipient: bob,
      amount: '2000000000000000000',
      dollar_value: '600000000000',
    },
  })
})
