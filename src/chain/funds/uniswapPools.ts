import type { Address, Hex } from 'viem'
import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  keccak256,
  parseAbiParameters,
} from 'viem/utils'
import { iQuoterV2Abi, iSwapRouter02Abi, iUniswapV3PoolAbi } from '../../generated/abis.js'
import { actors } from '../deployments/actors.js'
import type { NetworkBook, Token } from '../deployments/addressBook.js'
import type { Node } from '../node/node.js'
import { sendAs } from '../node/send.js'
import type { Faucet } from './faucet.js'

/** The Uniswap V3 pools of a network, and how their prices follow the price hub: nothing moves a pool but a swap. */

/** A pool of the offline world; `token0` is the one with the lower address. */
export interface UniswapPool {
  address: Address
  token0: Token
  token1: Token
  /** In hundredths of a basis point: 500 is 0.05 %. */
  fee: number
}

/** The fees at which pairs have pools: the great pairs at all three, the others at the two lower ones. */
const greatFees = [500, 3000, 10_000] as const
const fees = [500, 3000] as const
/** Of these tokens any two make a great pair. */
const greatTokens = ['WETH', 'USDC', 'WBTC', 'cbBTC']

/** keccak256 of the pools' creation code, as all of Uniswap's own contracts have it built in. */
const poolCodeHash: Hex = '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'

/** The address at which the factory makes the pool, whether or not it has; lower case. Ignores the order of the tokens. */
export function poolAddress(factory: Address, a: Address, b: Address, fee: number): Address {
  const [token0, token1] = BigInt(a) < BigInt(b) ? [a, b] : [b, a]
  const types = parseAbiParameters('address, address, uint24')
  const salt = keccak256(encodeAbiParameters(types, [token0, token1, fee]))
  return getCreate2Address({
    from: factory,
    salt,
    bytecodeHash: poolCodeHash,
  }).toLowerCase() as Address
}

/**
 * The pools of the offline world: one per fee for every pair of tokens of which some Morpho Blue market lends one against the
 * other, since those are the pairs in which positions are looped.
 */
export function uniswapPools(book: NetworkBook): UniswapPool[] {
  const pairs = new Map<string, [Token, Token]>()
  for (const { loanToken, collateralToken } of book.morpho.markets) {
    const [a, b] = [loanToken, collateralToken].map(
      (address) => book.tokens.find((token) => token.address === address)!,
    )
    const pair: [Token, Token] = BigInt(a!.address) < BigInt(b!.address) ? [a!, b!] : [b!, a!]
    pairs.set(pair.map((token) => token.address).join(), pair)
  }
  return [...pairs.values()].flatMap(([token0, token1]) =>
    feesOf(token0, token1).map((fee) => {
      const address = poolAddress(book.uniswap.factory, token0.address, token1.address, fee)
      return { address, token0, token1, fee }
    }),
  )
}

function feesOf(...pair: Token[]): readonly number[] {
  return pair.every((token) => greatTokens.includes(token.symbol)) ? greatFees : fees
}

/**
 * The pool's price as it keeps it: square root of token1 per token0 in smallest units, times 2^96, rounded down.
 * `price0` and `price1` are what a whole token costs, in any one currency.
 */
export function sqrtPriceX96(pool: UniswapPool, price0: bigint, price1: bigint): bigint {
  const value = price0 * 10n ** BigInt(pool.token1.decimals)
  const unit = price1 * 10n ** BigInt(pool.token0.decimals)
  return squareRoot((value << 192n) / unit)
}

/**
 * Brings a pool to a price by a swap of just the right size: sells the token that has become too dear there, taken from the
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
  const approve = encodeFunctionData({
    abi: approveAbi,
    functionName: 'approve',
    args: [book.uniswap.swapRouter, amountIn],
  })
  await sendAs(node, { from, to: sold.address, data: approve })
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

const approveAbi = [
  {
    type: 'function',
    name: 'approve',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'spender', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    outputs: [{ type: 'bool' }],
  },
] as const

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

/** The largest integer whose square is not above `value`; Newton's method from above. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
