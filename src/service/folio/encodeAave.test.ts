import { expect, test } from 'vitest'
import type { AaveState } from '../../chain/state/marketReads.js'
import type { NetworkState } from '../../chain/state/networkState.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { encodeAave } from './encode.js'
import { type Folio, folioSections } from './schema.js'

const wallet = '0x2222222222222222222222222222222222222222'
const { aave } = loadAddressBook().on('mainnet')
const path = (symbol: string) => `aave/ethereum/${aave.pool}/${symbol}`

function state(symbol: string, fields: Partial<AaveState> = {}): AaveState {
  return {
    reserve: aave.reserves.find((reserve) => reserve.symbol === symbol)!,
    totalSupply: 3_000_000n,
    totalBorrow: 1_500_000n,
    supplyRate: 25n * 10n ** 24n,
    borrowRate: 10n ** 27n / 20n + 1n,
    cash: 1_500_000n,
    accruedToTreasury: 0n,
    supplyCap: 0n,
    borrowCap: 0n,
    ltv: 7500n,
    liquidationThreshold: 7800n,
    liquidationBonus: 10_500n,
    isActive: true,
    isFrozen: false,
    isPaused: false,
    isBorrowable: true,
    supplied: 0n,
    borrowed: 0n,
    isCollateral: false,
    ...fields,
  }
}

function encode(...aaveReserves: AaveState[]): Folio {
  const folio = Object.fromEntries(folioSections.map((name) => [name, {}])) as Folio
  const prices = new Map([['WETH', 350_000_000_000n]])
  encodeAave(
    folio,
    { aaveReserves, prices } as unknown as NetworkState,
    aave.pool,
    'ethereum',
    wallet,
  )
  return folio
}

test('default: a reserve is a yield market and a borrow market, its rates per year to the last digit', () => {
  const folio = encode(state('USDC', { supplyCap: 5_000_000n, borrowCap: 4_000_000n }))
  expect(folio.yield_markets).toEqual({
    [path('USDC')]: {
      supply_apr: '0.025',
      supply_rewards_apr: '0',
      supply_cap: '5e6',
      total_supply: '3e6',
    },
  })
  expect(folio.borrow_markets).toEqual({
    [path('USDC')]: {
      borrow_apr: '0.050000000000000000000000001',
      borrow_rewards_apr: '0',
      borrow_cap: '4e6',
      total_borrow: '1.5e6',
      base_borrow_min: '0e6',
      collaterals: {
        USDC: {
          borrow_collateral_factor: '0.75',
          liquidate_collateral_factor: '0.78',
          liquidation_factor: '0.95238095238095238',
          supply_cap: '5e6',
          total_supply: '3e6',
          usd_price: null,
        },
      },
    },
  })
  expect(folio.balances).toEqual({})
})

test('behavior: no cap is null; what is not lent out is no borrow market, what does not back no collateral', () => {
  const folio = encode(state('USDC'), state('WETH', { isBorrowable: false, ltv: 0n }))
  expect(folio.yield_markets[path('USDC')]).toMatchObject({ supply_cap: null })
  expect(Object.keys(folio.yield_markets)).toHaveLength(2)
  expect(Object.keys(folio.borrow_markets)).toEqual([path('USDC')])
  const { collaterals } = folio.borrow_markets[path('USDC')] as { collaterals: object }
  expect(Object.keys(collaterals)).toEqual(['USDC'])
})

test('behavior: supplies without debt are yield only', () => {
  const folio = encode(state('USDC', { supplied: 5n, isCollateral: true }))
  expect(folio.balances).toEqual({ [`yield_market/${path('USDC')}/${wallet}`]: '0.000005e6' })
})

test('behavior: each debt has all of the collateral below it', () => {
  const ether = 10n ** 18n
  const folio = encode(
    state('WETH', { supplied: ether, isCollateral: true }),
    state('WBTC', { supplied: 10n ** 8n, isCollateral: false }),
    state('USDC', { borrowed: 1_000_000n }),
    state('USDT', { borrowed: 2_000_000n, isBorrowable: false }),
  )
  expect(folio.balances).toEqual({
    [`yield_market/${path('WETH')}/${wallet}`]: '1e18',
    [`yield_market/${path('WBTC')}/${wallet}`]: '1e8',
    [`borrow_market/${path('USDC')}/${wallet}`]: '1e6',
    [`borrow_market/${path('USDT')}/${wallet}`]: '2e6',
    [`borrow_market_collateral/${path('USDC')}/WETH/${wallet}`]: '1e18',
    [`borrow_market_collateral/${path('USDT')}/WETH/${wallet}`]: '1e18',
  })
  const { collaterals } = folio.borrow_markets[path('USDC')] as {
    collaterals: Record<string, { usd_price: string | null }>
  }
  expect(collaterals.WETH!.usd_price).toBe('3500')
})

test('behavior: only collateral that is supplied backs a debt; a bonus of nothing is no factor', () => {
  const folio = encode(
    state('USDC', { borrowed: 1n, liquidationBonus: 0n }),
    state('WETH', { supplied: 5n, isCollateral: true, supplyCap: 10n ** 18n }),
    state('DAI', { supplied: 0n, isCollateral: true }),
    state('USDT', { supplied: 7n, isCollateral: false }),
  )
  const backing = Object.keys(folio.balances).filter((key) =>
    key.startsWith('borrow_market_collateral/'),
  )
  expect(backing).toEqual([`borrow_market_collateral/${path('USDC')}/WETH/${wallet}`])
  expect(folio.borrow_markets[path('USDC')]).toMatchObject({
    collaterals: {
      USDC: { liquidation_factor: '0', supply_cap: null },
      WETH: { liquidation_factor: '0.95238095238095238', supply_cap: '1e18' },
    },
  })
})
