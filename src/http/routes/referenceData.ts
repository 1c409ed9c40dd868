import { z } from 'zod'
import type { AddressBook } from '../../deployments/addressBook.js'
import { type NetworkName, networkNames, networks } from '../../deployments/networks.js'
import { defineRoute, type Route } from '../core/route.js'
import {
  aaveMarketSchema,
  assetSchema,
  cometMarketSchema,
  morphoMarketSchema,
  networkSchema,
  vaultMarketSchema,
} from '../openapi/schemas.js'

type CometMarket = z.infer<typeof cometMarketSchema>
type MorphoMarket = z.infer<typeof morphoMarketSchema>
type VaultMarket = z.infer<typeof vaultMarketSchema>
type AaveMarket = z.infer<typeof aaveMarketSchema>

/** 10^18: a JSON number carries it exactly, and whole percents of it too. */
const wad = 10 ** 18
const ray = 10 ** 27

export const marketRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'listMarkets',
    method: 'get',
    path: '/markets',
    tag: 'Reference data',
    summary: 'List the markets',
    description: 'The lending markets and vaults of all networks, each with a `protocol` tag.',
    access: 'prime',
    answer: {
      description: 'The markets.',
      schema: z.strictObject({
        markets: z.array(
          z
            .discriminatedUnion('protocol', [
              cometMarketSchema,
              morphoMarketSchema,
              vaultMarketSchema,
              aaveMarketSchema,
            ])
            .meta({ id: 'Market' }),
        ),
      }),
    },
    handler: ({ deps: { service } }) => ({
      markets: marketsOf(service.book),
    }),
  }),
]

type Network = ReturnType<AddressBook['on']>

function marketsOf(book: AddressBook) {
  const on = <Market>(ofNetwork: (network: Network, name: NetworkName) => Market[]): Market[] =>
    networkNames.flatMap((name) => ofNetwork(book.on(name), name))
  return [...on(cometsOf), ...on(morphosOf), ...on(vaultsOf), ...on(aavesOf)]
}

function cometsOf({ chainId, comets, cometRewards }: Network): CometMarket[] {
  return comets.map((comet) => ({
    protocol: 'comet' as const,
    chain_id: chainId,
    name: comet.name,
    symbol: comet.symbol,
    base_asset: comet.baseToken,
    factor_scale: wad,
    comet_address: comet.address,
    rewards_address: cometRewards,
    collateral_assets: comet.collaterals.map(({ asset, priceFeed }) => ({
      asset,
      price_feed: priceFeed,
    })),
  }))
}

function morphosOf({ chainId, morpho }: Network): MorphoMarket[] {
  return morpho.markets.map((market) => ({
    protocol: 'morpho_market' as const,
    chain_id: chainId,
    morpho: morpho.morpho,
    market_id: market.id,
    irm: market.irm,
    lltv: Number(market.lltv),
    oracle: market.oracle,
    loan_token: market.loanToken,
    collateral_token: market.collateralToken,
    wad,
  }))
}

function vaultsOf({ chainId, morpho }: Network): VaultMarket[] {
  return morpho.vaults.map(({ name, symbol, address, asset }) => ({
    protocol: 'morpho_vault' as const,
    chain_id: chainId,
    name,
    symbol,
    vault: address,
    asset,
    wad,
  }))
}

function aavesOf({ chainId, aave }: Network, name: NetworkName): AaveMarket[] {
  // A fork may lack the pool.
  if (aave.reserves.length === 0) return []
  const reserves = aave.reserves.map(({ symbol, decimals, asset }) => ({
    symbol,
    decimals,
    underlying_asset: asset,
  }))
  return [
    {
      protocol: 'aave_market' as const,
      chain_id: chainId,
      name: `Aave V3 on ${name}`,
      pool: aave.pool,
      ui_pool_data_provider: aave.uiPoolDataProvider,
      market_base_currency: 'USD',
      ray_scale: ray,
      bps_scale: 10_000,
      reserves,
    },
  ]
}

const body = {
  networks: networks.map((network) => ({
    name: network.name,
    chain_id: network.chainId,
    display_name: network.displayName,
  })),
}

export const networkRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'listNetworks',
    method: 'get',
    path: '/networks',
    tag: 'Reference data',
    summary: 'List the networks',
    description: 'The supported networks. Requests refer to a network by its `name`.',
    access: 'prime',
    source: 'interface',
    answer: {
      description: 'The networks.',
      schema: z.strictObject({ networks: z.array(networkSchema) }),
    },
    handler: () => body,
  }),
]

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
