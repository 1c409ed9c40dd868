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
  if (/^(?:from_|to_)?market$/.test(name)) return vaultsOf(name, values, known)
  return name === 'market_id' ? morphosOf(values, known) : []
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const folioName = (network: string): string => (network === 'mainnet' ? 'ethereum' : network)

function held(symbol: string, network: string, folio: Held | null): string {
  return (folio ? positionsOf(folio) : [])
    .filter(
      (each) =>
        each.kind === 'balance' &&
        each.symbol === symbol &&
        (network === '' || each.network === network),
    )
    .map(({ amount, decimals, network: at }) => `${shownUnits(`${amount}`, decimals)} on ${at}`)
    .join(', ')
}

const words: Readonly<Record<string, string>> = { compound: 'comet', morpho: 'morpho_vault' }

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

/** Vaults and markets by their address, for a protocol that has several of an asset. */
function vaultsOf(name: string, values: FormValues, { folio }: Known): Offer[] {
  const protocol = text(values[name.replace('market', 'protocol')] ?? values.protocol)
  const word = words[protocol] ?? protocol
  const asset = text(values.asset) || text(values.buy_asset)
  return Object.entries(folio?.yield_markets ?? {}).flatMap(([key, market]) => {
    const [section, net, address = '', symbol = ''] = key.split('/')
    if (section !== word || net !== folioName(text(values.network))) return []
    if (asset !== '' && symbol !== asset) return []
    const rate = shownPercent(Number(market.supply_apr) + Number(market.supply_rewards_apr))
    return [{ value: address, label: `${symbol}, earns ${rate}` }]
  })
}

/** Morpho markets by their id, with what borrowing costs there. */
function morphosOf(values: FormValues, { folio, markets, networkOf, symbolAt }: Known): Offer[] {
  const network = text(values.network)
  return markets.flatMap((market) => {
    if (market.protocol !== 'morpho_market' || networkOf(market.chain_id) !== network) return []
    const [loan, collateral] = [market.loan_token, market.collateral_token].map((address) =>
      symbolAt(network, address),
    )
    const key = `morpho/${folioName(network)}/${collateral}/${loan}`
    const terms = folio?.borrow_markets[`${key}/${market.market_id}`] ?? folio?.borrow_markets[key]
    const rate = terms ? `, borrows at ${shownPercent(Number(terms.borrow_apr))}` : ''
    return [{ value: market.market_id, label: `${collateral} for ${loan}${rate}` }]
  })
}
