import type { MoneyFact } from './money.js'
import { moneyIn } from './money.js'

/** What a sentence is made of: words, amounts and networks. */
export type Phrase = string | MoneyFact | { chain: string }

type Context = Record<string, unknown>

const venues: Record<string, string> = {
  COMET: 'Compound',
  AAVE: 'Aave',
  MORPHO_VAULT: 'a Morpho vault',
  MORPHO: 'Morpho',
}

const verbs: Record<string, { verb: string; preposition: string }> = {
  SUPPLY: { verb: 'Supply', preposition: 'to' },
  WITHDRAW: { verb: 'Withdraw', preposition: 'from' },
  BORROW: { verb: 'Borrow', preposition: 'from' },
  REPAY: { verb: 'Repay', preposition: 'to' },
}

/** An action of a plan in words, such as `Supply 5.00 USDC ($5.00) to Compound on base`. */
export function actionSentence(type: string, context: Context): Phrase[] {
  const market = /^(COMET|AAVE|MORPHO_VAULT|MORPHO)_(SUPPLY|WITHDRAW|BORROW|REPAY)$/.exec(type)
  const words = market ? marketWords(market[1]!, market[2]!, context) : ownWords[type]?.(context)
  return words ?? [type, ...on(context)]
}

function marketWords(venue: string, action: string, context: Context): Phrase[] {
  const { verb, preposition } = verbs[action]!
  const collateral = [...sum('collateral_amounts', context), ...sum('collateral_amount', context)]
  const isMoved = collateral.some((each) => typeof each === 'object' && 'raw' in each)
  const aside = action === 'BORROW' ? ', with collateral of ' : ', and withdraw collateral of '
  return [
    `${verb} `,
    ...sum('amount', context),
    ` ${preposition} ${venues[venue]}`,
    ...on(context),
    ...(isMoved ? [aside, ...collateral] : []),
  ]
}

const ownWords: Record<string, (context: Context) => Phrase[]> = {
  BRIDGE: (context) => [
    'Bridge ',
    ...sum('input_amount', context),
    ' from ',
    { chain: String(context.chain_id) },
    ' to ',
    { chain: String(context.destination_chain_id) },
    ...bridgeFee(context),
  ],
  BRIDGE_MINT: (context) => [
    'Receive ',
    ...sum('output_amount', context),
    ...on(context),
    ' from ',
    { chain: String(context.source_chain_id) },
  ],
  BRIDGE_REFUND: (context) => ['Get back ', ...sum('amount', context), ...on(context)],
  INBOUND_TRANSFER: (context) => [
    'Receive ',
    ...sum('amount', context),
    ` from ${context.sender}`,
    ...on(context),
  ],
  SWAP: (context) => [
    'Swap ',
    ...sum('input_amount', context),
    ' for ',
    ...sum('output_amount', context),
    ...on(context),
    ...fee(sum('fee_amounts', context)),
  ],
  TRANSFER: (context) => [
    'Send ',
    ...sum('amount', context),
    ` to ${context.recipient}`,
    ...on(context),
  ],
  WRAP: (context) => ['Wrap ', ...wrapped(context), ...on(context)],
  UNWRAP: (context) => ['Unwrap ', ...wrapped(context), ...on(context)],
  CLAIM_REWARDS: (context) => ['Claim ', ...sum('amounts', context), ...on(context)],
  LOOP_LONG: (context) => [
    'Go long ',
    ...sum('exposure_amount', context),
    ' with up to ',
    ...sum('max_provided_backing_amount', context),
    ...on(context),
  ],
  UNLOOP_LONG: (context) => ['Close ', ...sum('exposure_amount', context), ...on(context)],
  ADD_BACKING_TOKEN: (context) => [
    'Add ',
    ...sum('amount', context),
    ' of backing',
    ...on(context),
  ],
  WITHDRAW_BACKING_TOKEN: (context) => [
    'Withdraw ',
    ...sum('amount', context),
    ' of backing',
    ...on(context),
  ],
}

const on = ({ chain_id }: Context): Phrase[] => [' on ', { chain: String(chain_id) }]

const fee = (phrases: Phrase[]): Phrase[] =>
  phrases.length === 0 ? [] : [' (fee ', ...phrases, ')']

/** The amounts of a field, with commas between; those of zero say nothing. */
function sum(name: string, context: Context): Phrase[] {
  const all = moneyIn(name, context)
  const some = all.length > 1 ? all.filter(({ raw }) => raw !== '0') : all
  return some.flatMap((money, index) => (index === 0 ? [money] : [', ', money]))
}

/** The difference between what is deposited and what arrives. */
function bridgeFee(context: Context): Phrase[] {
  const [paid] = moneyIn('input_amount', context)
  const [received] = moneyIn('output_amount', context)
  if (!paid || !received || context.asset_symbol !== context.destination_asset_symbol) return []
  return fee([{ ...paid, raw: (BigInt(paid.raw) - BigInt(received.raw)).toString() }])
}

function wrapped(context: Context): Phrase[] {
  const { from_asset_symbol, to_asset_symbol } = context
  const named = { ...context, asset_symbol: from_asset_symbol }
  return [...sum('amount', named), ` into ${to_asset_symbol}`]
}
