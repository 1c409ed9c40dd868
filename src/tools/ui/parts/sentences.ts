import type { MoneyFact } from './money.js'
import { moneyIn } from './money.js'

/** What a sentence is made of: words, amounts and networks. */
export type Phrase = string | MoneyFact | { chain: string }

type Context = Record<string, unknown>

/**
 * What actions say. `<amount>` stands for the amounts of that field, `<chain_id>` for a network, `<recipient>` for the text of that field;
 * what stands in braces is left out when it has no amount.
 */
const templates: Readonly<Record<string, string>> = {
  BRIDGE:
    'Bridge <input_amount> from <chain_id> to <destination_chain_id>{ (planned fee <bridge_fee>)}',
  BRIDGE_MINT: 'Receive <output_amount> on <chain_id> from <source_chain_id>',
  BRIDGE_REFUND: 'Get back <amount> on <chain_id>',
  INBOUND_TRANSFER: 'Receive <amount> from <sender> on <chain_id>',
  SWAP: 'Swap <input_amount> for <output_amount> on <chain_id>{ (fee <fee_amounts>)}',
  TRANSFER: 'Send <amount> to <recipient> on <chain_id>',
  WRAP: 'Wrap <wrapped_amount> into <to_asset_symbol> on <chain_id>',
  UNWRAP: 'Unwrap <wrapped_amount> into <to_asset_symbol> on <chain_id>',
  CLAIM_REWARDS: 'Claim <amounts> on <chain_id>',
  LOOP_LONG: 'Go long <exposure_amount> with up to <max_provided_backing_amount> on <chain_id>',
  UNLOOP_LONG: 'Close <exposure_amount> on <chain_id>',
  ADD_BACKING_TOKEN: 'Add <amount> of backing on <chain_id>',
  WITHDRAW_BACKING_TOKEN: 'Withdraw <amount> of backing on <chain_id>',
}

const venues: Readonly<Record<string, string>> = {
  COMET: 'Compound',
  AAVE: 'Aave',
  MORPHO_VAULT: 'a Morpho vault',
  MORPHO: 'Morpho',
}

/** What is done at a market, up to its name. */
const verbs: Readonly<Record<string, string>> = {
  SUPPLY: 'Supply <amount> to',
  WITHDRAW: 'Withdraw <amount> from',
  BORROW: 'Borrow <amount> from',
  REPAY: 'Repay <amount> to',
}

/** An action of a plan in words, such as `Supply 5.00 USDC ($5.00) to Compound on base`. */
export function actionSentence(type: string, context: Context): Phrase[] {
  const [, venue = '', verb = ''] =
    /^(COMET|AAVE|MORPHO_VAULT|MORPHO)_(SUPPLY|WITHDRAW|BORROW|REPAY)$/.exec(type) ?? []
  const aside = verb === 'BORROW' ? 'with collateral of' : 'and withdraw collateral of'
  const template = venue
    ? `${verbs[verb]} ${venues[venue]} on <chain_id>{, ${aside} <collateral_amounts>}`
    : (templates[type] ?? `${type} on <chain_id>`)
  return filled(template, context)
}

function filled(template: string, context: Context): Phrase[] {
  return template.split(/(\{.*?\}|<\w+>)/).flatMap((part): Phrase[] => {
    if (part.startsWith('{')) {
      const aside = filled(part.slice(1, -1), context)
      return aside.some((each) => typeof each === 'object') ? aside : []
    }
    const [, name] = /^<(\w+)>$/.exec(part) ?? []
    if (name === undefined) return part === '' ? [] : [part]
    if (name.endsWith('chain_id')) return [{ chain: String(context[name]) }]
    return /amount|fee/.test(name) ? amountsOf(name, context) : [String(context[name])]
  })
}

function amountsOf(name: string, context: Context): Phrase[] {
  if (name === 'bridge_fee') return bridgeFee(context)
  if (name === 'wrapped_amount')
    return sum('amount', { ...context, asset_symbol: context.from_asset_symbol })
  // One market takes a list, the other a single collateral.
  const also = name === 'collateral_amounts' ? sum('collateral_amount', context) : []
  return [...sum(name, context), ...also]
}

function sum(name: string, context: Context): Phrase[] {
  const all = moneyIn(name, context)
  const some = all.length > 1 ? all.filter(({ raw }) => raw !== '0') : all
  return some.flatMap((money, index) => (index === 0 ? [money] : [', ', money]))
}

/** The difference between what is deposited and what arrives, when both are of one asset. */
function bridgeFee(context: Context): Phrase[] {
  const [paid] = moneyIn('input_amount', context)
  const [received] = moneyIn('output_amount', context)
  if (!paid || !received || context.asset_symbol !== context.destination_asset_symbol) return []
  return [{ ...paid, raw: (BigInt(paid.raw) - BigInt(received.raw)).toString() }]
}
