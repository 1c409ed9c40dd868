import type { Address, Hex } from 'viem'
import { actors } from '../../../deployments/actors.js'
import { type NetworkBook, ownAddress } from '../../../deployments/addressBook.js'
import type { Faucet } from '../../funds/faucet.js'
import type { Node } from '../../rpc/node.js'
import { type Artifact, artifact } from '../artifacts.js'
import { act, type CallTarget } from '../calls.js'
import { place } from '../place.js'
import { listReserves, type ReserveParts } from './aaveReserves.js'
import { seedAave } from './aaveSeed.js'

const nobody: Address = `0x${'00'.repeat(20)}`

/** Libraries that the pool and its configurator call; they stand where no real network has anything. */
const libraries = [
  'BorrowLogic',
  'BridgeLogic',
  'ConfiguratorLogic',
  'EModeLogic',
  'FlashLoanLogic',
  'LiquidationLogic',
  'PoolLogic',
  'SupplyLogic',
] as const

/**
 * Aave V3 with the maker's code. The provider is placed; it then creates pool and configurator, and the configurator each
 * reserve's tokens, which come to stand at their real addresses, since those depend on creator and nonce alone
 * (see `listReserves`). Version 3.0: newer real pools have further functions, which the planner does not use.
 */
export async function buildAave(node: Node, book: NetworkBook, faucet: Faucet): Promise<void> {
  const { aave } = book
  const provider = target(aave.poolAddressesProvider, 'PoolAddressesProvider')
  const asAdmin = (functionName: string, args: unknown[]) =>
    act(node, actors.admin, provider, functionName, args)
  await place(node, provider.address, artifact('vendor/PoolAddressesProvider'), [
    `Svc ${book.network} market`,
    actors.admin,
  ])
  // Before the ACL manager, whose constructor asks who it is.
  await asAdmin('setACLAdmin', [actors.admin])
  await place(node, aave.aclManager, artifact('vendor/ACLManager'), [provider.address])
  await asAdmin('setACLManager', [aave.aclManager])
  const acl = target(aave.aclManager, 'ACLManager')
  for (const grant of ['addPoolAdmin', 'addAssetListingAdmin'])
    await act(node, actors.admin, acl, grant, [actors.admin])
  await placeOracle(node, book)
  await asAdmin('setPriceOracle', [aave.oracle])
  await place(node, aave.protocolDataProvider, artifact('vendor/AaveProtocolDataProvider'), [
    provider.address,
  ])
  await asAdmin('setPoolDataProvider', [aave.protocolDataProvider])
  await placeUiDataProvider(node, book)
  for (const name of libraries) await place(node, libraryAddress(name), linked(name))
  await asAdmin('setPoolImpl', [await placeOwn(node, 'L2Pool', [provider.address])])
  await asAdmin('setPoolConfiguratorImpl', [await placeOwn(node, 'PoolConfigurator', [])])
  const parts = await placeReserveParts(node, book)
  await listReserves(node, book, parts)
  await seedAave(node, book, target(aave.pool, 'L2Pool'), faucet)
}

/** Prices in dollars with eight decimals, from the feed that each reserve has on the real network. */
async function placeOracle(node: Node, book: NetworkBook): Promise<void> {
  const { oracle, poolAddressesProvider, reserves } = book.aave
  const assets = reserves.map((reserve) => reserve.asset)
  const sources = reserves.map((reserve) => reserve.oracle)
  const args = [poolAddressesProvider, assets, sources, nobody, nobody, 10n ** 8n]
  await place(node, oracle, artifact('vendor/AaveOracle'), args)
}

/** What front ends read the market with; prices in dollars, those of the native token from its feed. */
async function placeUiDataProvider(node: Node, book: NetworkBook): Promise<void> {
  const { feed } = book.tokens.find((token) => token.native)!
  const code = artifact('vendor/UiPoolDataProviderV3')
  await place(node, book.aave.uiPoolDataProvider, code, [feed, feed])
}

/** Interest as on the real markets of late, in percent: where the curve bends, and what a year costs there and at 100 %. */
const stableCurve = { optimal: 90n, slope1: [55n, 10n], slope2: 40n } as const
const volatileCurve = { optimal: 80n, slope1: [27n, 10n], slope2: 80n } as const

/** What all reserves share. The stablecoins' curve takes the one strategy address that all reserves have on the real network. */
async function placeReserveParts(node: Node, book: NetworkBook): Promise<ReserveParts> {
  const { pool, reserves } = book.aave
  const stableStrategy = reserves[0]!.interestRateStrategy
  const volatileStrategy = ownAddress('aave/volatile strategy')
  const strategy = artifact('vendor/DefaultReserveInterestRateStrategy')
  await place(node, stableStrategy, strategy, curveArguments(book, stableCurve))
  await place(node, volatileStrategy, strategy, curveArguments(book, volatileCurve))
  return {
    stableStrategy,
    volatileStrategy,
    aToken: await placeOwn(node, 'AToken', [pool]),
    stableDebtToken: await placeOwn(node, 'StableDebtToken', [pool]),
    variableDebtToken: await placeOwn(node, 'VariableDebtToken', [pool]),
  }
}

function curveArguments(
  book: NetworkBook,
  curve: { optimal: bigint; slope1: readonly [bigint, bigint]; slope2: bigint },
): unknown[] {
  const percent = 10n ** 25n
  const [amount, per] = curve.slope1
  // The stable rate, which no reserve offers, is nought throughout.
  const stableRate = [0n, 0n, 0n, 0n, 0n]
  const variable = [curve.optimal * percent, 0n, (amount * percent) / per, curve.slope2 * percent]
  return [book.aave.poolAddressesProvider, ...variable, ...stableRate]
}

/** Puts a contract of Aave's at an address of ours. */
async function placeOwn(node: Node, name: string, args: unknown[]): Promise<Address> {
  const address = ownAddress(`aave/${name}`)
  await place(node, address, linked(name), args)
  return address
}

function libraryAddress(name: string): Address {
  return ownAddress(`aave/${name}`)
}

/** The contract with the addresses of the libraries filled in. */
function linked(name: string): Artifact {
  const contract = artifact(`vendor/${name}`)
  let code: string = contract.bytecode
  for (const places of Object.values(contract.linkReferences ?? {}).flatMap(Object.entries))
    for (const { start, length } of places[1] as { start: number; length: number }[]) {
      const [from, to] = [2 + 2 * start, 2 + 2 * (start + length)]
      code = code.slice(0, from) + libraryAddress(places[0] as string).slice(2) + code.slice(to)
    }
  return { ...contract, bytecode: code as Hex }
}

function target(address: Address, name: string): CallTarget {
  return { address, abi: artifact(`vendor/${name}`).abi }
}
