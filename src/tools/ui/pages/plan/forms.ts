import type { Schemas } from '../../../../clients/client/types.js'
import { networks } from '../../../../deployments/networks.js'
import { type Held, positionsOf } from '../../../../service/folio/positions.js'
import { type ApiDocument, type FormSchema, resolved } from '../../api/schemas.js'
import type { FormValues } from '../../parts/formValues.js'
import { shownUnits } from '../../parts/money.js'
import { shownPercent } from '../../parts/text.js'

export interface PlanForm {
  /** As its path ends: `swap-and-supply`. */
  name: string
  summary: string
  description: string
  schema: FormSchema
  example: unknown
}

export function planForms(document: ApiDocument): PlanForm[] {
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    const [, name] = /\/plan\/([\w-]+)$/.exec(path) ?? []
    const body = post?.requestBody?.content['application/json']
    if (name === undefined || name === 'execute' || !body) return []
    const schema = resolved(document, body.schema)
    const fields = Object.entries(schema.properties ?? {}).map(([field, about]) => [
      field,
      assetFieldOf(field, schema) === undefined ? about : inWholeUnits(about),
    ])
    return [
      {
        name,
        summary: post.summary ?? name,
        description: post.description?.split('\n')[0] ?? '',
        schema: { ...schema, properties: Object.fromEntries(fields) },
        example: body.example,
      },
    ]
  })
}

function inWholeUnits(field: FormSchema): FormSchema {
  const about = (field.description ?? '').replace(
    /, in (?:its|the asset’s) smallest unit| or 2\^256-1/g,
    '',
  )
  const description = `${about} \`10\` is in whole units, \`raw:10\` in the smallest.`
  return { ...field, description, example: '10' }
}

/** Which asset a field with an amount is about: the one whose field shares the most of its name. */
export function assetFieldOf(name: string, schema: FormSchema): string | undefined {
  if (!/amount/.test(name)) return undefined
  const fields = Object.keys(schema.properties ?? {}).filter((each) => /asset$/.test(each))
  const stem = name.replace(/_?amount.*$/, '').replace(/^(?:max|min)_\w*?_?(?=backing)/, '')
  const own = fields.find((each) => stem !== '' && each.startsWith(stem.split('_').at(-1) ?? stem))
  if (own !== undefined) return own
  if (fields.includes('asset')) return 'asset'
  return fields.find((each) => each.startsWith('backing')) ?? fields[0]
}

interface Offer {
  value: string
  label: string
}

type Market = Schemas['Market']

export interface Known {
  folio: Held | null
  /** Symbols of the assets on the form's network, or of all. */
  symbols: readonly string[]
  markets: readonly Market[]
  networkOf(chainId: number): string
  symbolAt(network: string, address: string): string | undefined
}

/** Assets, markets and vaults that fit the form so far, with their rates and the account's balances. */
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

const folioName = (network: string): string =>
  networks.find(({ name }) => name === network)?.folioName ?? network

/** The wallet's balances of an asset on all networks, that of the form first. */
function held(symbol: string, network: string, folio: Held | null): string {
  return (folio ? positionsOf(folio) : [])
    .filter((each) => each.kind === 'balance' && each.symbol === symbol)
    .sort((a, b) => Number(b.network === network) - Number(a.network === network))
    .map(({ amount, decimals, network: at }) => `${shownUnits(`${amount}`, decimals)} on ${at}`)
    .join(', ')
}

/** What folios and `GET /markets` call the yield markets of a form's protocol. Loans have other names: `comet` and `morpho`. */
const protocolNames: Readonly<Record<string, string>> = {
  compound: 'comet',
  morpho: 'morpho_vault',
  morpho_vault: 'morpho_vault',
}

/** The rate for supplying or borrowing an asset on the network and protocol of the form. */
function rateOf(symbol: string, values: FormValues, kind: string, folio: Held | null): string {
  const protocol = text(values.protocol) || text(values.to_protocol)
  const isLoan = kind === 'borrow' || kind === 'repay'
  const names = isLoan ? { compound: 'comet' } : protocolNames
  const start = `${names[protocol] ?? protocol}/${folioName(text(values.network))}/`
  if (isLoan) {
    const rates = Object.entries(folio?.borrow_markets ?? {}).flatMap(([key, market]) =>
      key.startsWith(start) && key.split('/')[3] === symbol
        ? [Number(market.borrow_apr) - Number(market.borrow_rewards_apr)]
        : [],
    )
    return rates.length > 0 ? `borrows at ${shownPercent(Math.min(...rates))}` : ''
  }
  const rates = Object.entries(folio?.yield_markets ?? {}).flatMap(([key, market]) =>
    key.startsWith(start) && key.endsWith(`/${symbol}`)
      ? [Number(market.supply_apr) + Number(market.supply_rewards_apr)]
      : [],
  )
  return rates.length > 0 ? `earns ${shownPercent(Math.max(...rates))}` : ''
}

/**
 * The markets of `GET /markets` that the field takes, with their rates: for loans and loops, Morpho markets by id; otherwise the markets
 * or vaults of the protocol by address.
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
    if (isLoan || market.protocol !== protocolNames[protocol] || market.protocol === 'aave_market')
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
