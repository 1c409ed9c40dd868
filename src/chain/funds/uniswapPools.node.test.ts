import { type Address, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { stranger, useWorld, type WorldSide } from '../../../test/kit/world.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { networkNames } from '../../deployments/networks.js'
import { startPrice, worth } from '../genesis/prices.js'
import { moveAllPools, movePools } from './poolPrices.js'
import { poolAddress, sqrtPriceX96, type UniswapPool, uniswapPools } from './uniswapPools.js'

/** Written down here once more, from the makers' documentation, so that the world is read as an outsider reads it. */
const factoryAbi = parseAbi([
  'function getPool(address, address, uint24) view returns (address)',
  'function feeAmountTickSpacing(uint24) view returns (int24)',
])
const peripheryAbi = parseAbi([
  'function factory() view returns (address)',
  'function WETH9() view returns (address)',
])
const poolAbi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)',
  'function token0() view returns (address)',
  'function fee() view returns (uint24)',
])
const routerAbi = parseAbi([
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96)) returns (uint256)',
  'function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96)) returns (uint256)',
])
const quoterAbi = parseAbi([
  'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96)) returns (uint256 amountOut, uint160, uint32, uint256)',
  'function quoteExactOutputSingle((address tokenIn, address tokenOut, uint256 amount, uint24 fee, uint160 sqrtPriceLimitX96)) returns (uint256 amountIn, uint160, uint32, uint256)',
])

const world = useWorld()
const book = loadAddressBook()

/** As the networks' explorers show them. */
const knownPools: [(typeof networkNames)[number], string, string, number, Address][] = [
  ['base', 'WETH', 'USDC', 500, '0xd0b53d9277642d899df5c87a3966a349a798f224'],
  ['base', 'USDC', 'WETH', 3000, '0x6c561b446416e1a00e8e93e221854d6ea4171372'],
  ['mainnet', 'USDC', 'WETH', 500, '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640'],
  ['mainnet', 'USDC', 'WETH', 3000, '0x8ad599c3a0ff1de082011efddc58f1908eb6e6d8'],
]

test.each(knownPools)(
  'default: on %s the pool %s/%s at %s is the real one',
  (network, a, b, fee, expected) => {
    const [one, other] = [book.token(network, a)!, book.token(network, b)!]
    const { factory } = book.on(network).uniswap
    expect(poolAddress(factory, one.address, other.address, fee)).toBe(expected)
    expect(uniswapPools(book.on(network)).map((pool) => pool.address)).toContain(expected)
  },
)

test('behavior: every Morpho market’s pair has pools at all three common fees', () => {
  for (const network of networkNames) {
    const pools = uniswapPools(book.on(network))
    expect(new Set(pools.map((pool) => pool.address)).size).toBe(pools.length)
    const feesOf = (a: string, b: string) =>
      pools
        .filter(({ token0, token1 }) =>
          [a, b].every((s) => [token0.symbol, token1.symbol].includes(s)),
        )
        .map((pool) => pool.fee)
    for (const { loanSymbol, collateralSymbol } of book.on(network).morpho.markets)
      expect(feesOf(loanSymbol, collateralSymbol)).toEqual([500, 3000, 10_000])
  }
})

