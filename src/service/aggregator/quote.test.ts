import { expect, test } from 'vitest'
import { withTextAmounts } from '../../lib/textAmounts.js'
import { type Quote, quoteFromText } from './quote.js'

const quote: Quote = {
  network: 'base',
  sellToken: '0x01',
  buyToken: '0x02',
  sellAmount: 2n ** 200n,
  buyAmount: 7n,
  minBuyAmount: 6n,
  maxSellAmount: 2n ** 200n + 1n,
  allowanceTarget: '0x03',
  transaction: { to: '0x04', data: '0x05', value: 8n },
  quoteId: '0x06',
  expiresAt: 9,
  exactOut: false,
}

test('default: a stored quote has decimal strings and reads back unchanged', () => {
  const json = withTextAmounts(quote)
  expect(json).toEqual({
    ...quote,
    sellAmount: `${2n ** 200n}`,
    buyAmount: '7',
    minBuyAmount: '6',
    maxSellAmount: `${2n ** 200n + 1n}`,
    transaction: { to: '0x04', data: '0x05', value: '8' },
  })
  expect(quoteFromText(json)).toEqual(quote)
})
