import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { Token } from '../../deployments/networks.js'
import { iQuoterV2Abi, iSwapRouter02Abi, iUniswapV3PoolAbi } from '../../generated/abis.js'
import type { Node, Receipt } from '../rpc/node.js'
import { sendAs } from '../transactions/send.js'
import { allow } from './allow.js'
import type { Faucet } from './faucet.js'
import { sqrtPriceX96, type UniswapPool, uniswapPools } from './uniswapPools.js'

/** The swap that brings a pool to a price: sells the token that is too expensive. */
interface PoolMove {
  pair: { tokenIn: Address; tokenOut: Address; fee: number }
  sold: Token
  amountIn: bigint
  /** The price at which the swap ends. */
  sqrtPriceLimitX96: bigint
}

/**
 * Brings pools of one network to prices, each by a swap. The faucet funds the sold tokens; the admin actor keeps the bought ones. The swaps
 * are sent together, so that they can share a block.
 *
 * @throws the error of the first failed swap, when all have ended.
 */
export async function movePools(
  node: Node,
  book: NetworkBook,
  faucet: Faucet,
  targets: readonly { pool: UniswapPool; target: bigint }[],
): Promise<void> {
  const needed = await Promise.all(targets.map((each) => moveOf(node, book, each)))
  const moves = needed.filter((move) => move !== undefined)
  const owner = actors.admin
  for (const sold of new Set(moves.map((move) => move.sold))) {
    const amount = moves.reduce((sum, move) => (move.sold === sold ? sum + move.amountIn : sum), 0n)
    await faucet.fund({ address: owner, asset: sold.symbol, amount, network: book.network })
    await allow(node, { token: sold.address, owner, spender: book.uniswap.swapRouter, amount })
  }
  const swaps = await Promise.allSettled(moves.map((move) => swap(node, book, move)))
  for (const outcome of swaps) if (outcome.status === 'rejected') throw outcome.reason
}

/** Brings every pool of the network to the prices that `priceOf` gives for its tokens' symbols, in any one currency. */
export function moveAllPools(
  node: Node,
  book: NetworkBook,
  faucet: Faucet,
  priceOf: (symbol: string) => bigint,
): Promise<void> {
  const targets = uniswapPools(book).map((pool) => ({
    pool,
    target: sqrtPriceX96(pool, priceOf(pool.token0.symbol), priceOf(pool.token1.symbol)),
  }))
  return movePools(node, book, faucet, targets)
}

/** Undefined when the pool is at that price. */
async function moveOf(
  node: Node,
  book: NetworkBook,
  { pool, target }: { pool: UniswapPool; target: bigint },
): Promise<PoolMove | undefined> {
  const current = await currentSqrtPrice(node, pool)
  if (target === current) return undefined
  const [sold, bought] = target < current ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
  const pair = { tokenIn: sold.address, tokenOut: bought.address, fee: pool.fee }
  const amountIn = await amountToReach(node, book, pair, target)
  return amountIn === 0n ? undefined : { pair, sold, amountIn, sqrtPriceLimitX96: target }
}

function swap(
  node: Node,
  book: NetworkBook,
  { pair, amountIn, sqrtPriceLimitX96 }: PoolMove,
): Promise<Receipt> {
  const recipient = actors.admin
  const params = { ...pair, recipient, amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96 }
  const data = encodeFunctionData({
    abi: iSwapRouter02Abi,
    functionName: 'exactInputSingle',
    args: [params],
  })
  return sendAs(node, { from: recipient, to: book.uniswap.swapRouter, data })
}

async function currentSqrtPrice(node: Node, pool: UniswapPool): Promise<bigint> {
  const call = { abi: iUniswapV3PoolAbi, functionName: 'slot0' } as const
  const data = await view(node, pool.address, encodeFunctionData(call))
  return decodeFunctionResult({ ...call, data })[0]
}

/** More than any pool has, so that the price limit ends the quoted swap. */
const everything = 2n ** 127n

/** How much must be sold to reach the target price. */
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
