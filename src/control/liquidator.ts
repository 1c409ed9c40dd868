import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils'
import { allow } from '../chain/funds/allow.js'
import type { Faucet } from '../chain/funds/faucet.js'
import type { Node, Nodes, Receipt } from '../chain/rpc/node.js'
import { RpcError } from '../chain/rpc/rpc.js'
import { expectMining } from '../chain/transactions/mining.js'
import { sendAs } from '../chain/transactions/send.js'
import { actors } from '../deployments/actors.js'
import type { AddressBook } from '../deployments/addressBook.js'
import type { NetworkName } from '../deployments/networks.js'
import type { MorphoMarket } from '../deployments/protocolBook.js'
import { cometLiquidationAbi } from '../generated/abis.js'

const morphoAbi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function position(bytes32 id, address user) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)',
  'function market(bytes32 id) view returns (uint128 totalSupplyAssets, uint128 totalSupplyShares, uint128 totalBorrowAssets, uint128 totalBorrowShares, uint128 lastUpdate, uint128 fee)',
  'function liquidate(MarketParams params, address borrower, uint256 seizedAssets, uint256 repaidShares, bytes data) returns (uint256, uint256)',
])

export interface Liquidation {
  network: NetworkName
  protocol: 'compound' | 'morpho'
  /** Address of the Comet market, or id of the Morpho market. */
  market: Hex
  receipt: Receipt
}

/** Liquidates only on request, so that unsafe positions can be inspected first. */
export type Liquidator = ReturnType<typeof createLiquidator>

export interface LiquidatorParts {
  nodes: Nodes
  book: AddressBook
  faucet: Faucet
  /** Awaited after each liquidation. */
  onDone(network: NetworkName, receipt: Receipt): Promise<void>
}

/** The faucet funds the repayment of Morpho's debts; Comet takes over the debt itself. */
export function createLiquidator({ nodes, book, faucet, onDone }: LiquidatorParts) {
  return {
    /** Liquidates all unsafe positions of the wallet, as far as the protocols allow in one transaction each. */
    async liquidate(wallet: Address, networks: readonly NetworkName[]): Promise<Liquidation[]> {
      const where = networks.map((network) => nodes.get(network))
      await expectMining(where, 'nothing was liquidated')
      const done: Liquidation[] = []
      // One at a time, each recorded before the next, so that the order is the same in every run.
      const record = async (liquidation: Omit<Liquidation, 'receipt'>, receipt?: Receipt) => {
        if (!receipt) return
        await onDone(liquidation.network, receipt)
        done.push({ ...liquidation, receipt })
      }
      for (const network of networks) {
        const node = nodes.get(network)
        const { comets, morpho } = book.on(network)
        for (const { address: market } of comets)
          await record(
            { network, protocol: 'compound', market },
            await absorb(node, market, wallet),
          )
        const place = { node, faucet, morpho: morpho.morpho }
        for (const market of morpho.markets)
          await record(
            { network, protocol: 'morpho', market: market.id },
            await repay(place, market, wallet),
          )
      }
      return done
    },
  }
}

/** Comet: the market absorbs the account (Compound III documentation, "Liquidation"). Undefined when it is safe. */
async function absorb(node: Node, comet: Address, wallet: Address): Promise<Receipt | undefined> {
  const check = {
    abi: cometLiquidationAbi,
    functionName: 'isLiquidatable',
    args: [wallet],
  } as const
  const returned = await view(node, comet, encodeFunctionData(check))
  if (!decodeFunctionResult({ ...check, data: returned })) return undefined
  const data = encodeFunctionData({
    abi: absorbAbi,
    functionName: 'absorb',
    args: [actors.liquidator, [wallet]],
  })
  return sendAs(node, { from: actors.liquidator, to: comet, data })
}

const absorbAbi = parseAbi(['function absorb(address absorber, address[] accounts)'])

/**
 * Morpho Blue: repays the whole debt for collateral of a higher value. If the collateral is worth less, takes all of it, and the lenders
 * lose the rest of the debt. Undefined when the position is healthy.
 */
async function repay(
  place: { node: Node; faucet: Faucet; morpho: Address },
  market: MorphoMarket,
  wallet: Address,
): Promise<Receipt | undefined> {
  const { node, faucet, morpho } = place
  const ofPosition = {
    abi: morphoAbi,
    functionName: 'position',
    args: [market.id, wallet],
  } as const
  const position = await view(node, morpho, encodeFunctionData(ofPosition))
  const [, shares, collateral] = decodeFunctionResult({ ...ofPosition, data: position })
  if (shares === 0n) return undefined
  const ofMarket = { abi: morphoAbi, functionName: 'market', args: [market.id] } as const
  const sums = await view(node, morpho, encodeFunctionData(ofMarket))
  const [, , totalAssets, totalShares] = decodeFunctionResult({ ...ofMarket, data: sums })
  // Twice the debt at the market's last accrual, which is far more than the interest since.
  const amount = ((shares * (totalAssets + 1n)) / (totalShares + 1n) + 1n) * 2n
  const from = actors.liquidator
  const asset = market.loanSymbol
  await faucet.fund({ address: from, asset, amount, network: node.network })
  await allow(node, { token: market.loanToken, owner: from, spender: morpho, amount })
  const { loanToken, collateralToken, oracle, irm, lltv } = market
  const params = { loanToken, collateralToken, oracle, irm, lltv }
  for (const [seized, repaid] of [
    [0n, shares],
    [collateral, 0n],
  ] as const) {
    const data = encodeFunctionData({
      abi: morphoAbi,
      functionName: 'liquidate',
      args: [params, wallet, seized, repaid, '0x'],
    })
    if (await succeeds(node, morpho, data)) return sendAs(node, { from, to: morpho, data })
  }
  return undefined
}

/** Whether the liquidator's call would succeed now; it fails for a healthy position. */
async function succeeds(node: Node, to: Address, data: Hex): Promise<boolean> {
  try {
    await view(node, to, data)
    return true
  } catch (error) {
    if (error instanceof RpcError) return false
    throw error
  }
}

function view(node: Node, to: Address, data: Hex): Promise<Hex> {
  return node.rpc.request<Hex>('eth_call', [{ from: actors.liquidator, to, data }, 'pending'])
}
