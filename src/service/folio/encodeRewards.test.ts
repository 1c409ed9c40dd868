import { expect, test } from 'vitest'
import type { NetworkState } from '../../chain/state/networkState.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import type { RewardClaim } from '../rewards/updater.js'
import { encodeMorphoRewards } from './encodeRewards.js'
import { type Folio, folioSections } from './schema.js'

const wallet = '0x2222222222222222222222222222222222222222'
const rewards = loadAddressBook().on('mainnet').morphoRewards!
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

function encoded(
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
  expect(encoded(state, [claimOf(5n * token, 2n * token)])).toEqual({
    balances: {
      [`reward/${key}`]: '3e18',
      [`locked_reward/${key}`]: '2.000000000000000001e18',
    },
    rewards: { [key]: { proof: { proof_type: 'morpho_reward', proof, proof_amount: '5e18' } } },
  })
})

test('behavior: without a proof everything that was not claimed yet is locked', () => {
  expect(encoded({ claimed: 2n * token, earned: 3n * token })).toEqual({
    balances: { [`locked_reward/${key}`]: '1e18' },
    rewards: {},
  })
})

test('behavior: a root that was posted after the balances were read locks nothing', () => {
  const state = { claimed: 0n, earned: token }
  expect(encoded(state, [claimOf(token + 5n, 0n)]).balances).toEqual({
    [`reward/${key}`]: '1.000000000000000005e18',
  })
})

test('behavior: nothing earned, or no rewards on the network, and claims of other networks: nothing is listed', () => {
  const nothing = { balances: {}, rewards: {} }
  expect(encoded({ claimed: 0n, earned: 0n })).toEqual(nothing)
  expect(encoded(undefined)).toEqual(nothing)
  const elsewhere = { ...claimOf(token, 0n), network: 'base' as const }
  expect(encoded({ claimed: token, earned: token }, [elsewhere])).toEqual(nothing)
})