describe.each(networkNames)('%s', (network) => {
  test('behavior: the makers’ contracts stand at their addresses and know each other', async () => {
    const { client, book } = world.on(network)
    const { factory, positionManager, swapRouter, quoter } = book.uniswap
    const wrapped = book.tokens.find((token) => token.symbol === book.wrappedNativeSymbol)!
    for (const address of [positionManager, swapRouter, quoter]) {
      const read = { address, abi: peripheryAbi } as const
      expect((await client.readContract({ ...read, functionName: 'factory' })).toLowerCase()).toBe(
        factory,
      )
      expect((await client.readContract({ ...read, functionName: 'WETH9' })).toLowerCase()).toBe(
        wrapped.address,
      )
    }
    const spacings = [100, 500, 3000, 10_000].map((fee) =>
      client.readContract({
        address: factory,
        abi: factoryAbi,
        functionName: 'feeAmountTickSpacing',
        args: [fee],
      }),
    )
    expect(await Promise.all(spacings)).toEqual([1, 10, 60, 200])
  })

  test('behavior: every pool stands where the factory says, at the price of the table', async () => {
    const side = world.on(network)
    for (const pool of uniswapPools(side.book)) {
      const args = [pool.token1.address, pool.token0.address, pool.fee] as const
      const { factory } = side.book.uniswap
      const found = await side.client.readContract({
        address: factory,
        abi: factoryAbi,
        functionName: 'getPool',
        args,
      })
      expect(found.toLowerCase()).toBe(pool.address)
      const [fee, token0] = await Promise.all([
        side.client.readContract({ address: pool.address, abi: poolAbi, functionName: 'fee' }),
        side.client.readContract({ address: pool.address, abi: poolAbi, functionName: 'token0' }),
      ])
      expect([fee, token0.toLowerCase()]).toEqual([pool.fee, pool.token0.address])
      expect(await rootPrice(side, pool)).toBe(target(pool))
    }
  })

  test('behavior: a million dollars swap for a million less fee and a fifth of a percent, both ways', async () => {
    const side = world.on(network)
    for (const pool of uniswapPools(side.book))
      for (const [sell, buy] of [
        [pool.token0, pool.token1],
        [pool.token1, pool.token0],
      ] as const) {
        const bought = await quoteIn(side, pool, sell.address, buy.address, worth(1_000_000n, sell))
        const afterFee = (worth(1_000_000n, buy) * BigInt(1_000_000 - pool.fee)) / 1_000_000n
        expect(bought).toBeLessThan(afterFee)
        expect(bought).toBeGreaterThan((afterFee * 998n) / 1000n)
      }
  })

  test('behavior: a swap through the router pays to the last digit what the quoter said', async () => {
    const side = world.on(network)
    const { swapRouter } = side.book.uniswap
    for (const pool of uniswapPools(side.book)) {
      const me = stranger(`swap/${pool.address}`)
      const { token0, token1, fee } = pool
      const amountIn = worth(50_000n, token0)
      const quoted = await quoteIn(side, pool, token0.address, token1.address, amountIn)
      await side.give(me, token0.symbol, amountIn, swapRouter)
      const pair = { tokenIn: token0.address, tokenOut: token1.address, fee, recipient: me }
      const rest = { amountIn, amountOutMinimum: quoted, sqrtPriceLimitX96: 0n }
      await side.send(me, swapRouter, routerAbi, 'exactInputSingle', [{ ...pair, ...rest }])
      expect(await side.balance(token0.address, me)).toBe(0n)
      expect(await side.balance(token1.address, me)).toBe(quoted)
    }
  })

  test('behavior: an exact output costs what the quoter said', async () => {
    const side = world.on(network)
    const { quoter, swapRouter } = side.book.uniswap
    const me = stranger('exact')
    const [weth, usdc] = [token(side, 'WETH'), token(side, 'USDC')]
    const pair = { tokenIn: usdc.address, tokenOut: weth.address, fee: 500 }
    const amountOut = 10n ** 18n
    const { result } = await side.client.simulateContract({
      address: quoter,
      abi: quoterAbi,
      functionName: 'quoteExactOutputSingle',
      args: [{ ...pair, amount: amountOut, sqrtPriceLimitX96: 0n }],
    })
    await side.give(me, 'USDC', result[0], swapRouter)
    await side.send(me, swapRouter, routerAbi, 'exactOutputSingle', [
      { ...pair, recipient: me, amountOut, amountInMaximum: result[0], sqrtPriceLimitX96: 0n },
    ])
    expect([await side.balance(usdc.address, me), await side.balance(weth.address, me)]).toEqual([
      0n,
      amountOut,
    ])
  })

  test('error: a swap that would bring less than asked for', async () => {
    const side = world.on(network)
    const { swapRouter } = side.book.uniswap
    const me = stranger('greedy')
    const [weth, usdc] = [token(side, 'WETH'), token(side, 'USDC')]
    await side.give(me, 'WETH', 10n ** 18n, swapRouter)
    const swap = side.send(me, swapRouter, routerAbi, 'exactInputSingle', [
      {
        tokenIn: weth.address,
        tokenOut: usdc.address,
        fee: 3000,
        recipient: me,
        amountIn: 10n ** 18n,
        amountOutMinimum: worth(3000n, usdc),
        sqrtPriceLimitX96: 0n,
      },
    ])
    // "Too little received"
    await expect(swap).rejects.toThrow(/546f6f206c6974746c65207265636569766564/)
  })

  test('behavior: the pools follow a price table to the last digit, and stay when they are there', async () => {
    const side = world.on(network)
    const { node, book } = side
    const faucet = side.faucet
    for (const ethPrice of [1500n, 30_000n, 2999n]) {
      const priceOf = (symbol: string) =>
        symbol === 'WETH' ? ethPrice * 10n ** 8n : startPrice(symbol)
      await moveAllPools(node, book, faucet, priceOf)
      for (const pool of uniswapPools(book))
        expect(await rootPrice(side, pool)).toBe(target(pool, priceOf))
    }
    const block = await node.rpc.request('eth_blockNumber')
    await moveAllPools(node, book, faucet, (symbol) =>
      symbol === 'WETH' ? 2999n * 10n ** 8n : startPrice(symbol),
    )
    expect(await node.rpc.request('eth_blockNumber')).toBe(block)
  })

  test('behavior: one pool moves alone', async () => {
    const side = world.on(network)
    const [moved, other] = uniswapPools(side.book)
    const goal = target(moved!) * 2n
    await movePools(side.node, side.book, side.faucet, [{ pool: moved!, target: goal }])
    expect(await rootPrice(side, moved!)).toBe(goal)
    expect(await rootPrice(side, other!)).toBe(target(other!))
  })
})

