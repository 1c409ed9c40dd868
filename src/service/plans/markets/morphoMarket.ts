import type { Hex } from 'viem'
import { encodeFunctionData, toEventSelector } from 'viem/utils'
import type { Log } from '../../../chain/rpc/node.js'
import type { MorphoState } from '../../../chain/state/marketReads.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { NetworkName, Token } from '../../../deployments/networks.js'
import type { MorphoMarket } from '../../../deployments/protocolBook.js'
import { morphoActionsAbi } from '../../../generated/abis.js'
import { ServiceError } from '../../../lib/errors.js'
import { leftOutNote, networkStateOf } from '../assembly/resolve.js'
import type { PlanInput } from '../model/kind.js'
import { wordOf } from '../observe/logs.js'

/** The Morpho Blue market of that id with the wallet's position, or `plan_failed`: unknown, or another pair of tokens. */
export function morphoOf(
  input: PlanInput,
  network: NetworkName,
  id: Hex,
  { loan, collateral }: { loan: Token; collateral: Token },
): MorphoState {
  const market = input.book.on(network).morpho.markets.find((each) => each.id === id)
  if (!market)
    throw new ServiceError(
      'plan_failed',
      `morpho market not found: ${network} has no market ${id}${leftOutNote(networkStateOf(input, network), 'morpho', { id })}; GET /markets lists them`,
    )
  if (market.loanToken !== loan.address || market.collateralToken !== collateral.address)
    throw new ServiceError(
      'plan_failed',
      `morpho market mismatch: ${id} lends ${market.loanSymbol} against ${market.collateralSymbol}, not ${loan.symbol} against ${collateral.symbol}`,
    )
  const state = networkStateOf(input, network).morphoMarkets.find((each) => each.market.id === id)
  if (state) return state
  throw new ServiceError('plan_failed', `morpho market ${id} on ${network} does not answer`)
}

export function paramsOf({ loanToken, collateralToken, oracle, irm, lltv }: MorphoMarket) {
  return { loanToken, collateralToken, oracle, irm, lltv }
}

/** What an operation does in a market, in smallest units: one of the two halves of the script `MorphoActions`. */
export type MorphoMove =
  | { supplyCollateral: bigint; borrow: bigint }
  | { repay: bigint; withdrawCollateral: bigint }

/** The call of that script. To `repay` 2^256-1 is to repay the whole debt. */
export function morphoCall(
  input: PlanInput,
  network: NetworkName,
  market: MorphoMarket,
  move: MorphoMove,
) {
  const where = [input.book.on(network).morpho.morpho, paramsOf(market)] as const
  const abi = morphoActionsAbi
  return {
    network,
    script: input.scripts.morphoActions,
    calldata:
      'borrow' in move
        ? encodeFunctionData({
            abi,
            functionName: 'supplyCollateralAndBorrow',
            args: [...where, move.supplyCollateral, move.borrow],
          })
        : encodeFunctionData({
            abi,
            functionName: 'repayAndWithdrawCollateral',
            args: [...where, move.repay, move.withdrawCollateral],
          }),
  }
}

/** A name for messages: the label is not unique. */
export function nameOf(market: MorphoMarket): string {
  return `the ${market.label} market ${market.id}`
}

/** Topic of each event, and which word of its data is the amount of assets. */
const events = {
  supplyCollateral: ['SupplyCollateral(bytes32,address,address,uint256)', 0],
  withdrawCollateral: ['WithdrawCollateral(bytes32,address,address,address,uint256)', 1],
  borrow: ['Borrow(bytes32,address,address,address,uint256,uint256)', 1],
  repay: ['Repay(bytes32,address,address,uint256,uint256)', 0],
} as const
const topics = new Map(
  Object.entries(events).map(([name, [signature]]) => [name, toEventSelector(signature)]),
)

export function morphoMoves(
  logs: readonly Log[],
  book: NetworkBook,
  id: string,
  event: keyof typeof events,
): { log: Log; amount: bigint }[] {
  return logs
    .filter((log) => log.address.toLowerCase() === book.morpho.morpho)
    .filter((log) => log.topics[0] === topics.get(event) && log.topics[1] === id)
    .map((log) => ({ log, amount: wordOf(log, events[event][1]) }))
}
