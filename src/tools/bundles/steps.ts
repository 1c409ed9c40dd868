import type { Address } from 'viem'
import { parseUnits } from 'viem/utils'
import { uniswapPools } from '../../chain/funds/uniswapPools.js'
import type { PlanName } from '../../clients/client/types.js'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { Token } from '../../deployments/networks.js'

export interface PlanTrial {
  /** The last segment of its path. */
  path: PlanName
  body: Record<string, unknown>
}

/** Dollars of each token that an account gets: enough for the plans below, and little for the markets. */
const giftUsd = 1_000_000n

export type UsdPrices = Readonly<Record<string, string>>

/** In the smallest unit. A token without a price counts as one dollar. */
export function giftOf(
  { symbol, decimals }: Pick<Token, 'symbol' | 'decimals'>,
  prices: UsdPrices,
) {
  const priceE8 = parseUnits(prices[symbol] ?? '1', 8) || 1n
  return (giftUsd * 10n ** 8n * 10n ** BigInt(decimals)) / priceE8
}

/**
 * Plans of every kind with every token and every market of a network. Each plan comes after those that provide for it. `account` receives
 * the transfers.
 */
export function stepsOn(book: NetworkBook, prices: UsdPrices, account: Address): PlanTrial[] {
  const { network } = book
  const share: Share = (symbol, part) => {
    const token = book.tokens.find((each) => each.symbol === symbol)
    return (token ? giftOf(token, prices) / part : 1n).toString()
  }
  const stepsOf = [transfers, cometSteps, aaveSteps, vaultSteps, morphoSteps, loops, swaps]
  return stepsOf
    .flatMap((steps) => steps(book, share, account))
    .map(({ path, body }) => ({ path, body: { network, ...body } }))
}

/** Supplies rewards with `isSupplied`, and claims them otherwise. */
export function rewardSteps(
  { network, comets, morphoRewards }: NetworkBook,
  { isSupplied }: { isSupplied: boolean },
): PlanTrial[] {
  const rewards = new Set(comets.map(({ rewardSymbol }) => rewardSymbol))
  if (morphoRewards) rewards.add(morphoRewards.symbol)
  const [comet] = comets
  const supply = { network, protocol: 'compound', asset: comet?.baseSymbol }
  return [...rewards].map((asset) =>
    isSupplied
      ? { path: 'reinvest_rewards', body: { ...supply, reward_assets: [asset] } }
      : { path: 'claim-rewards', body: { asset } },
  )
}

export const bridged = [
  { asset: 'USDC', amount: 20n * 10n ** 6n },
  { asset: 'WETH', amount: 10n ** 16n },
] as const

/** One `part`-th of the account's amount of a token, in the smallest unit. */
type Share = (symbol: string, part: bigint) => string

function transfers(book: NetworkBook, share: Share, recipient: Address): PlanTrial[] {
  return book.tokens.map(({ symbol }) => ({
    path: 'transfer',
    body: { asset: symbol, amount: share(symbol, 1000n), recipient },
  }))
}

function yieldSteps(share: Share, asset: string, where: object): PlanTrial[] {
  return [
    { path: 'earn', body: { asset, amount: share(asset, 100n), ...where } },
    { path: 'withdraw', body: { asset, amount: 'max', ...where } },
  ]
}

function loanSteps(loan: Record<string, unknown>): PlanTrial[] {
  const all = { amount: 'max', collateral_amount: 'max' }
  return [
    { path: 'borrow', body: loan },
    { path: 'repay', body: { ...loan, ...all } },
  ]
}

function cometSteps(book: NetworkBook, share: Share): PlanTrial[] {
  const protocol = 'compound'
  return book.comets.flatMap(({ baseSymbol, baseBorrowMin, collaterals }) => [
    ...yieldSteps(share, baseSymbol, { protocol }),
    ...collaterals.flatMap(({ symbol }) =>
      loanSteps({
        protocol,
        asset: baseSymbol,
        amount: (2n * baseBorrowMin + 1n).toString(),
        collateral_asset: symbol,
        collateral_amount: share(symbol, 3n),
      }),
    ),
  ])
}

