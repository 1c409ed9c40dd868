import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { expect } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { SimulatorHandle } from '../../src/index.js'
import { readsOf } from './chainReads.js'
import { positionsOn } from './positions.js'
import { openUser } from './user.js'

/** Positions in WETH against USDC on base: bodies to open and close one, and the pool that they trade on. */

const ether = 10n ** 18n
const base = loadAddressBook().on('base')

/** The Morpho market of WETH against USDC on base. */
export const loopMarket = base.morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!
const { collateralToken: weth, loanToken: usdc } = loopMarket
const position = {
  exposure_asset: 'WETH',
  backing_asset: 'USDC',
  market_id: loopMarket.id,
  network: 'base',
  pool_fee: 500,
}
/** Body of `loop-long`: one WETH, at 3000 dollars in the new world, half of it paid. */
export const loop = {
  ...position,
  is_increase: true,
  exposure_amount: ether.toString(),
  max_swap_backing_amount: '3100000000',
  max_provided_backing_amount: '1500000000',
}
/** Body of `unloop-long`: all of it. */
export const unloop = {
  ...position,
  exposure_amount: 'max',
  backing_amount_to_exit: '0',
  min_swap_backing_amount: '2900000000',
}
const quoterAbi = parseAbi([
  'function quoteExactOutputSingle((address tokenIn, address tokenOut, uint256 amount, uint24 fee, uint160 limit)) returns (uint256, uint160, uint32, uint256)',
  'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 limit)) returns (uint256, uint160, uint32, uint256)',
])
const routerAbi = parseAbi([
  'function approve(address, uint256)',
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 minimum, uint160 limit)) returns (uint256)',
])

/** Users and pool of one simulator. */
export function loopsOf(sim: SimulatorHandle) {
  const chain = positionsOn(sim, 'base')

  /** A user with USDC to pay with. */
  async function backed(amount = 1_500_000_000n) {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', amount)
    return user
  }

  return {
    chain,
    backed,
    /** A user with a long position of one WETH. */
    async looped() {
      const user = await backed()
      await user.run('loop-long', loop)
      return user
    },
    /** What the pool asks for so much exposure now, by Uniswap's own quoter. */
    async costOf(amount: bigint, fee = 500): Promise<bigint> {
      const { result } = await chain.client.simulateContract({
        address: base.uniswap.quoter,
        abi: quoterAbi,
        functionName: 'quoteExactOutputSingle',
        args: [{ tokenIn: usdc, tokenOut: weth, amount, fee, limit: 0n }],
      })
      return result[0]
    },
    /** What the pool gives for so much exposure now, by Uniswap's own quoter. */
    async yieldOf(amountIn: bigint, fee = 500): Promise<bigint> {
      const { result } = await chain.client.simulateContract({
        address: base.uniswap.quoter,
        abi: quoterAbi,
        functionName: 'quoteExactInputSingle',
        args: [{ tokenIn: weth, tokenOut: usdc, amountIn, fee, limit: 0n }],
      })
      return result[0]
    },
    /** Somebody else sells so much of a token on the pool; resolves to a function that buys it back. */
    async sellOnPool(
      asset: 'WETH' | 'USDC',
      amount: bigint,
      fee = 500,
    ): Promise<() => Promise<void>> {
      const reads = readsOf(sim)
      const trader: Address = '0x000000000000000000000000000000000007ade4'
      const other = asset === 'WETH' ? 'USDC' : 'WETH'
      const addressOf = { WETH: weth, USDC: usdc }
      const send = (to: Address, data: Hex) => {
        // A swap in another second than the one it was estimated in needs more gas: the pool then writes an observation.
        const call = { to, data, gas: '0xf4240' }
        return reads.sendAs('base', trader, call)
      }
      const swap = async (sold: typeof asset, amountIn: bigint) => {
        const tokenIn = addressOf[sold]
        const tokenOut = sold === 'WETH' ? usdc : weth
        const args = [base.uniswap.swapRouter, amountIn] as const
        await send(tokenIn, encodeFunctionData({ abi: routerAbi, functionName: 'approve', args }))
        const ends = { tokenIn, tokenOut, fee, recipient: trader }
        const params = { ...ends, amountIn, minimum: 0n, limit: 0n }
        const call = { abi: routerAbi, functionName: 'exactInputSingle', args: [params] } as const
        await send(base.uniswap.swapRouter, encodeFunctionData(call))
      }
      await sim.fund({ address: trader, asset, network: 'base', amount: amount.toString() })
      const before = await chain.balance(other, trader)
      await swap(asset, amount)
      const bought = (await chain.balance(other, trader)) - before
      return () => swap(other, bought)
    },
  }
}

/** How a plan is refused with this text. */
export function planFailure(message: string) {
  return { status: 400, body: { error: 'plan_failed', message: expect.stringContaining(message) } }
}
