import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpWorld, keys, startHttpWorld } from '../../../test/kit/httpWorld.js'
import { networkNames } from '../../deployments/networks.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

test('behavior: /networks', async () => {
  expect((await world.client.get('/networks')).body).toMatchInlineSnapshot(`
    {
      "networks": [
        {
          "chain_id": 1,
          "display_name": "Ethereum",
          "name": "mainnet",
        },
        {
          "chain_id": 8453,
          "display_name": "Base",
          "name": "base",
        },
        {
          "chain_id": 42161,
          "display_name": "Arbitrum One",
          "name": "arbitrum",
        },
        {
          "chain_id": 10,
          "display_name": "OP Mainnet",
          "name": "optimism",
        },
        {
          "chain_id": 137,
          "display_name": "Polygon",
          "name": "polygon",
        },
      ],
    }
  `)
})

test('behavior: /prime_account is the holder of the key', async () => {
  const first = await world.client.get('/prime_account')
  expect(first.body).toEqual({
    id: keys.first.primeId,
    name: 'Test Co',
    email: 'dev@example.test',
    created_at: '2026-01-01T00:00:00Z',
  })
  const second = await world.client.get('/prime_account', { apiKey: keys.second.key })
  expect(second.body.id).toBe(keys.second.primeId)
})

test('behavior: /assets agrees with the address book', async () => {
  const { assets } = (await world.client.get('/assets')).body
  expect(Object.keys(assets).sort()).toEqual([...world.deps.service.book.symbols()].sort())
  for (const network of networkNames) {
    const { chainId, tokens } = world.deps.service.book.on(network)
    for (const token of tokens) {
      expect(assets[token.symbol].decimals).toBe(token.decimals)
      expect(assets[token.symbol].networks[network]).toEqual({
        chain_id: chainId,
        address: token.address,
        native: token.native,
      })
    }
  }
  expect(assets.USDC).toMatchObject({ name: 'USD Coin', decimals: 6 })
  expect(assets.ETH.networks.polygon).toBeUndefined()
})

test('behavior: /markets lists every Comet of the address book', async () => {
  const { markets } = (await world.client.get('/markets')).body
  const expected = networkNames.flatMap((network) =>
    world.deps.service.book.on(network).comets.map((comet) => comet.address),
  )
  expect(expected.length).toBeGreaterThan(5)
  const comets = markets.filter((m: { protocol: string }) => m.protocol === 'comet')
  expect(comets.map((m: { comet_address: string }) => m.comet_address)).toEqual(expected)
  const base = comets.find((m: { comet_address: string }) =>
    m.comet_address.startsWith('0xb125e6687d43'),
  )
  expect(base).toMatchObject({
    protocol: 'comet',
    chain_id: 8453,
    base_asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    factor_scale: 1e18,
  })
})

test('behavior: /markets lists every Morpho Blue market of the address book', async () => {
  const { markets } = (await world.client.get('/markets')).body
  const listed = markets.filter((m: { protocol: string }) => m.protocol === 'morpho_market')
  const expected = networkNames.flatMap(
    (network) => world.deps.service.book.on(network).morpho.markets,
  )
  expect(listed.map((m: { market_id: string }) => m.market_id)).toEqual(
    expected.map(({ id }) => id),
  )
  expect(listed.map((m: { lltv: number }) => BigInt(m.lltv))).toEqual(
    expected.map(({ lltv }) => lltv),
  )
  expect(listed.find((m: { chain_id: number }) => m.chain_id === 8453)).toMatchObject({
    market_id: '0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda',
    loan_token: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    collateral_token: '0x4200000000000000000000000000000000000006',
    lltv: 86e16,
    wad: 1e18,
  })
})

test('behavior: /markets lists every vault and every Aave pool with its reserves', async () => {
  const { markets } = (await world.client.get('/markets')).body
  const of = (protocol: string) =>
    markets.filter((market: { protocol: string }) => market.protocol === protocol)
  const books = networkNames.map((network) => world.deps.service.book.on(network))
  expect(of('morpho_vault').map(({ vault }: { vault: string }) => vault)).toEqual(
    books.flatMap(({ morpho }) => morpho.vaults.map(({ address }) => address)),
  )
  expect(of('aave_market').map(({ pool }: { pool: string }) => pool)).toEqual(
    books.map(({ aave }) => aave.pool),
  )
  const onBase = of('aave_market').find((market: { chain_id: number }) => market.chain_id === 8453)
  expect(onBase).toMatchObject({ ray_scale: 1e27, bps_scale: 10_000 })
  expect(onBase.reserves).toContainEqual({
    symbol: 'USDC',
    decimals: 6,
    underlying_asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  })
})

test('behavior: the scale of Comet goes out as a plain integer, that of a ray with an exponent', async () => {
  const response = await fetch(`${world.client.url}/markets`, {
    headers: { authorization: `Bearer ${keys.first.key}` },
  })
  const text = await response.text()
  expect(text).toContain('"factor_scale":1000000000000000000,')
  expect(text).toContain('"ray_scale":1e+27,')
})
