import { expect, test } from 'vitest'
import type { NetworkState } from '../../chain/state/networkState.js'
import type { VaultState } from '../../chain/state/vaultState.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { encodeVault } from './encodeVault.js'
import { type Folio, folioSections } from './schema.js'

const wallet = '0x2222222222222222222222222222222222222222'
const { morpho } = loadAddressBook().on('base')
const vault = morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
const path = `morpho_vault/base/${vault.address}/USDC`
const million = 1_000_000_000_000n

function encode(fields: Partial<VaultState>, network: Partial<NetworkState> = {}): Folio {
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
  const folio = encode({})
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
  const folio = encode({ supplied: 1_500_000n, withdrawable: 1n })
  expect(folio.balances).toEqual({ [`yield_market/${path}/${wallet}`]: '1.5e6' })
})

test('behavior: rewards for holders, where both prices are known', () => {
  const morphoRewards = {
    rewards: { symbol: 'MORPHO', perSecond: 10n ** 16n },
  } as NetworkState['morphoRewards']
  const rateWith = (prices: [string, bigint][]) =>
    encode({}, { morphoRewards, prices: new Map(prices) }).yield_markets[path]
  // A hundredth of a token of $2 a second against a million dollars.
  expect(
    rateWith([
      ['USDC', 100_000_000n],
      ['MORPHO', 200_000_000n],
    ]),
  ).toMatchObject({ supply_rewards_apr: '0.63072' })
  expect(rateWith([['USDC', 100_000_000n]])).toMatchObject({ supply_rewards_apr: '0' })
})
