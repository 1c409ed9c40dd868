import { expect, test } from 'vitest'
import { loadAddressBook } from './addressBook.js'
import { networkNames } from './networks.js'

const book = loadAddressBook()

test('default', () => {
  const { aave, morpho, uniswap } = book.on('base')
  expect(aave.pool).toBe('0xa238dd80c259a72e81d7e4664a9801593f98d1c5')
  expect(aave.reserves[0]).toEqual({
    id: 0,
    symbol: 'WETH',
    asset: '0x4200000000000000000000000000000000000006',
    decimals: 18,
    aToken: '0xd4a0e0b9149bcee3c920d2e00b5de09138fd8bb7',
    variableDebtToken: '0x24e6e0795b3c7c71d965fcc4f371803d1c1dca1e',
    oracle: '0x9da00d23465282005db222a441a663ee7b9dfcc8',
    interestRateStrategy: '0x86ab1c62a8bf868e1b3e1ab87d587aba6fbcbdc5',
    ltv: 8000n,
    liquidationThreshold: 8300n,
  })
  expect(morpho.markets[0]).toEqual({
    id: '0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda',
    label: 'WETH/USDC 86%',
    loanSymbol: 'USDC',
    loanToken: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    loanDecimals: 6,
    collateralSymbol: 'WETH',
    collateralToken: '0x4200000000000000000000000000000000000006',
    collateralDecimals: 18,
    oracle: '0xfea2d58cefcb9fcb597723c6bae66ffe4193afe4',
    irm: '0x46415998764c29ab2a25cbea6254146d50d22687',
    lltv: 860_000_000_000_000_000n,
    isLoanTakenForDollar: false,
  })
  expect(morpho.vaults[0]).toEqual({
    address: '0xc1256ae5ff1cf2719d4937adb3bbccab2e00a2ca',
    name: 'Moonwell Flagship USDC',
    symbol: 'mwUSDC',
    assetSymbol: 'USDC',
    asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    assetDecimals: 6,
  })
  expect(uniswap).toEqual({
    factory: '0x33128a8fc17869897dce68ed026d694621f6fdfd',
    positionManager: '0x03a520b32c04bf3beef7beb72e919cf822ed34f1',
    swapRouter: '0x2626664c2603336e57b271c5c0b26f421741e481',
    quoter: '0x3d4e44eb1374240ce5f1b871ab261cd16335b76a',
  })
})

test('behavior: idle markets are left out, and vaults of assets that no market lends', () => {
  for (const network of networkNames) {
    const { markets, vaults } = book.on(network).morpho
    expect(markets.filter((market) => market.lltv === 0n)).toEqual([])
    const lent = new Set(markets.map((market) => market.loanSymbol))
    expect(vaults.filter((vault) => !lent.has(vault.assetSymbol))).toEqual([])
  }
  const symbols = book.on('mainnet').morpho.vaults.map((vault) => vault.symbol)
  expect(symbols).toContain('steakUSDC')
  expect(symbols).not.toContain('gtDAIcore')
})

test('behavior: a vault without a symbol goes by its name', () => {
  expect(book.on('polygon').morpho.vaults.map((vault) => vault.symbol)).toContain('Compound USDT')
})

test('behavior: only an oracle that is known to have no feed for the loan takes it for a dollar', () => {
  const inDollars = networkNames.flatMap((network) =>
    book
      .on(network)
      .morpho.markets.filter((market) => market.isLoanTakenForDollar)
      .map((market) => `${network} ${market.collateralSymbol}/${market.loanSymbol}`),
  )
  expect(inDollars).toContain('polygon WETH/USDT')
  expect(inDollars).toContain('base cbBTC/USDC')
  expect(inDollars).not.toContain('base WETH/USDC')
  expect(inDollars.filter((name) => !/\/USD(C|T)$/.test(name))).toEqual([])
})

test('behavior: reserves come by id, with the file’s factors or the usual ones', () => {
  for (const network of networkNames) {
    const { reserves } = book.on(network).aave
    const ids = reserves.map((reserve) => reserve.id)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    for (const { ltv, liquidationThreshold } of reserves) {
      expect(ltv).toBeGreaterThan(0n)
      expect(liquidationThreshold).toBeGreaterThan(ltv)
      expect(liquidationThreshold).toBeLessThan(10_000n)
    }
  }
  const factors = (symbol: string) =>
    book.on('polygon').aave.reserves.find((reserve) => reserve.symbol === symbol)?.ltv
  expect([factors('WPOL'), factors('USDC.e'), factors('WETH')]).toEqual([6800n, 7500n, 8050n])
})
