import type { Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { CometCollateral, CometMarket } from '../../../deployments/protocolBook.js'
import { cometAbi } from '../../../generated/abis.js'
import type { Node } from '../../rpc/node.js'
import { readTogether } from '../../state/multicall.js'

/**
 * The Comet markets as the chain has them: the smallest loan, and the listed collaterals with their factors, caps and feeds, those that
 * the address file lacks included. A collateral that is no token of the book is left out, as there; so is what a market that
 * does not answer would say.
 */
export async function readComets(node: Node, book: NetworkBook): Promise<CometMarket[]> {
  const { comets } = book
  const basics = await readTogether(
    node,
    book,
    comets.flatMap(({ address: target }) =>
      (['numAssets', 'baseBorrowMin'] as const).map((functionName) => ({
        target,
        data: encodeFunctionData({ abi: cometAbi, functionName }),
      })),
    ),
  )
  const number = (at: number) => (basics[at] ? Number(BigInt(basics[at])) : 0)
  const slots = comets.flatMap((market, i) =>
    Array.from({ length: number(2 * i) }, (_, index) => ({ market, index })),
  )
  const listed = await readTogether(
    node,
    book,
    slots.map(({ market, index }) => ({
      target: market.address,
      data: encodeFunctionData({ abi: cometAbi, functionName: 'getAssetInfo', args: [index] }),
    })),
  )
  return comets.map((market, i) => {
    const answers = slots.flatMap((slot, at) => (slot.market === market ? [listed[at]] : []))
    const least = basics[2 * i + 1]
    // One whose list cannot be read whole is what the file says.
    if (answers.length === 0 || answers.some((answer) => !answer) || !least) return market
    const collaterals = answers.flatMap((answer) => collateralIn(book, answer!))
    return { ...market, baseBorrowMin: BigInt(least), collaterals }
  })
}

function collateralIn(book: NetworkBook, data: Hex): CometCollateral[] {
  const info = decodeFunctionResult({ abi: cometAbi, functionName: 'getAssetInfo', data })
  const asset = info.asset.toLowerCase()
  const token = book.tokens.find(({ address }) => address === asset)
  if (!token) return []
  const { borrowCollateralFactor, liquidateCollateralFactor, liquidationFactor, supplyCap } = info
  return [
    {
      symbol: token.symbol,
      asset: token.address,
      decimals: token.decimals,
      priceFeed: info.priceFeed.toLowerCase() as Hex,
      borrowCollateralFactor,
      liquidateCollateralFactor,
      liquidationFactor,
      supplyCap,
    },
  ]
}
