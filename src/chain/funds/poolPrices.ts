import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import type { NetworkBook } from '../../deployments/addressBook.js'
import { iQuoterV2Abi, iSwapRouter02Abi, iUniswapV3PoolAbi } from '../../generated/abis.js'
import type { Node } from '../rpc/node.js'
import { sendAs } from '../transactions/send.js'
import { allow } from './allow.js'
import type { Faucet } from './faucet.js'
import { sqrtPriceX96, type UniswapPool, uniswapPools } from './uniswapPools.js'

/**
 * Brings a pool to a price by a swap of just the right size: sells the token that is too expensive there, taken from the
 * faucet. Does nothing when the pool is at that price already. What is bought stays with the admin actor.
 */
export async function movePool(
  node: Node,
  book: NetworkBook,
  faucet: Faucet,
  pool: UniswapPool,
  target: bigint,
): Promise<void> {
  const current = await currentSqrtPrice(node, pool)
  if (target === current) return
  const [sold, bought] = target < current ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
  const pair = { tokenIn: sold.address, tokenOut: bought.address, fee: pool.fee }
  const amountIn = await amountToReach(node, book, pair, target)
  if (amountIn === 0n) return
  const from = actors.admin
  const { network } = book
  await faucet.fund({ address: from, asset: sold.symbol, amount: amountIn, network })
  await allow(node, {
    ...{ token: sold.address, owner: from, spender: book.uniswap.swapRouter, amount: amountIn },
  })
  const swap = encodeFunctionData({
    abi: iSwapRouter02Abi,
    functionName: 'exactInputSingle',
    args: [{ ...pair, recipient: from, amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96: target }],
  })
  await sendAs(node, { from, to: book.uniswap.swapRouter, data: swap })
}

/** Brings every pool of the network to the prices that `priceOf` gives for its tokens' symbols, in any one currency. */
export async function movePools(
  node: Node,
  book: NetworkBook,
  faucet: Faucet,
  priceOf: (symbol: string) => bigint,
): Promise<void> {
  for (const pool of uniswapPools(book)) {
    const target = sqrtPriceX96(pool, priceOf(pool.token0.symbol), priceOf(pool.token1.symbol))
    await movePool(node, book, faucet, pool, target)
  }
}

async function currentSqrtPrice(node: Node, pool: UniswapPool): Promise<bigint> {
  const call = { abi: iUniswapV3PoolAbi, functionName: 'slot0' } as const
  const data = await view(node, pool.address, encodeFunctionData(call))
  return decodeFunctionResult({ ...call, data })[0]
}

/** More than any pool holds: the price limit is what ends the quoted swap. */
const everything = 2n ** 127n

/** How much of the one token must be sold until the pool's price is the target. */
async function amountToReach(
  node: Node,
  book: NetworkBook,
  pair: { tokenIn: Address; tokenOut: Address; fee: number },
  sqrtPriceLimitX96: bigint,
): Promise<bigint> {
  const call = { abi: iQuoterV2Abi, functionName: 'quoteExactOutputSingle' } as const
  const args = [{ ...pair, amount: everything, sqrtPriceLimitX96 }] as const
  const data = await view(node, book.uniswap.quoter, encodeFunctionData({ ...call, args }))
  return decodeFunctionResult({ ...call, data })[0]
}

function view(node: Node, to: Address, data: Hex): Promise<Hex> {
  return node.rpc.request<Hex>('eth_call', [{ to, data }, 'latest'])
}
