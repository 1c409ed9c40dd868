import type { Address, Hex } from 'viem'
import { encodeAbiParameters, getCreate2Address, keccak256, parseAbiParameters } from 'viem/utils'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { Token } from '../../deployments/networks.js'

/** A Uniswap V3 pool of the offline world. `token0` has the lower address. */
export interface UniswapPool {
  address: Address
  token0: Token
  token1: Token
  /** In hundredths of a basis point: 500 is 0.05 %. */
  fee: number
}

/** The fees at which every pair has a pool: the common values of interface.md. */
const fees = [500, 3000, 10_000] as const

/** keccak256 of the pools' creation code, a constant of Uniswap's contracts. */
const poolCodeHash: Hex = '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'

/** The address of a pool, even of one that does not exist; lower case. Ignores the order of the tokens. */
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

/** The pools of the offline world: one per fee for the two tokens of each Morpho Blue market, in which positions are looped. */
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
    fees.map((fee) => {
      const address = poolAddress(book.uniswap.factory, token0.address, token1.address, fee)
      return { address, token0, token1, fee }
    }),
  )
}

/**
 * The pool's price as it stores it: square root of token1 per token0 in smallest units, times 2^96, rounded down.
 *
 * @param price0 Price of a whole token, in the same currency as `price1`.
 */
export function sqrtPriceX96(pool: UniswapPool, price0: bigint, price1: bigint): bigint {
  const value = price0 * 10n ** BigInt(pool.token1.decimals)
  const unit = price1 * 10n ** BigInt(pool.token0.decimals)
  return squareRoot((value << 192n) / unit)
}

/** Rounded down; Newton's method. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