/** Each reserve is the only collateral while the next one is supplied: Aave then reads whether it is isolated. */
function aaveSteps(book: NetworkBook, share: Share): PlanTrial[] {
  const { reserves } = book.aave
  return reserves.flatMap(({ symbol }, index) => {
    const next = reserves[(index + 1) % reserves.length]!
    const [first, second] = [symbol, next.symbol].map((asset) =>
      yieldSteps(share, asset, { protocol: 'aave' }),
    )
    return [0, 1].flatMap((at) => [...first!.slice(at, at + 1), ...second!.slice(at, at + 1)])
  })
}

function vaultSteps(book: NetworkBook, share: Share): PlanTrial[] {
  return book.morpho.vaults.flatMap(({ assetSymbol, address }) =>
    yieldSteps(share, assetSymbol, { protocol: 'morpho_vault', market: address }),
  )
}

function morphoSteps(book: NetworkBook, share: Share): PlanTrial[] {
  return book.morpho.markets.flatMap(({ id, loanSymbol, collateralSymbol }) =>
    loanSteps({
      protocol: 'morpho',
      market: id,
      asset: loanSymbol,
      amount: share(loanSymbol, 10_000n),
      collateral_asset: collateralSymbol,
      collateral_amount: share(collateralSymbol, 3n),
    }),
  )
}

/** On every pool that a market's pair has. */
function loops(book: NetworkBook, share: Share): PlanTrial[] {
  const pools = uniswapPools(book)
  return book.morpho.markets.flatMap(({ id, loanSymbol, collateralSymbol, ...market }) => {
    const pair = [market.loanToken, market.collateralToken]
    const position = {
      market_id: id,
      exposure_asset: collateralSymbol,
      backing_asset: loanSymbol,
    }
    const backing = (part: bigint) => share(loanSymbol, part)
    return pools
      .filter(({ token0, token1 }) =>
        [token0, token1].every(({ address }) => pair.includes(address)),
      )
      .flatMap(({ fee }, index): PlanTrial[] => [
        {
          path: 'loop-long',
          body: {
            ...position,
            pool_fee: fee,
            is_increase: true,
            exposure_amount: share(collateralSymbol, 1000n),
            max_swap_backing_amount: backing(5n),
            max_provided_backing_amount: backing(3000n),
          },
        },
        ...(index > 0
          ? []
          : [
              {
                path: 'add-backing' as const,
                body: { ...position, amount: backing(20_000n), is_short: false },
              },
              {
                path: 'withdraw-backing' as const,
                body: { ...position, amount: backing(50_000n), is_short: false },
              },
            ]),
        {
          path: 'unloop-long' as const,
          body: {
            ...position,
            pool_fee: fee,
            exposure_amount: 'max',
            backing_amount_to_exit: '0',
            min_swap_backing_amount: '1',
          },
        },
      ])
  })
}

/** Swaps each token once to approve it for the exchange; then supplies and migrates. */
function swaps(book: NetworkBook, share: Share): PlanTrial[] {
  const [comet] = book.comets
  const vault = book.morpho.vaults.find(({ assetSymbol }) => assetSymbol === comet?.baseSymbol)
  const both = ['USDC', book.wrappedNativeSymbol]
  const migration = {
    asset: comet?.baseSymbol,
    amount: share(comet?.baseSymbol ?? '', 200n),
    from_protocol: 'compound',
    to_protocol: 'morpho_vault',
    to_market: vault?.address,
  }
  return [
    ...book.tokens.map(
      ({ symbol }): PlanTrial => ({
        path: 'swap',
        body: {
          sell_asset: symbol,
          sell_amount: share(symbol, 1000n),
          buy_asset: both.find((other) => other !== symbol),
        },
      }),
    ),
    // It stays there, to be rewarded: not every market rewards its lenders.
    ...book.comets.map(
      ({ baseSymbol }): PlanTrial => ({
        path: 'earn',
        body: {
          protocol: 'compound',
          asset: baseSymbol,
          amount: share(baseSymbol, 2n),
        },
      }),
    ),
    ...(comet && vault ? [{ path: 'migrate' as const, body: migration }] : []),
  ]
}
