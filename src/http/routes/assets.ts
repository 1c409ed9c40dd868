import { z } from 'zod'
import type { AddressBook } from '../../deployments/addressBook.js'
import { networkNames } from '../../deployments/networks.js'
import { defineRoute, type Route } from '../core/route.js'
import { example } from '../openapi/examples.js'
import { assetSchema } from '../openapi/schemas.js'

type Asset = z.infer<typeof assetSchema>

export const assetRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'listAssets',
    method: 'get',
    path: '/assets',
    tag: 'Reference data',
    summary: 'List the assets',
    description: 'A map from symbol to asset, with the token address on each network that has it.',
    access: 'prime',
    answer: {
      description: 'The assets by symbol.',
      schema: z.strictObject({ assets: z.record(z.string(), assetSchema) }),
      example: {
        assets: {
          USDC: {
            name: 'USD Coin',
            decimals: 6,
            networks: { base: { chain_id: 8453, address: example.usdc, native: false } },
          },
        },
      },
    },
    handler: ({ deps }) => ({ assets: assetsOf(deps.service.book) }),
  }),
]

function assetsOf(book: AddressBook): Record<string, Asset> {
  const assets: Record<string, Asset> = {}
  for (const network of networkNames) {
    const { chainId, tokens } = book.on(network)
    for (const token of tokens) {
      assets[token.symbol] ??= { name: token.name, decimals: token.decimals, networks: {} }
      assets[token.symbol]!.networks[network] = {
        chain_id: chainId,
        address: token.address,
        native: token.native,
      }
    }
  }
  return assets
}
