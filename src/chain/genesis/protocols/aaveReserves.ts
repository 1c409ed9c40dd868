import type { Address } from 'viem'
import { toHex } from 'viem/utils'
import { actors } from '../../../deployments/actors.js'
import { type NetworkBook, ownAddress } from '../../../deployments/addressBook.js'
import { rawNetwork } from '../../../deployments/addressFile.js'
import type { AaveReserve } from '../../../deployments/protocolBook.js'
import type { Node } from '../../rpc/node.js'
import { startPrice } from '../amounts.js'
import { artifact } from '../artifacts.js'
import { act, type CallTarget } from '../calls.js'

const nobody: Address = `0x${'00'.repeat(20)}`

/** What the reserves of a pool share: interest curves, and the code behind their tokens. */
export interface ReserveParts {
  stableStrategy: Address
  volatileStrategy: Address
  aToken: Address
  stableDebtToken: Address
  variableDebtToken: Address
}

/** In basis points: what a liquidator gains, and what of the interest the protocol keeps. */
const liquidationBonus = 10_500n
const reserveFactor = 1000n

/**
 * Lists the reserves under their real ids. Each listing makes the configurator create three tokens, so before the reserve
 * of id n its nonce must be 3n + 1: that gives aToken and debt token their real addresses (true of every reserve of
 * `contracts/addresses.json`). The pool gives out the first free id; the ids between ours are taken by place holders meanwhile
 * and then dropped, which leaves them empty as after any dropped reserve.
 */
export async function listReserves(
  node: Node,
  book: NetworkBook,
  parts: ReserveParts,
): Promise<void> {
  const { aave } = book
  const configurator = {
    address: aave.poolConfigurator,
    abi: artifact('vendor/PoolConfigurator').abi,
  }
  const pool = { address: aave.pool, abi: artifact('vendor/L2Pool').abi }
  const last = aave.reserves.at(-1)!.id
  const placeHolders: Address[] = []
  for (let id = 0; id <= last; id++) {
    const reserve = aave.reserves.find((candidate) => candidate.id === id)
    if (reserve) {
      const nonce = toHex(3 * id + 1)
      await node.rpc.request('anvil_setNonce', [configurator.address, nonce])
      await list(node, book, configurator, reserve, parts)
    } else
      placeHolders.push(await holdPlace(node, aave.reserves[0]!, configurator, pool, id, parts))
  }
  for (const asset of placeHolders) {
    await act(node, actors.admin, configurator, 'dropReserve', [asset])
    await node.rpc.request('anvil_setCode', [asset, '0x'])
  }
  await node.rpc.request('anvil_setBalance', [configurator.address, '0x0'])
}

async function list(
  node: Node,
  book: NetworkBook,
  configurator: CallTarget,
  reserve: AaveReserve,
  parts: ReserveParts,
): Promise<void> {
  const { asset, ltv, liquidationThreshold } = reserve
  const asAdmin = (functionName: string, args: unknown[]) =>
    act(node, actors.admin, configurator, functionName, args)
  await asAdmin('initReserves', [[listing(book, reserve, parts)]])
  const factors = [asset, ltv, liquidationThreshold, liquidationBonus]
  await asAdmin('configureReserveAsCollateral', factors)
  await asAdmin('setReserveBorrowing', [asset, true])
  await asAdmin('setReserveFactor', [asset, reserveFactor])
  await asAdmin('setReserveFlashLoaning', [asset, true])
}

/** How the makers begin the symbols of their tokens on each network. */
const prefixes = {
  mainnet: 'Eth',
  base: 'Bas',
  arbitrum: 'Arb',
  optimism: 'Opt',
  polygon: 'Pol',
} as const

function listing(book: NetworkBook, reserve: AaveReserve, parts: ReserveParts): object {
  const { bookKey } = rawNetwork(book.network).aaveV3.reserves[reserve.symbol]!
  const prefix = prefixes[book.network]
  const isStable = startPrice(reserve.symbol) === 10n ** 8n
  return {
    aTokenImpl: parts.aToken,
    stableDebtTokenImpl: parts.stableDebtToken,
    variableDebtTokenImpl: parts.variableDebtToken,
    underlyingAssetDecimals: reserve.decimals,
    interestRateStrategyAddress: isStable ? parts.stableStrategy : parts.volatileStrategy,
    underlyingAsset: reserve.asset,
    treasury: actors.admin,
    incentivesController: nobody,
    aTokenName: `Aave ${prefix} ${bookKey}`,
    aTokenSymbol: `a${prefix}${bookKey}`,
    variableDebtTokenName: `Aave ${prefix} Variable Debt ${bookKey}`,
    variableDebtTokenSymbol: `variableDebt${prefix}${bookKey}`,
    stableDebtTokenName: `Aave ${prefix} Stable Debt ${bookKey}`,
    stableDebtTokenSymbol: `stableDebt${prefix}${bookKey}`,
    params: '0x10',
  }
}

/**
 * Takes an id with an asset that only has to have code and with tokens of the first reserve, which nobody holds yet: without
 * supply the place can be dropped again. Only the configurator may do this, so the call is made in its name.
 */
async function holdPlace(
  node: Node,
  first: AaveReserve,
  configurator: CallTarget,
  pool: CallTarget,
  id: number,
  parts: ReserveParts,
): Promise<Address> {
  const asset = ownAddress(`aave/place holder ${id}`)
  await node.rpc.request('anvil_setCode', [asset, '0x00'])
  await node.rpc.request('anvil_setBalance', [configurator.address, '0xde0b6b3a7640000'])
  const tokens = [first.aToken, parts.stableDebtToken, first.variableDebtToken]
  const args = [asset, ...tokens, parts.stableStrategy]
  await act(node, configurator.address, pool, 'initReserve', args)
  return asset
}
