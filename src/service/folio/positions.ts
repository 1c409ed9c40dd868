import type { z } from 'zod'
import { networks } from '../../deployments/networks.js'
import type { folioSchema } from './schema.js'

// Pure: the dashboard shows folios with it, and the simulator records what an account is worth.

/** The parts of a folio that say what an account has. */
export type Held = Pick<
  z.infer<typeof folioSchema>,
  'balances' | 'prices' | 'yield_markets' | 'borrow_markets'
>

export interface Position {
  network: string
  /** `wallet`, `compound`, `aave`, `morpho`, `morpho vault`, `rewards`. */
  protocol: string
  kind: 'balance' | 'supply' | 'collateral' | 'debt' | 'reward' | 'locked reward'
  symbol: string
  /** In the smallest unit. */
  amount: bigint
  decimals: number
  /** USD with 8 decimals, rounded towards zero; negative for a debt, undefined without a price. */
  usd: bigint | undefined
  /** What it earns or costs in a year, as a fraction; rewards included. */
  apr: number | undefined
  /** Whether another position already includes its value. */
  isCounted: boolean
}

/** A debt with its collateral. */
export interface Debt {
  network: string
  protocol: string
  /** What of, in words: `USDC against WETH, wstETH`. */
  what: string
  /** USD with 8 decimals. */
  debtUsd: bigint
  /** Below 1 it can be liquidated; rounded down to two decimals. */
  health: number
}

/** The network that folio keys call like this. */
const networkOf = (name: string): string =>
  networks.find(({ folioName }) => folioName === name)?.name ?? name

const protocolOf = (word: string): string =>
  ({ comet: 'compound', morpho_vault: 'morpho vault' })[word] ?? word

