import type { Address, Hex } from 'viem'
import { encodeAbiParameters, keccak256, parseAbiParameters } from 'viem/utils'
import {
  admin,
  alice,
  bob,
  type Contract,
  maxUint256,
  symbolKey,
  type TestChain,
} from '../testChain.js'

export const wad = 10n ** 18n
export const usd = 10n ** 6n
export const day = 86_400n
export const year = 365n * day

/** A market as Morpho's functions want it. */
export interface Params {
  loanToken: Address
  collateralToken: Address
  oracle: Address
  irm: Address
  lltv: bigint
}

/** Morpho Blue with a USDC loan against WETH and against WBTC, and a vault that lends up to 1000 on each, in that order. */
export interface Lending {
  hub: Contract
  usdc: Contract
  weth: Contract
  irm: Contract
  morpho: Contract
  vault: Contract
  markets: { params: Params; id: Hex }[]
  deployOracle(base: string, quote: string | undefined, decimals: number): Promise<Contract>
  /** Bob borrows from the first market against one WETH. */
  borrow(amount: bigint): Promise<void>
  /** What the vault has in each market, as Morpho keeps it. */
  lent(): Promise<bigint[]>
}

/** Deploys them; alice and bob get plenty of USDC and WETH and have approved Morpho and the vault. */
export async function deployLending(chain: TestChain): Promise<Lending> {
  const hub = await chain.deploy('PriceHub', [admin])
  await hub.send('setPrices', [
    ['ETH', 'WBTC', 'USDC'].map(symbolKey),
    [3000_00000000n, 90_000_00000000n, 1_00000000n],
  ])
  const usdc = await chain.deploy('Token', ['USD Coin', 'USDC', 6, admin])
  const weth = await chain.deploy('Token', ['Wrapped Ether', 'WETH', 18, admin])
  const wbtc = await chain.deploy('Token', ['Wrapped Bitcoin', 'WBTC', 8, admin])
  const morpho = await chain.deploy('vendor/Morpho', [admin])
  const irm = await chain.deploy('AdaptiveIrm', [morpho.address])
  await morpho.send('enableIrm', [irm.address])
  await morpho.send('enableLltv', [(86n * wad) / 100n])
  const deployOracle: Lending['deployOracle'] = (base, quote, decimals) => {
    const quoteKey = quote ? symbolKey(quote) : `0x${'00'.repeat(32)}`
    return chain.deploy('MorphoOracle', [hub.address, symbolKey(base), quoteKey, 6, decimals])
  }
  const createMarket = async (collateral: Contract, symbol: string, decimals: number) => {
    const oracle = await deployOracle(symbol, 'USDC', decimals)
    const params: Params = {
      loanToken: usdc.address,
      collateralToken: collateral.address,
      oracle: oracle.address,
      irm: irm.address,
      lltv: (86n * wad) / 100n,
    }
    await morpho.send('createMarket', [params])
    return { params, id: marketId(params) }
  }
  const markets = [await createMarket(weth, 'ETH', 18), await createMarket(wbtc, 'WBTC', 8)]
  const allocations = markets.map(({ id }) => ({ id, cap: 1000n * usd }))
  const named = ['Vault', 'vUSDC']
  const vault = await chain.deploy('MorphoVault', [
    ...[admin, usdc.address, ...named],
    ...[morpho.address, allocations],
  ])
  for (const account of [alice, bob]) {
    await usdc.send('mint', [account, 10_000n * usd])
    await weth.send('mint', [account, 10n * wad])
    for (const token of [usdc, weth])
      for (const spender of [morpho, vault])
        await token.send('approve', [spender.address, maxUint256], { from: account })
  }
  return {
    ...{ hub, usdc, weth, irm, morpho, vault, markets, deployOracle },
    async borrow(amount) {
      const { params } = markets[0]!
      await morpho.send('supplyCollateral', [params, wad, bob, '0x'], { from: bob })
      await morpho.send('borrow', [params, amount, 0n, bob, bob], { from: bob })
    },
    lent: () =>
      Promise.all(
        markets.map(async ({ params, id }) => {
          await morpho.send('accrueInterest', [params])
          const [supplyShares] = await morpho.read<bigint[]>('position', [id, vault.address])
          const [assets, shares] = await morpho.read<bigint[]>('market', [id])
          return (supplyShares! * (assets! + 1n)) / (shares! + 1_000_000n)
        }),
      ),
  }
}

/** The id under which Morpho keeps a market. */
export function marketId({ loanToken, collateralToken, oracle, irm, lltv }: Params): Hex {
  const types = parseAbiParameters('address, address, address, address, uint256')
  return keccak256(encodeAbiParameters(types, [loanToken, collateralToken, oracle, irm, lltv]))
}
