import { type Address, type Hex, zeroHash } from 'viem'
import { encodeAbiParameters, keccak256, pad, parseAbiParameters } from 'viem/utils'
import { actors } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { MorphoMarket, MorphoVault } from '../../../deployments/protocolBook.js'
import type { Faucet } from '../../funds/faucet.js'
import type { Node } from '../../rpc/node.js'
import { act, artifact, ask, type CallTarget, fundFor, place } from '../contracts.js'
import { convert, hubKey, keyOf, worth } from '../prices.js'

/** US dollars that the lender supplies to each market, and to each vault. */
const marketUsd = 20_000_000n
const vaultUsd = 10_000_000n
/** The most US dollars of a vault in one market. */
const capUsd = 200_000_000n
/** The most markets of a vault. */
const marketsPerVault = 2

/**
 * Builds Morpho Blue with every market of the book, and seeds a lender and a borrower. Morpho is the original code; rate model, oracles and
 * vaults are our own contracts with the same interface.
 */
export async function buildMorpho(node: Node, book: NetworkBook, faucet: Faucet): Promise<void> {
  const { morpho, irm, markets, vaults } = book.morpho
  const target = { address: morpho, abi: artifact('vendor/Morpho').abi }
  await place(node, morpho, artifact('vendor/Morpho'), [actors.admin])
  await place(node, irm, artifact('AdaptiveIrm'), [morpho])
  for (const spec of oraclesOf(book))
    await place(node, spec.address, artifact('MorphoOracle'), oracleArguments(book, spec))
  await act(node, actors.admin, target, 'enableIrm', [irm])
  for (const lltv of new Set(markets.map((market) => market.lltv)))
    await act(node, actors.admin, target, 'enableLltv', [lltv])
  for (const market of markets)
    await act(node, actors.admin, target, 'createMarket', [marketParams(market)])
  await lend(node, book, target, faucet)
  for (const vault of vaults) await buildVault(node, book, vault, faucet)
  for (const [index, market] of markets.entries())
    await borrow(node, target, market, utilizationOf(index), faucet)
  for (const { id } of markets) await forgetRate(node, irm, id)
}

/**
 * Resets the model of a market, so that its next update charges the initial rates and adapts from then on. Otherwise all rates would fall to
 * the minimum in the idle time between the world's first block and a start.
 */
async function forgetRate(node: Node, irm: Address, id: Hex): Promise<void> {
  // `rateAtTarget`, the model's only variable.
  const slot = keccak256(encodeAbiParameters(parseAbiParameters('bytes32, uint256'), [id, 0n]))
  await node.rpc.request('anvil_setStorageAt', [irm, slot, pad('0x')])
}

export function marketParams(market: MorphoMarket): {
  loanToken: Address
  collateralToken: Address
  oracle: Address
  irm: Address
  lltv: bigint
} {
  const { loanToken, collateralToken, oracle, irm, lltv } = market
  return { loanToken, collateralToken, oracle, irm, lltv }
}

/** The markets of a vault, in the order in which it fills them. Vaults begin with different ones. */
export function marketsOf(book: NetworkBook, vault: MorphoVault): MorphoMarket[] {
  const { markets, vaults } = book.morpho
  const candidates = markets.filter((market) => market.loanToken === vault.asset)
  const first = vaults.filter((other) => other.asset === vault.asset).indexOf(vault)
  const turned = candidates.map((_, i) => candidates[(first + i) % candidates.length]!)
  return turned.slice(0, marketsPerVault)
}

/** One market per oracle. Throws when markets with the same oracle need different answers. */
function oraclesOf(book: NetworkBook): { address: Address; market: MorphoMarket; quote: string }[] {
  const byAddress = new Map<Address, { address: Address; market: MorphoMarket; quote: string }>()
  for (const market of book.morpho.markets) {
    const quote = market.isLoanTakenForDollar ? 'USD' : keyOf(market.loanSymbol)
    const known = byAddress.get(market.oracle)
    if (!known) byAddress.set(market.oracle, { address: market.oracle, market, quote })
    else if (
      known.quote !== quote ||
      known.market.collateralToken !== market.collateralToken ||
      known.market.loanDecimals !== market.loanDecimals
    )
      throw new Error(
        `${book.network}: ${known.market.label} and ${market.label} share the oracle ${market.oracle} ` +
          'but want different answers of it',
      )
  }
  return [...byAddress.values()]
}

function oracleArguments(
  book: NetworkBook,
  { market, quote }: { market: MorphoMarket; quote: string },
): unknown[] {
  return [
    book.priceHub,
    hubKey(keyOf(market.collateralSymbol)),
    quote === 'USD' ? zeroHash : hubKey(quote),
    market.loanDecimals,
    market.collateralDecimals,
  ]
}

async function lend(
  node: Node,
  book: NetworkBook,
  morpho: CallTarget,
  faucet: Faucet,
): Promise<void> {
  for (const market of book.morpho.markets) {
    const { loanSymbol: symbol, loanDecimals: decimals, loanToken: token } = market
    const amount = worth(marketUsd, { symbol, decimals })
    await fundFor(morpho.address, node, faucet, { owner: actors.lender, symbol, token, amount })
    const args = [marketParams(market), amount, 0n, actors.lender, '0x']
    await act(node, actors.lender, morpho, 'supply', args)
  }
}

async function buildVault(
  node: Node,
  book: NetworkBook,
  vault: MorphoVault,
  faucet: Faucet,
): Promise<void> {
  const asset = { symbol: vault.assetSymbol, decimals: vault.assetDecimals }
  const cap = worth(capUsd, asset)
  const allocations = marketsOf(book, vault).map(({ id }) => ({ id, cap }))
  const contract = artifact('MorphoVault')
  const { name, symbol, address } = vault
  const { morpho } = book.morpho
  await place(node, address, contract, [
    actors.admin,
    vault.asset,
    name,
    symbol,
    morpho,
    allocations,
  ])
  const amount = worth(vaultUsd, asset)
  const owner = actors.lender
  await fundFor(address, node, faucet, { owner, symbol: asset.symbol, token: vault.asset, amount })
  const args = [amount, owner]
  await act(node, owner, { address, abi: contract.abi }, 'deposit', args)
}

/** 66 to 82 percent; differs by market, so that rates differ. */
function utilizationOf(index: number): bigint {
  return 66n + 4n * BigInt(index % 5)
}

/** Brings a market to a utilization, with a debt of 60 % of the liquidation limit. */
async function borrow(
  node: Node,
  morpho: CallTarget,
  market: MorphoMarket,
  utilization: bigint,
  faucet: Faucet,
): Promise<void> {
  const loan = { symbol: market.loanSymbol, decimals: market.loanDecimals }
  const collateral = { symbol: market.collateralSymbol, decimals: market.collateralDecimals }
  const [supplied] = await ask<bigint[]>(node, morpho, 'market', [market.id])
  const debt = (supplied! * utilization) / 100n
  const amount = convert((debt * 100n * 10n ** 18n) / (60n * market.lltv), loan, collateral)
  const { borrower } = actors
  const gift = { symbol: collateral.symbol, token: market.collateralToken, amount }
  await fundFor(morpho.address, node, faucet, { owner: borrower, ...gift })
  const params = marketParams(market)
  await act(node, borrower, morpho, 'supplyCollateral', [params, amount, borrower, '0x'])
  await act(node, borrower, morpho, 'borrow', [params, debt, 0n, borrower, borrower])
}
