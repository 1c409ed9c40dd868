import { type Address, type Hex, zeroAddress } from 'viem'
import { toHex } from 'viem/utils'
import { actors } from '../../../deployments/actors.js'
import { type NetworkBook, ownAddress } from '../../../deployments/addressBook.js'
import { rawNetwork } from '../../../deployments/addressFile.js'
import type { AaveReserve } from '../../../deployments/protocolBook.js'
import type { Faucet } from '../../funds/faucet.js'
import type { Node } from '../../rpc/node.js'
import { type Artifact, act, artifact, type CallTarget, fundFor, place } from '../contracts.js'
import { startPrice, worth } from '../prices.js'

/** Libraries that the pool and its configurator call, at addresses unused on real networks. */
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
 * Builds Aave V3 with its original code. The placed provider creates pool and configurator; the configurator creates each reserve's tokens
 * at their real addresses, which depend only on creator and nonce (see `listReserves`). Version 3.0: newer pools have more functions, which
 * the planner does not use.
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
  // Before the ACL manager, whose constructor reads it.
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

/** Prices in US dollars with eight decimals, from each reserve's real feed address. */
async function placeOracle(node: Node, book: NetworkBook): Promise<void> {
  const { oracle, poolAddressesProvider, reserves } = book.aave
  const assets = reserves.map((reserve) => reserve.asset)
  const sources = reserves.map((reserve) => reserve.oracle)
  const args = [poolAddressesProvider, assets, sources, zeroAddress, zeroAddress, 10n ** 8n]
  await place(node, oracle, artifact('vendor/AaveOracle'), args)
}

/** The contract with which front ends read the market. */
async function placeUiDataProvider(node: Node, book: NetworkBook): Promise<void> {
  const { feed } = book.tokens.find((token) => token.native)!
  const code = artifact('vendor/UiPoolDataProviderV3')
  await place(node, book.aave.uiPoolDataProvider, code, [feed, feed])
}

/** Interest rates like those of the real markets, in percent: the kink, and the yearly rates there and at 100 %. */
const stableCurve = { optimal: 90n, slope1: [55n, 10n], slope2: 40n } as const
const volatileCurve = { optimal: 80n, slope1: [27n, 10n], slope2: 80n } as const

/** The parts that all reserves share. The stablecoins' curve gets the real address of the one strategy contract. */
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
  // No reserve offers the stable rate.
  const stableRate = [0n, 0n, 0n, 0n, 0n]
  const variable = [curve.optimal * percent, 0n, (amount * percent) / per, curve.slope2 * percent]
  return [book.aave.poolAddressesProvider, ...variable, ...stableRate]
}

/** Places a contract of Aave at an address of ours. */
async function placeOwn(node: Node, name: string, args: unknown[]): Promise<Address> {
  const address = ownAddress(`aave/${name}`)
  await place(node, address, linked(name), args)
  return address
}

function libraryAddress(name: string): Address {
  return ownAddress(`aave/${name}`)
}

/** Links the libraries. */
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

/** Shared by the reserves: interest curves, and the code behind their tokens. */
interface ReserveParts {
  stableStrategy: Address
  volatileStrategy: Address
  aToken: Address
  stableDebtToken: Address
  variableDebtToken: Address
}

/** Basis points: the liquidator's bonus, and the protocol's share of the interest. */
const liquidationBonus = 10_500n
const reserveFactor = 1000n

/**
 * Lists the reserves under their real ids. The configurator creates three tokens per listing, so its nonce must be 3n + 1 before the
 * reserve with id n: then aToken and debt token get their real addresses (verified for every reserve in `contracts/addresses.json`). The
 * pool assigns the first free id, so placeholders take the ids in between and are dropped afterwards.
 */
async function listReserves(node: Node, book: NetworkBook, parts: ReserveParts): Promise<void> {
  const { aave } = book
  const configurator = target(aave.poolConfigurator, 'PoolConfigurator')
  const pool = target(aave.pool, 'L2Pool')
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

/** The prefix of the symbols of Aave's tokens, by network. */
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
    incentivesController: zeroAddress,
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
 * Takes an id for any asset with code, and the tokens of the first reserve: they have no supply yet, so the placeholder can be dropped.
 * Sends as the configurator, which alone may do this.
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

const variableRate = 2n

/** US dollars that the lender supplies of each asset. */
const supplyUsd = 50_000_000n
/** The borrower's collateral. Itself borrowed little, as on the real markets. */
const collateralSymbol = 'wstETH'
const collateralUtilization = 12n

/**
 * Seeds the pool: the lender supplies every asset but wstETH; the borrower borrows 62 to 70 % of each against three times the value in
 * wstETH, of which the lender borrows some. All stay below the kinks, and far from liquidation for years.
 */
async function seedAave(
  node: Node,
  book: NetworkBook,
  pool: CallTarget,
  faucet: Faucet,
): Promise<void> {
  const { lender, borrower } = actors
  const supply = async (owner: Address, { symbol, asset }: AaveReserve, amount: bigint) => {
    await fundFor(pool.address, node, faucet, { owner, symbol, token: asset, amount })
    await act(node, owner, pool, 'supply', [asset, amount, owner, 0])
  }
  const borrow = (from: Address, token: Address, amount: bigint) =>
    act(node, from, pool, 'borrow', [token, amount, variableRate, 0, from])

  const collateral = book.aave.reserves.find((reserve) => reserve.symbol === collateralSymbol)
  if (!collateral)
    throw new Error(`${book.network}: Aave has no ${collateralSymbol} to borrow against`)
  const lent = book.aave.reserves.filter((reserve) => reserve !== collateral)
  const backing = worth(3n * supplyUsd * BigInt(lent.length), collateral)
  await supply(borrower, collateral, backing)
  for (const [index, reserve] of lent.entries()) {
    const amount = worth(supplyUsd, reserve)
    await supply(lender, reserve, amount)
    await borrow(borrower, reserve.asset, (amount * utilizationOf(index)) / 100n)
  }
  await borrow(lender, collateral.asset, (backing * collateralUtilization) / 100n)
}

/** Percent; differs by reserve, so that rates differ. */
function utilizationOf(index: number): bigint {
  return 62n + 2n * BigInt(index % 5)
}
