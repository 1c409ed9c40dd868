import { type Address, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqrtPriceX96, uniswapPools } from '../../src/chain/funds/uniswapPools.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { networkNames } from '../../src/deployments/networks.js'
import { readsOf } from '../kit/chainReads.js'
import { createClient } from '../kit/client.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

const book = loadAddressBook()
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator()
})
afterAll(() => sim.close())

const feedAbi = parseAbi(['function latestAnswer() view returns (int256)'])
const oracleAbi = parseAbi(['function price() view returns (uint256)'])
const poolAbi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24, uint16, uint16, uint16, uint8, bool)',
])
const usd = 10n ** 8n

const control = () => createClient({ url: sim.url, apiKey: sim.apiKey })
const put = (asset: string, price: unknown) =>
  control().put(`/_sim/prices/${asset}`, { usd: price })

/** What an outsider reads on every network: the feed of WETH, the oracle of a WETH/USDC market, the pools of that pair. */
async function seen() {
  const reads = readsOf(sim)
  return Promise.all(
    networkNames.map(async (network) => {
      const client = reads.client(network)
      const networkBook = book.on(network)
      const market = networkBook.morpho.markets.find(
        (m) => m.collateralSymbol === 'WETH' && m.loanSymbol === 'USDC',
      )!
      const pools = uniswapPools(networkBook).filter((pool) =>
        ['WETH', 'USDC'].every((s) => [pool.token0.symbol, pool.token1.symbol].includes(s)),
      )
      const feed = book.token(network, 'WETH')!.feed as Address
      return {
        feed: await client.readContract({
          address: feed,
          abi: feedAbi,
          functionName: 'latestAnswer',
        }),
        oracle: await client.readContract({
          address: market.oracle,
          abi: oracleAbi,
          functionName: 'price',
        }),
        poolsAreAt: async (price: bigint) => {
          for (const pool of pools) {
            const of = (symbol: string): bigint => (symbol === 'WETH' ? price : usd)
            const [at] = await client.readContract({
              address: pool.address,
              abi: poolAbi,
              functionName: 'slot0',
            })
            expect(at).toBe(sqrtPriceX96(pool, of(pool.token0.symbol), of(pool.token1.symbol)))
          }
          return pools.length
        },
      }
    }),
  )
}

test('default: one price moves feeds, oracles, pools and quotes of all networks together', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 10_000_000n)
  const swap = {
    sell_asset: 'USDC',
    buy_asset: 'WETH',
    sell_amount: '5000000',
    network: 'arbitrum',
  }
  const bought = async (): Promise<bigint> => {
    const { details } = (await user.plan('swap', swap)).body as PlanBody
    return BigInt(details.svc_operation_actions[0]!.action.action_context.output_amount as string)
  }
  const before = await bought()
  expect(await put('eth', '1500')).toMatchObject({
    status: 200,
    body: { asset: 'ETH', usd: '1500', moved: ['ETH', 'WETH'] },
  })
  for (const network of await seen()) {
    expect(network.feed).toBe(1500n * usd)
    // Morpho's scale: 36 + 6 - 18 decimals.
    expect(network.oracle).toBe(1500n * 10n ** 24n)
    expect(await network.poolsAreAt(1500n * usd)).toBe(3)
  }
  const { prices } = (await control().get('/_sim/prices')).body as {
    prices: Record<string, string>
  }
  expect(prices).toMatchObject({ ETH: '1500', WETH: '1500', USDC: '1', wstETH: '3600' })
  // Half the price buys twice as much, but for the rounding of two quotes.
  const after = await bought()
  expect(after - 2n * before).toBeLessThanOrEqual(2n)
  expect(after - 2n * before).toBeGreaterThanOrEqual(-2n)
})

test.each(['0.01', '950000.12345678'])(
  'behavior: far moves arrive exactly, and back again: %s',
  async (price) => {
    expect((await put('WETH', price)).status).toBe(200)
    const [whole, fraction = ''] = price.split('.')
    const e8 = BigInt(whole + fraction.padEnd(8, '0'))
    for (const network of await seen()) {
      expect(network.feed).toBe(e8)
      expect(await network.poolsAreAt(e8)).toBe(3)
    }
    expect((await put('WETH', 3000)).body).toMatchObject({ asset: 'WETH', usd: '3000' })
    for (const network of await seen()) expect(await network.poolsAreAt(3000n * usd)).toBe(3)
  },
)

test('behavior: a JSON number counts in its shortest decimal form; changes at once end at the last', async () => {
  await Promise.all([put('USDC', 0.9), put('USDC', 0.95), put('USDC', 0.9998)])
  const { body } = await control().get('/_sim/prices')
  expect((body as { prices: Record<string, string> }).prices.USDC).toBe('0.9998')
  await put('USDC', '1')
})

const tooLarge = '1000000000.00000001'
const odd = ['', '-1', '1e3', '0x10', '1.123456789', ' 1', null, true, {}, '01', 'NaN', -5, 1e21]

test.each([...odd, '0', 0, '0.000000001', 1e-9, 1.123456789, tooLarge, 2e9, '9'.repeat(24)])(
  'error: usd %j is refused with the range, and nothing moves',
  async (price) => {
    const before = (await control().get('/_sim/prices')).body
    const allowed =
      'usd must be a price in USD per whole token, from 0.00000001 to 1000000000, as a decimal such as "2500" or "0.9998" with at most 8 places and without an exponent, received '
    const message = expect.stringContaining(`${allowed}${JSON.stringify(price)}`)
    expect(await put('ETH', price)).toMatchObject({
      status: 400,
      body: { error: 'invalid_params', message },
    })
    expect((await control().get('/_sim/prices')).body).toEqual(before)
  },
)

test.each([
  [1e-8, '0.00000001'],
  [1.5e-7, '0.00000015'],
  [2500.5, '2500.5'],
  [1e9, '1000000000'],
  ['0.00000001', '0.00000001'],
])('behavior: %j USD is within the range, however it is written', async (price, usd) => {
  expect(await put('MORPHO', price)).toMatchObject({ status: 200, body: { usd } })
  await put('MORPHO', '2')
})

test('error: an asset without a price is told which have one', async () => {
  const { status, body } = await put('DOGE', '1')
  expect(status).toBe(400)
  const text = 'asset "DOGE" has no price; allowed: '
  expect((body as { message: string }).message).toContain(text)
})

test('behavior: the swaps of a network’s pools are sent together, and share a block', async () => {
  await put('ETH', '3100')
  const { transactions } = await readsOf(sim).request<{ transactions: string[] }>(
    'base',
    'eth_getBlockByNumber',
    ['latest', false],
  )
  expect(transactions.length).toBeGreaterThan(1)
  await put('ETH', '3000')
})
