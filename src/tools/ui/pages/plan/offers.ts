import type { Schemas } from '../../../../clients/client/types.js'
import { type Held, positionsOf } from '../../../../service/folio/positions.js'
import type { FormValues } from '../../parts/formValues.js'
import { shownUnits } from '../../parts/money.js'
import { shownPercent } from '../../parts/text.js'

/** A value that a field offers, with what speaks for it. */
export interface Offer {
  value: string
  label: string
}

type Market = Schemas['Market']

/** What is known beside the form. */
export interface Known {
  folio: Held | null
  /** Symbols of the assets on the form's network, or of all. */
  symbols: readonly string[]
  markets: readonly Market[]
  networkOf(chainId: number): string
  symbolAt(network: string, address: string): string | undefined
}

/** Assets, markets and vaults that fit what the form says so far, with their rates and what the account holds of them. */
export function offersOf(name: string, values: FormValues, kind: string, known: Known): Offer[] {
  const network = text(values.network)
  if (/asset$/.test(name))
    return known.symbols.map((value) => {
      const rate = /^(?:sell|exposure)/.test(name) ? '' : rateOf(value, values, kind, known.folio)
      return { value, label: [held(value, network, known.folio), rate].filter(Boolean).join(', ') }
    })
  return /^(?:from_|to_)?market(?:_id)?$/.test(name) ? marketsOf(name, values, kind, known) : []
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const folioName = (network: string): string => (network === 'mainnet' ? 'ethereum' : network)

/** What the wallet has of it on all networks, that of the form first. */
function held(symbol: string, network: string, folio: Held | null): string {
  return (folio ? positionsOf(folio) : [])
    .filter((each) => each.kind === 'balance' && each.symbol === symbol)
    .sort((a, b) => Number(b.network === network) - Number(a.network === network))
    .map(({ amount, decimals, network: at }) => `${shownUnits(`${amount}`, decimals)} on ${at}`)
    .join(', ')
}

/** How folios and `GET /markets` call the protocols of forms. */
const words: Readonly<Record<string, string>> = {
  compound: 'comet',
  morpho: 'morpho_vault',
  morpho_vault: 'morpho_vault',
}

/** What supplying it earns, or borrowing it costs, on the network and protocol of the form. */
function rateOf(symbol: string, values: FormValues, kind: string, folio: Held | null): string {
  const protocol = text(values.protocol) || text(values.to_protocol)
  const start = (word: string): string => `${word}/${folioName(text(values.network))}/`
  if (kind === 'borrow' || kind === 'repay') {
    const word = protocol === 'compound' ? 'comet' : protocol
    const rates = Object.entries(folio?.borrow_markets ?? {}).flatMap(([key, market]) =>
      key.startsWith(start(word)) && key.split('/')[3] === symbol
        ? [Number(market.borrow_apr) - Number(market.borrow_rewards_apr)]
        : [],
    )
    return rates.length > 0 ? `borrows at ${shownPercent(Math.min(...rates))}` : ''
  }
  const word = words[protocol] ?? protocol
  const rates = Object.entries(folio?.yield_markets ?? {}).flatMap(([key, market]) =>
    key.startsWith(start(word)) && key.endsWith(`/${symbol}`)
      ? [Number(market.supply_apr) + Number(market.supply_rewards_apr)]
      : [],
  )
  return rates.length > 0 ? `earns ${shownPercent(Math.max(...rates))}` : ''
}

/**
 * The markets of `GET /markets` that the field takes: a Morpho market by its id for loans and loops, else the markets or vaults of the
 * protocol by their address. Each with what it earns or costs.
 */
function marketsOf(name: string, values: FormValues, kind: string, known: Known): Offer[] {
  const { folio, markets, networkOf, symbolAt } = known
  const network = text(values.network)
  const protocol = text(values[name.replace('market', 'protocol')] ?? values.protocol)
  const isLoan = name === 'market_id' || kind === 'borrow' || kind === 'repay'
  const asset = text(values.asset) || text(values.buy_asset)
  return markets.flatMap((market): Offer[] => {
    if (networkOf(market.chain_id) !== network) return []
    if (market.protocol === 'morpho_market')
      return isLoan && protocol !== 'compound' ? [morphoOf(market, network, known)] : []
    if (isLoan || market.protocol !== words[protocol] || market.protocol === 'aave_market')
      return []
    const [value, token] =
      market.protocol === 'comet'
        ? [market.comet_address, market.base_asset]
        : [market.vault, market.asset]
    const symbol = symbolAt(network, token) ?? token
    if (asset !== '' && symbol !== asset) return []
    const terms =
      folio?.yield_markets[`${market.protocol}/${folioName(network)}/${value}/${symbol}`]
    const rate = terms && shownPercent(Number(terms.supply_apr) + Number(terms.supply_rewards_apr))
    return [{ value, label: rate ? `${market.name}, earns ${rate}` : market.name }]
  })
}

/** A Morpho market, with what borrowing costs there. */
function morphoOf(
  { market_id: value, loan_token, collateral_token }: Market & { protocol: 'morpho_market' },
  network: string,
  { folio, symbolAt }: Known,
): Offer {
  const [loan, collateral] = [loan_token, collateral_token].map((at) => symbolAt(network, at) ?? at)
  const key = `morpho/${folioName(network)}/${collateral}/${loan}`
  const terms = folio?.borrow_markets[`${key}/${value}`] ?? folio?.borrow_markets[key]
  const rate = terms ? `, borrows at ${shownPercent(Number(terms.borrow_apr))}` : ''
  return { value, label: `${collateral} for ${loan}${rate}` }
}
