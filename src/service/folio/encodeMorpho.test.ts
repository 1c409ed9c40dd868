import { expect, test } from 'vitest'
import type { VaultState } from '../../chain/state/marketReads.js'
import type { NetworkState } from '../../chain/state/networkState.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { type NetworkName, networkOf } from '../../deployments/networks.js'
import type { MorphoMarket } from '../../deployments/protocolBook.js'
import type { RewardClaim } from '../rewards/updater.js'
import { encodeMorpho, encodeMorphoRewards, encodeVault, marketPath } from './encodeMorpho.js'
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

const { morpho } = book.on('base')
const vault = morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
const path = `morpho_vault/base/${vault.address}/USDC`
const million = 1_000_000_000_000n

function vaultOf(fields: Partial<VaultState>, network: Partial<NetworkState> = {}): Folio {
  const folio = Object.fromEntries(folioSections.map((name) => [name, {}])) as Folio
  const state = {
    vault,
    totalAssets: million,
    supplyRate: 1_000_000_000n,
    room: 3n * million,
    supplied: 0n,
    withdrawable: 0n,
    ...fields,
  }
  encodeVault(folio, { prices: new Map(), ...network } as NetworkState, 'base', state, wallet)
  return folio
}

test('default: a vault with its rate, and as cap what it has and what may still come', () => {
  const folio = vaultOf({})
  expect(folio.yield_markets).toEqual({
    [path]: {
      supply_apr: '0.031536',
      supply_rewards_apr: '0',
      supply_cap: '4000000e6',
      total_supply: '1000000e6',
    },
  })
  expect(folio.balances).toEqual({})
})

test('behavior: a position is what the shares are worth, whether it can be paid out or not', () => {
  const folio = vaultOf({ supplied: 1_500_000n, withdrawable: 1n })
  expect(folio.balances).toEqual({ [`yield_market/${path}/${wallet}`]: '1.5e6' })
})

test('behavior: rewards for holders, where both prices are known', () => {
  const morphoRewards = {
    rewards: { symbol: 'MORPHO', perSecond: 10n ** 16n },
  } as NetworkState['morphoRewards']
  const rateWith = (prices: [string, bigint][]) =>
    vaultOf({}, { morphoRewards, prices: new Map(prices) }).yield_markets[path]
  // A hundredth of a token of $2 a second against a million dollars.
  expect(
    rateWith([
      ['USDC', 100_000_000n],
      ['MORPHO', 200_000_000n],
    ]),
  ).toMatchObject({ supply_rewards_apr: '0.63072' })
  expect(rateWith([['USDC', 100_000_000n]])).toMatchObject({ supply_rewards_apr: '0' })
})

const rewards = book.on('mainnet').morphoRewards!
const key = `morpho_reward/ethereum/MORPHO/${rewards.distributor}/${wallet}`
const token = 10n ** 18n
const proof = [`0x${'aa'.repeat(32)}`] as const
const claimOf = (claimable: bigint, claimed: bigint): RewardClaim => ({
  network: 'mainnet',
  distributor: rewards.distributor,
  symbol: 'MORPHO',
  token: rewards.token,
  claimable,
  claimed,
  proof: [...proof],
})

function rewardsOf(
  state: { claimed: bigint; earned: bigint } | undefined,
  claims: readonly RewardClaim[] = [],
): Pick<Folio, 'balances' | 'rewards'> {
  const folio = Object.fromEntries(folioSections.map((name) => [name, {}])) as Folio
  const morphoRewards = state && { rewards, root: `0x${'bb'.repeat(32)}`, ...state }
  const networkState = { network: 'mainnet', morphoRewards } as NetworkState
  encodeMorphoRewards(folio, networkState, 'ethereum', { wallet, rewards: claims })
  return { balances: folio.balances, rewards: folio.rewards }
}

test('default: what the root proves is the reward, what was earned since is locked', () => {
  const state = { claimed: 2n * token, earned: 7n * token + 1n }
  expect(rewardsOf(state, [claimOf(5n * token, 2n * token)])).toEqual({
    balances: {
      [`reward/${key}`]: '3e18',
      [`locked_reward/${key}`]: '2.000000000000000001e18',
    },
    rewards: { [key]: { proof: { proof_type: 'morpho_reward', proof, proof_amount: '5e18' } } },
  })
})

test('behavior: without a proof everything that was not claimed yet is locked', () => {
  expect(rewardsOf({ claimed: 2n * token, earned: 3n * token })).toEqual({
    balances: { [`locked_reward/${key}`]: '1e18' },
    rewards: {},
  })
})

test('behavior: a root that was posted after the balances were read locks nothing', () => {
  const state = { claimed: 0n, earned: token }
  expect(rewardsOf(state, [claimOf(token + 5n, 0n)]).balances).toEqual({
    [`reward/${key}`]: '1.000000000000000005e18',
  })
})

test('behavior: nothing earned, or no rewards on the network, and claims of other networks: nothing is listed', () => {
  const nothing = { balances: {}, rewards: {} }
  expect(rewardsOf({ claimed: 0n, earned: 0n })).toEqual(nothing)
  expect(rewardsOf(undefined)).toEqual(nothing)
  const elsewhere = { ...claimOf(token, 0n), network: 'base' as const }
  expect(rewardsOf({ claimed: token, earned: token }, [elsewhere])).toEqual(nothing)
})