test('behavior: the root price is exact for squares and rounded down else', () => {
  const pool = (decimals0: number, decimals1: number) => {
    const token = (decimals: number) => ({ ...book.token('base', 'USDC')!, decimals })
    return { token0: token(decimals0), token1: token(decimals1) } as UniswapPool
  }
  expect(sqrtPriceX96(pool(6, 6), 4n, 1n)).toBe(2n << 96n)
  expect(sqrtPriceX96(pool(18, 6), 1n, 1n)).toBe((1n << 96n) / 10n ** 6n)
  const two = sqrtPriceX96(pool(6, 6), 2n, 1n)
  expect(two * two <= 2n << 192n && (two + 1n) ** 2n > 2n << 192n).toBe(true)
})

const token = (side: WorldSide, symbol: string) => book.token(side.network, symbol)!

function target(pool: UniswapPool, priceOf = startPrice): bigint {
  return sqrtPriceX96(pool, priceOf(pool.token0.symbol), priceOf(pool.token1.symbol))
}

async function rootPrice(side: WorldSide, pool: UniswapPool): Promise<bigint> {
  const read = { address: pool.address, abi: poolAbi, functionName: 'slot0' } as const
  return (await side.client.readContract(read))[0]
}

async function quoteIn(
  side: WorldSide,
  { fee }: UniswapPool,
  tokenIn: Address,
  tokenOut: Address,
  amountIn: bigint,
): Promise<bigint> {
  const { result } = await side.client.simulateContract({
    address: side.book.uniswap.quoter,
    abi: quoterAbi,
    functionName: 'quoteExactInputSingle',
    args: [{ tokenIn, tokenOut, amountIn, fee, sqrtPriceLimitX96: 0n }],
  })
  return result[0]
}
