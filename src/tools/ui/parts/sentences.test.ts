import { expect, test } from 'vitest'
import { actionSentence, type Phrase } from './sentences.js'

const usdc = { asset_symbol: 'USDC', chain_id: '8453', price: '100000000' }

const read = (phrases: Phrase[]): string =>
  phrases
    .map((each) =>
      typeof each === 'string' ? each : 'chain' in each ? each.chain : `${each.raw} ${each.symbol}`,
    )
    .join('')

test('default: a bridge says where from, where to, and what it costs', () => {
  const context = {
    ...usdc,
    chain_id: '10',
    destination_asset_symbol: 'USDC',
    destination_chain_id: '8453',
    input_amount: '5003501',
    output_amount: '5000000',
  }
  expect(read(actionSentence('BRIDGE', context))).toBe(
    'Bridge 5003501 USDC from 10 to 8453 (planned fee 3501 USDC)',
  )
  // Two assets cannot be subtracted.
  expect(read(actionSentence('BRIDGE', { ...context, destination_asset_symbol: 'USDT' }))).toBe(
    'Bridge 5003501 USDC from 10 to 8453',
  )
})

test.each([
  ['COMET_SUPPLY', {}, 'Supply 5 USDC to Compound on 8453'],
  ['MORPHO_VAULT_WITHDRAW', {}, 'Withdraw 5 USDC from a Morpho vault on 8453'],
  [
    'COMET_BORROW',
    { collateral_amounts: ['7', '0'], collateral_asset_symbols: ['WETH', 'WBTC'] },
    'Borrow 5 USDC from Compound on 8453, with collateral of 7 WETH',
  ],
  [
    'MORPHO_REPAY',
    { collateral_amount: '7', collateral_asset_symbol: 'WETH' },
    'Repay 5 USDC to Morpho on 8453, and withdraw collateral of 7 WETH',
  ],
  ['TRANSFER', { recipient: '0xab' }, 'Send 5 USDC to 0xab on 8453'],
  ['WRAP', { from_asset_symbol: 'ETH', to_asset_symbol: 'WETH' }, 'Wrap 5 ETH into WETH on 8453'],
  ['UNHEARD_OF', {}, 'UNHEARD_OF on 8453'],
])('behavior: %s in words', (type, more, words) => {
  expect(read(actionSentence(type, { ...usdc, amount: '5', ...more }))).toBe(words)
})
