import { encodeAbiParameters, encodeEventTopics, pad, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import type { Log } from '../../../chain/rpc/node.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import type { ContextOf } from '../model/contexts.js'
import { observeSwap, swapFee } from './swapAction.js'

const base = loadAddressBook().on('base')
const token = (symbol: string) => base.tokens.find((t) => t.symbol === symbol)!.address
const wallet = pad('0xa1', { size: 20 })
const [eth, usdc] = [token('ETH'), token('USDC')]
const context: ContextOf<'SWAP'> = {
  action_type: 'SWAP',
  amount: '100',
  asset_symbol: 'ETH',
  chain_id: '8453',
  fee_amounts: ['450000'],
  fee_asset_symbols: ['USDC'],
  fee_descriptions: ['SVC_FEE'],
  fee_token_prices: ['100000000'],
  fee_tokens: [usdc],
  input_amount: '100',
  input_asset_symbol: 'ETH',
  input_token: eth,
  input_token_price: '300000000000',
  is_buy: false,
  is_capped_max: false,
  is_exact_out: false,
  output_amount: '300000000',
  output_asset_symbol: 'USDC',
  output_token: usdc,
  output_token_price: '100000000',
  use_filler: false,
}
const abi = parseAbi([
  'event Swapped(address indexed sender, address indexed sellToken, address indexed buyToken, uint256 sellAmount, uint256 buyAmount, address recipient)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
])
const swapped: Log = {
  address: base.exchange,
  topics: encodeEventTopics({
    abi,
    eventName: 'Swapped',
    args: { sender: wallet, sellToken: eth, buyToken: usdc },
  }) as Log['topics'],
  data: encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'address' }],
    [10n ** 17n - 3n, 299_999_999n, wallet],
  ),
  logIndex: '0x7',
}
const paid: Log = {
  address: usdc,
  topics: encodeEventTopics({
    abi,
    eventName: 'Transfer',
    args: { from: base.exchange, to: wallet },
  }) as Log['topics'],
  data: encodeAbiParameters([{ type: 'uint256' }], [299_999_999n]),
  logIndex: '0x6',
}

test('default: the fee is 15 basis points, rounded down', () => {
  expect([1_000_000n, 1_999n, 667n, 666n, 0n].map(swapFee)).toEqual([1_500n, 2n, 1n, 0n, 0n])
})

test('default: what ether a swap took is what the exchange says, not what was planned', () => {
  expect(observeSwap(context, [paid, swapped], base)).toMatchObject([
    {
      event_type: 'swap',
      log_indices: [6, 7],
      event_metadata: {
        input_amount: '99999999999999997',
        input_dollar_value: '29999999999',
        output_amount: '299999999',
      },
    },
  ])
})

test('behavior: other actions are none of its business', () => {
  const { asset_symbol, amount, chain_id, input_token: token } = context
  const sent = { asset_symbol, amount, chain_id, token, recipient: wallet, price: '300000000000' }
  expect(observeSwap({ action_type: 'TRANSFER', ...sent }, [paid, swapped], base)).toEqual([])
})
