import { type Address, zeroAddress } from 'viem'

import { actors } from '../../../deployments/actors.js'
import { type NetworkBook, ownAddress } from '../../../deployments/addressBook.js'
import type { Token } from '../../../deployments/networks.js'
import type { Faucet } from '../../funds/faucet.js'
import { sqrtPriceX96, type UniswapPool, uniswapPools } from '../../funds/uniswapPools.js'
import type { Node } from '../../rpc/node.js'
import { act, artifact, ask, type CallTarget, fundFor, place } from '../contracts.js'
import { startPrice, worth } from '../prices.js'

/** US dollars of each token in each pool, over all prices: selling for a million US dollars moves the price by 0.2 %. */
const poolUsd = 1_000_000_000n
/** Uniswap's limit of ticks. */
const maxTick = 887_272

/**
 * Builds Uniswap V3 with its original code: factory, position manager, router, quoter, and the pools of `uniswapPools` with liquidity at the
 * starting prices. There is no Uniswap V2, so the router's functions for it fail.
 */
export async function buildUniswap(node: Node, book: NetworkBook, faucet: Faucet): Promise<void> {
  const { factory, positionManager, swapRouter, quoter } = book.uniswap
  const wrapped = book.tokens.find((token) => token.symbol === book.wrappedNativeSymbol)!.address
  await place(node, factory, artifact('vendor/UniswapV3Factory'))
  const factoryTarget = { address: factory, abi: artifact('vendor/UniswapV3Factory').abi }
  await act(node, actors.admin, factoryTarget, 'enableFeeAmount', [100, 1])
  const manager = artifact('vendor/NonfungiblePositionManager')
  await place(node, positionManager, manager, [factory, wrapped, zeroAddress])
  const router = artifact('vendor/SwapRouter02')
  await place(node, swapRouter, router, [zeroAddress, factory, positionManager, wrapped])
  await place(node, quoter, artifact('vendor/QuoterV2'), [factory, wrapped])

  const seeder = { address: ownAddress('uniswap/seeder'), abi: artifact('PoolSeeder').abi }
  await place(node, seeder.address, artifact('PoolSeeder'))
  const pools = uniswapPools(book)
  for (const token of new Set(pools.flatMap((pool) => [pool.token0, pool.token1]))) {
    const count = pools.filter((pool) => [pool.token0, pool.token1].includes(token)).length
    await fundLender(node, faucet, token, seeder.address, count)
  }
  for (const pool of pools) await createPool(node, factoryTarget, seeder, pool)
  await node.rpc.request('anvil_setCode', [seeder.address, '0x'])
}

/** Funds 0.1 % more than the pools need, because they round up. */
async function fundLender(
  node: Node,
  faucet: Faucet,
  token: Token,
  spender: Address,
  poolCount: number,
): Promise<void> {
  const amount = (worth(poolUsd, token) * BigInt(poolCount) * 1001n) / 1000n
  const gift = { symbol: token.symbol, token: token.address, amount }
  await fundFor(spender, node, faucet, { owner: actors.lender, ...gift })
}

/** At root price S (a fraction of 2^96), full-range liquidity L has L * S of token1, and the same value of token0. */
async function createPool(
  node: Node,
  factory: CallTarget,
  seeder: CallTarget,
  pool: UniswapPool,
): Promise<void> {
  const { address, token0, token1, fee } = pool
  const { abi } = artifact('vendor/UniswapV3Pool')
  await act(node, actors.admin, factory, 'createPool', [token0.address, token1.address, fee])
  const price = sqrtPriceX96(pool, startPrice(token0.symbol), startPrice(token1.symbol))
  await act(node, actors.admin, { address, abi }, 'initialize', [price])
  const spacing = await ask<number>(node, { address, abi }, 'tickSpacing')
  const last = Math.floor(maxTick / spacing) * spacing
  const liquidity = (worth(poolUsd, token1) << 96n) / price
  await act(node, actors.lender, seeder, 'seed', [address, -last, last, liquidity])
}
