import { expect, test } from 'vitest'
import type { NetworkState } from '../../chain/state/networkState.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { type NetworkName, networkOf } from '../../deployments/networks.js'
import type { MorphoMarket } from '../../deployments/protocolBook.js'
import { encodeMorpho, marketPath } from './encodeMorpho.js'
import { type Folio, folioSections } from './schema.js'

const wallet = '0x2222222222222222222222222222222222222222'
const book = loadAddressBook()

function encode(network: NetworkName, market: MorphoMarket, borrowed = 0n, collateral = 0n): Folio {
  const folio = Object.fromEntries(folioSections.map((name) => [name, {}])) as Folio
  const networkState = { prices: new Map([['WETH', 350_000_000_000n]]) } as unknown as NetworkState
  const state = {
    market,
    totalSupply: 3_000_000n,
    totalBorrow: 2_500_000n,
    borrowRate: 1_000_000_000n,
    borrowed,
    collateral,
  }
  const net = networkOf(network).folioName
  encodeMorpho(folio, networkState, book.on(network).morpho, net, state, wallet)
  return folio
}

test('default: a market, a debt and its collateral', () => {
  const market = book.on('base').morpho.markets.find((m) => m.label.startsWith('WETH/USDC'))!
  const folio = encode('base', market, 1_500_000n, 10n ** 18n)
  expect(folio.borrow_markets).toEqual({
    'morpho/base/WETH/USDC': {
      borrow_apr: '0.031536',
      borrow_rewards_apr: '0',
      borrow_cap: null,
      total_borrow: '2.5e6',
      base_borrow_min: '0e6',
      collaterals: {
        WETH: {
          borrow_collateral_factor: '0.86',
          liquidate_collateral_factor: '0.86',
          liquidation_factor: '0.958',
          supply_cap: null,
          total_supply: null,
          usd_price: '3500',
        },
      },
    },
  })
  expect(folio.balances).toEqual({
    [`borrow_market/morpho/base/WETH/USDC/${wallet}`]: '1.5e6',
    [`borrow_market_collateral/morpho/base/WETH/USDC/WETH/${wallet}`]: '1e18',
  })
})

test('behavior: no position, no balance', () => {
  const [market] = book.on('base').morpho.markets
  expect(encode('base', market!).balances).toEqual({})
})

test('behavior: of several markets of one pair the first has the plain key, the others their id behind it', () => {
  const { markets } = book.on('mainnet').morpho
  const keys = markets.flatMap((market) => Object.keys(encode('mainnet', market).borrow_markets))
  expect(new Set(keys).size).toBe(markets.length)
  const [first, second] = markets.filter((m) => m.label.startsWith('cbBTC/USDC'))
  expect(keys[markets.indexOf(first!)]).toBe('morpho/ethereum/cbBTC/USDC')
  expect(keys[markets.indexOf(second!)]).toBe(`morpho/ethereum/cbBTC/USDC/${second!.id}`)
})

test.each([
  [1_000n, '1'],
  [600n, '0.88'],
  [300n, '0.869565217391304347'],
])(
  'behavior: the liquidation factor at %i per mille: 1 / 1.15 is the least',
  (perMille, factor) => {
    const [market] = book.on('base').morpho.markets
    const lltv = perMille * 10n ** 15n
    const { borrow_markets } = encode('base', { ...market!, lltv })
    const factors = Object.values(borrow_markets).flatMap(({ collaterals }) =>
      Object.values(collaterals).map(({ liquidation_factor }) => liquidation_factor),
    )
    expect(factors).toEqual([factor])
  },
)

test('behavior: a pair shares only one of its two assets with another: both have plain keys', () => {
  const morpho = book.on('base').morpho
  const [market] = morpho.markets
  const other = { ...market!, id: '0x01', collateralSymbol: 'XYZ' } as const
  const third = { ...market!, id: '0x02', loanSymbol: 'XYZ' } as const
  const markets = { ...morpho, markets: [other, third, market!] }
  for (const each of [other, third, market!])
    expect(marketPath(markets, each, 'base')).toEqual([
      ...['morpho', 'base', each.collateralSymbol, each.loanSymbol],
    ])
  expect(marketPath({ ...morpho, markets: [] }, market!, 'base').at(-1)).toBe(market!.id)
})