/** A slash inside a part is escaped. */
function parts(key: string): string[] {
  return key.split(/(?<!\\)\//).map((part) => part.replaceAll('\\/', '/'))
}

/** `1.5e6` is 1500000 of an asset with 6 decimals. */
function amountOf(text: string): { amount: bigint; decimals: number } {
  const at = text.lastIndexOf('e')
  const decimals = Number(text.slice(at + 1))
  return { amount: scaled(text.slice(0, at), decimals), decimals }
}

/** A plain decimal times a power of ten, rounded down. */
function scaled(text: string, decimals: number): bigint {
  const [whole = '0', part = ''] = text.split('.')
  return BigInt(whole + part.slice(0, decimals).padEnd(decimals, '0'))
}

/** USD with 8 decimals. */
function priceOf(folio: Held, symbol: string): bigint | undefined {
  const price = folio.prices[`token/${symbol}`]
  return price === undefined ? undefined : scaled(price, 8)
}

const worth = (amount: bigint, decimals: number, price: bigint): bigint =>
  (amount * price) / 10n ** BigInt(decimals)

/** Everything that is not zero, network by network as the folio has it. */
export function positionsOf(folio: Held): Position[] {
  return Object.entries(folio.balances).map(([key, text]) => {
    const [section = '', ...rest] = parts(key)
    const { amount, decimals } = amountOf(text)
    const said = readers[section]?.(folio, rest) ?? {
      network: '',
      protocol: section,
      kind: 'balance',
      symbol: key,
    }
    const price = priceOf(folio, said.symbol)
    const sign = said.kind === 'debt' ? -1n : 1n
    return {
      apr: undefined,
      isCounted: said.kind === 'locked reward',
      ...said,
      amount,
      decimals,
      usd: price === undefined ? undefined : sign * worth(amount, decimals, price),
    }
  })
}

type Said = Pick<Position, 'network' | 'protocol' | 'kind' | 'symbol'> &
  Partial<Pick<Position, 'apr' | 'isCounted'>>

/** The parts of a key, section by section; the wallet is the last. */
const readers: Record<string, (folio: Held, path: readonly string[]) => Said> = {
  token: (_, [net = '', symbol = '']) => ({
    network: networkOf(net),
    protocol: 'wallet',
    kind: 'balance',
    symbol,
  }),
  yield_market(folio, path) {
    const [word = '', net = '', , symbol = ''] = path
    const market = folio.yield_markets[path.slice(0, -1).join('/')]
    return {
      network: networkOf(net),
      protocol: protocolOf(word),
      kind: 'supply',
      symbol,
      ...(market && { apr: Number(market.supply_apr) + Number(market.supply_rewards_apr) }),
    }
  },
  borrow_market(folio, path) {
    const { network, protocol, symbol } = marketOf(path.slice(0, -1))
    const market = folio.borrow_markets[path.slice(0, -1).join('/')]
    return {
      network,
      protocol,
      kind: 'debt',
      symbol,
      ...(market && { apr: Number(market.borrow_apr) - Number(market.borrow_rewards_apr) }),
    }
  },
  borrow_market_collateral(_, path) {
    const { network, protocol } = marketOf(path.slice(0, -2))
    const symbol = path.at(-2) ?? ''
    // Aave lends against supplies, which are positions of their own.
    return { network, protocol, kind: 'collateral', symbol, isCounted: protocol === 'aave' }
  },
  reward: (_, path) => rewardOf(path, 'reward'),
  locked_reward: (_, path) => rewardOf(path, 'locked reward'),
}

function rewardOf([word, net = '', ...rest]: readonly string[], kind: Position['kind']): Said {
  const symbol = (word === 'comet_reward' ? rest[1] : rest[0]) ?? ''
  return { network: networkOf(net), protocol: 'rewards', kind, symbol }
}

/** `comet/base/0x.../USDC`, `morpho/base/WETH/USDC`. */
function marketOf([word = '', net = '', , symbol = '']: readonly string[]) {
  return { network: networkOf(net), protocol: protocolOf(word), symbol }
}

/** The total value in USD with 8 decimals; debts and Aave collateral are not counted twice. */
export function worthOf(positions: readonly Position[]): bigint {
  return positions.reduce((sum, { usd = 0n, isCounted }) => sum + (isCounted ? 0n : usd), 0n)
}

interface Group {
  debts: Map<string, bigint>
  /** What of the collateral counts before a liquidation. */
  backing: Map<string, bigint>
}

/** Debts with their health. All debts on an Aave pool share one collateral. */
export function loansOf(folio: Held): Debt[] {
  const groups = new Map<string, Group>()
  const groupOf = (market: string) => {
    const [word, net, pool] = parts(market)
    const name = word === 'aave' ? `aave/${net}/${pool}` : market
    const group = groups.get(name) ?? { debts: new Map(), backing: new Map() }
    groups.set(name, group)
    return group
  }
  for (const [key, text] of Object.entries(folio.balances)) {
    const [section, ...path] = parts(key)
    const { amount, decimals } = amountOf(text)
    if (section === 'borrow_market') {
      const market = path.slice(0, -1)
      const { symbol } = marketOf(market)
      const debt = worth(amount, decimals, priceOf(folio, symbol) ?? 0n)
      groupOf(market.join('/')).debts.set(symbol, debt)
    } else if (section === 'borrow_market_collateral') {
      const market = path.slice(0, -2).join('/')
      const symbol = path.at(-2) ?? ''
      const terms = folio.borrow_markets[market]?.collaterals[symbol]
      const price = terms?.usd_price ? scaled(terms.usd_price, 8) : (priceOf(folio, symbol) ?? 0n)
      const factor = scaled(terms?.liquidate_collateral_factor ?? '0', 18)
      const counted = (worth(amount, decimals, price) * factor) / 10n ** 18n
      groupOf(market).backing.set(symbol, counted)
    }
  }
  return [...groups].flatMap(([name, { debts, backing }]) => {
    const debtUsd = sum(debts)
    if (debtUsd === 0n) return []
    const { network, protocol } = marketOf(parts(name))
    const what = `${[...debts.keys()].join(', ')} against ${[...backing.keys()].join(', ') || 'nothing'}`
    const health = Number((sum(backing) * 100n) / debtUsd) / 100
    return [{ network, protocol, what, debtUsd, health }]
  })
}

function sum(values: ReadonlyMap<string, bigint>): bigint {
  return [...values.values()].reduce((all, value) => all + value, 0n)
}
