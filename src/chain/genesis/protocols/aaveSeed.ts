import type { Address } from 'viem'
import { actors } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import { allow } from '../../funds/allow.js'
import type { Faucet } from '../../funds/faucet.js'
import type { Node } from '../../rpc/node.js'
import { worth } from '../amounts.js'
import { act, type CallTarget } from '../calls.js'

const maxUint256 = 2n ** 256n - 1n
const variableRate = 2n

/** Dollars that the lender supplies of each asset. */
const supplyUsd = 50_000_000n
/** The asset in which all of the borrower's collateral is; itself lent out only a little, as on the real markets. */
const collateralSymbol = 'wstETH'
const collateralUtilization = 12n

/**
 * Seeds the pool: the lender supplies every asset but one, the borrower borrows 62 to 70 % of each, against three times as much
 * in wstETH; of that the lender borrows some. Under the bends of the curves and far from liquidation for years.
 */
export async function seedAave(
  node: Node,
  book: NetworkBook,
  pool: CallTarget,
  faucet: Faucet,
): Promise<void> {
  const { lender, borrower } = actors
  const supply = async (from: Address, asset: string, token: Address, amount: bigint) => {
    await faucet.fund({ address: from, asset, amount, network: book.network })
    await allow(node, { token, owner: from, spender: pool.address, amount: maxUint256 })
    await act(node, from, pool, 'supply', [token, amount, from, 0])
  }
  const borrow = (from: Address, token: Address, amount: bigint) =>
    act(node, from, pool, 'borrow', [token, amount, variableRate, 0, from])

  const collateral = book.aave.reserves.find((reserve) => reserve.symbol === collateralSymbol)
  if (!collateral)
    throw new Error(`${book.network}: Aave has no ${collateralSymbol} to borrow against`)
  const lent = book.aave.reserves.filter((reserve) => reserve !== collateral)
  const backing = worth(3n * supplyUsd * BigInt(lent.length), collateral)
  await supply(borrower, collateral.symbol, collateral.asset, backing)
  for (const [index, reserve] of lent.entries()) {
    const amount = worth(supplyUsd, reserve)
    await supply(lender, reserve.symbol, reserve.asset, amount)
    await borrow(borrower, reserve.asset, (amount * utilizationOf(index)) / 100n)
  }
  await borrow(lender, collateral.asset, (backing * collateralUtilization) / 100n)
}

/** In percent, differing from reserve to reserve so that their rates do. */
function utilizationOf(index: number): bigint {
  return 62n + 2n * BigInt(index % 5)
}
