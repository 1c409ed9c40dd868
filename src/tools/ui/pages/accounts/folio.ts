import type { Schemas } from '../../../../clients/client/types.js'

type Folio = Schemas['Folio']

/** Something that an account has or owes. */
export interface Position {
  network: string
  /** `wallet`, `compound`, `aave`, `morpho`, `morpho vault`, `rewards`. */
  protocol: string
  kind: 'balance' | 'supply' | 'collateral' | 'debt' | 'reward' | 'locked reward'
  symbol: string
  amount: number
  /** Negative for a debt; undefined without a price. */
  usd: number | undefined
  /** What it earns or costs in a year, as a fraction; rewards included. */
  apr: number | undefined
  /** Whether its value is told by another position already. */
  isCounted: boolean
}

/** A debt with what stands behind it. */
export interface Debt {
  network: string
  protocol: string
  /** What of, in words: `USDC against WETH, wstETH`. */
  what: string
  debtUsd: number
  /** Below 1 it can be liquidated. */
  health: number
}

const networkOf = (folioName: string): string => (folioName === 'ethereum' ? 'mainnet' : folioName)

const protocolOf = (word: string): string =>
  ({ comet: 'compound', morpho_vault: 'morpho vault' })[word] ?? word

/** A slash inside a part is escaped. */
function parts(key: string): string[] {
  return key.split(/(?<!\\)\//).map((part) => part.replaceAll('\\/', '/'))
}

/** The number before the exponent counts whole units. */
export function amountOf(text: string): number {
  return Number(text.slice(0, text.lastIndexOf('e')))
}

function priceOf(folio: Folio, symbol: string): number | undefined {
  const price = folio.prices[`token/${symbol}`]
  return price === undefined ? undefined : Number(price)
}

/** Everything that is not zero, network by network as the folio has it. */
export function positionsOf(folio: Folio): Position[] {
  return Object.entries(folio.balances).map(([key, text]) => {
    const [section = '', ...rest] = parts(key)
    const amount = amountOf(text)
    const said = readers[section]?.(folio, rest) ?? {
      network: '',
      protocol: section,
      kind: 'balance',
      symbol: key,
    }
    const price = priceOf(folio, said.symbol)
    const sign = said.kind === 'debt' ? -1 : 1
    return {
      apr: undefined,
      isCounted: said.kind === 'locked reward',
      ...said,
      amount,
      usd: price === undefined ? undefined : sign * price * amount,
    }
  })
}

type Said = Pick<Position, 'network' | 'protocol' | 'kind' | 'symbol'> &
  Partial<Pick<Position, 'apr' | 'isCounted'>>

/** What a key says, section by section; the wallet stands at its end. */
const readers: Record<string, (folio: Folio, path: readonly string[]) => Said> = {
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
    // Aave lends against what is supplied: that is a position of its own.
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

/** What it all is worth in USD; debts and what is only collateral of Aave are not counted twice. */
export function worthOf(positions: readonly Position[]): number {
  return positions.reduce((sum, { usd = 0, isCounted }) => sum + (isCounted ? 0 : usd), 0)
}

/** Debts with their health. All debts on an Aave pool share what stands behind them. */
export function loansOf(folio: Folio): Debt[] {
  const groups = new Map<string, { debts: Map<string, number>; backing: Map<string, number> }>()
  const groupOf = (market: string) => {
    const [word, net, pool] = parts(market)
    const name = word === 'aave' ? `aave/${net}/${pool}` : market
    const group = groups.get(name) ?? { debts: new Map(), backing: new Map() }
    groups.set(name, group)
    return group
  }
  for (const [key, text] of Object.entries(folio.balances)) {
    const [section, ...path] = parts(key)
    if (section === 'borrow_market') {
      const market = path.slice(0, -1)
      const symbol = marketOf(market).symbol
      groupOf(market.join('/')).debts.set(symbol, amountOf(text) * (priceOf(folio, symbol) ?? 0))
    } else if (section === 'borrow_market_collateral') {
      const market = path.slice(0, -2).join('/')
      const symbol = path.at(-2) ?? ''
      const terms = folio.borrow_markets[market]?.collaterals[symbol]
      const price = Number(terms?.usd_price ?? priceOf(folio, symbol) ?? 0)
      const factor = Number(terms?.liquidate_collateral_factor ?? 0)
      groupOf(market).backing.set(symbol, amountOf(text) * price * factor)
    }
  }
  return [...groups].flatMap(([name, { debts, backing }]) => {
    const debtUsd = sum(debts)
    if (debtUsd === 0) return []
    const { network, protocol } = marketOf(parts(name))
    const what = `${[...debts.keys()].join(', ')} against ${[...backing.keys()].join(', ') || 'nothing'}`
    return [{ network, protocol, what, debtUsd, health: sum(backing) / debtUsd }]
  })
}

function sum(values: ReadonlyMap<string, number>): number {
  return [...values.values()].reduce((all, value) => all + value, 0)
}
