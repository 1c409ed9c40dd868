import { encodeAbiParameters, encodeEventTopics, pad, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import type { Log } from '../../../chain/rpc/node.js'
import type { AaveState } from '../../../chain/state/marketReads.js'
import type { NetworkState } from '../../../chain/state/networkState.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { svcAddresses } from '../../../generated/svc.js'
import { maxUint256 } from '../model/fields.js'
import type { PlanInput } from '../model/kind.js'
import { aave, observeYield } from './yield.js'

/** The parts of Aave that a running pool can hardly be brought into. */

const wallet = '0x2222222222222222222222222222222222222222'
const book = loadAddressBook()
const base = book.on('base')
const usdc = book.token('base', 'USDC')!
const weth = book.token('base', 'WETH')!
const abi = parseAbi([
  'event Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)',
])

function marketWith(fields: Partial<AaveState>) {
  const state = {
    reserve: base.aave.reserves.find(({ symbol }) => symbol === 'USDC')!,
    ...{ totalSupply: 900n, accruedToTreasury: 40n, supplyCap: 1000n, cash: 500n },
    ...{ isActive: true, isFrozen: false, isPaused: false, supplied: 100n },
    ...fields,
  } as AaveState
  const network = { aaveReserves: [state], prices: new Map([['USDC', 100_000_000n]]) }
  const input = {
    ...{ book, wallet, scripts: svcAddresses.scripts },
    states: new Map([['base' as const, network as unknown as NetworkState]]),
  } as unknown as PlanInput
  return aave.find(input, { network: 'base', token: usdc, market: undefined })
}

test('error: a reserve that is not active takes part in nothing', () => {
  const market = marketWith({ isActive: false })
  const message = 'reserve not active: Aave V3 USDC takes no '
  expect(() => market.supply({ amount: 1n, isCapped: false })).toThrow(`${message}supplies`)
  expect(() => market.withdraw(1n)).toThrow(`${message}withdrawals`)
})

test('behavior: what the protocol has earned counts towards the cap; the last unit of room is room', () => {
  const market = marketWith({})
  const supply = (received: bigint, besides: bigint) => () => market.supply({ received, besides })
  expect(supply(50n, 10n)().context).toMatchObject({ amount: '60' })
  expect(supply(50n, 11n)).toThrow('holds 940 of at most 1000, 61 was asked')
  expect(() =>
    marketWith({ supplyCap: 0n }).supply({ amount: 10n ** 30n, isCapped: true }),
  ).not.toThrow()
})

test('behavior: the last unit of cash can be withdrawn, of everything only what the position is', () => {
  const market = marketWith({ supplied: 501n })
  expect(market.withdraw(500n).context).toMatchObject({ amount: '500', aave_pool: base.aave.pool })
  const refused =
    'insufficient liquidity: Aave V3 USDC on base can pay out 500 of USDC now, 501 was asked'
  for (const amount of [501n, maxUint256]) expect(() => market.withdraw(amount)).toThrow(refused)
  expect(() => marketWith({ supplied: 500n }).withdraw(maxUint256)).not.toThrow()
})

test('behavior: of the pool’s events only those of the action’s own reserve are its own', () => {
  const log = (reserve: `0x${string}`, amount: bigint, index: number): Log => ({
    address: base.aave.pool,
    topics: encodeEventTopics({
      abi,
      eventName: 'Supply',
      args: { reserve, onBehalfOf: wallet, referralCode: 0 },
    }) as Log['topics'],
    data: encodeAbiParameters(
      [{ type: 'address' }, { type: 'uint256' }],
      [pad('0x01', { size: 20 }), amount],
    ),
    logIndex: `0x${index.toString(16)}`,
  })
  const { context } = marketWith({}).supply({ amount: 5n, isCapped: false })
  const logs = [log(weth.address, 7n, 3), log(usdc.address, 5n, 9)]
  expect(observeYield(context, logs, base)).toMatchObject([
    { event_type: 'aave_supply', log_indices: [9], event_metadata: { amount: '5' } },
  ])
  const other = {
    action_type: 'COMET_SUPPLY',
    amount: '5',
    asset_symbol: 'USDC',
    chain_id: '8453',
    comet: base.aave.pool,
    price: '100000000',
    token: usdc.address,
  } as const
  expect(observeYield(other, logs, base)).toEqual([])
})
