import { z } from 'zod'
import type { AddressBook } from '../../chain/addressBook.js'
import { networkNames } from '../../chain/networks.js'
import { example } from '../examples.js'
import { defineRoute, type Route } from '../route.js'
import { cometMarketSchema } from '../schemas.js'

type Market = z.infer<typeof cometMarketSchema>

/** 10^18: a JSON number carries it exactly. */
const factorScale = 10 ** 18

export const marketRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/markets',
    tag: 'Reference data',
    summary: 'List the markets',
    description: 'The lending markets of all networks, each with a `protocol` tag.',
    access: 'prime',
    source: 'extension',
    answers: [
      {
        status: 200,
        description: 'The markets.',
        schema: z.strictObject({ markets: z.array(cometMarketSchema) }),
        example: {
          markets: [
            {
              protocol: 'comet',
              chain_id: 8453,
              name: 'Compound USDC',
              symbol: 'cUSDCv3',
              base_asset: example.usdc,
              factor_scale: factorScale,
              comet_address: example.comet,
              rewards_address: '0x123964802e6ababbe1bc9547d72ef1b69b00a6b1',
              collateral_assets: [
                {
                  asset: '0x4200000000000000000000000000000000000006',
                  price_feed: '0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70',
                },
              ],
            },
          ],
        },
      },
    ],
    errors: [],
    handler: ({ deps }) => ({ markets: marketsOf(deps.book) }),
  }),
]

function marketsOf(book: AddressBook): Market[] {
  return networkNames.flatMap((network) => {
    const { chainId, comets, cometRewards } = book.on(network)
    return comets.map((comet) => ({
      protocol: 'comet' as const,
      chain_id: chainId,
      name: comet.name,
      symbol: comet.symbol,
      base_asset: comet.baseToken,
      factor_scale: factorScale,
      comet_address: comet.address,
      rewards_address: cometRewards,
      collateral_assets: comet.collaterals.map(({ asset, priceFeed }) => ({
        asset,
        price_feed: priceFeed,
      })),
    }))
  })
}
