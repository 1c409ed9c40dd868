/** Where the money is at the end of a run. Accounts are in the order of their creation. */
export interface MoneyOutcome {
  accounts: readonly AccountOutcome[]
  prices?: WorldPrices
}

/** USD per whole token, as decimals by symbol. */
export type WorldPrices = Readonly<Record<string, string>>

export interface AccountOutcome {
  id: string
  /** Balances and positions in the smallest unit, by the folio's key without the account's wallet. */
  holdings: Readonly<Record<string, bigint>>
  /** Confirmed activities that plans of the account caused, oldest first. */
  moves: readonly Move[]
}

export interface Move {
  activityId: string
  planId: string
  /** The intent without its amounts and addresses: equal for the same intent. */
  intent: string
  /** The amounts of the intent by their field, in the smallest unit. */
  amounts: Readonly<Record<string, bigint>>
}

interface WireActivity {
  activity_id: string
  plan_id: string | null
  activity_status: string
  svc_intent?: { intent_type: string; intent: unknown } | null
}

/** Fields of an intent that differ from run to run, or follow from the others, as a token's address does from its symbol. */
const leftOut =
  /^(id|sender|recipient|withdrawer|borrower|repayer|claimer|(\w+_)?token|block_timestamp|fee_amount|swap_quote_.*)$/

/** Reads an account's outcome from its folio's `balances` and its activities (newest first, as they are listed). */
export function accountOutcome(
  account: { account_id: string; svc_wallet_address: string },
  balances: Readonly<Record<string, string>>,
  activities: readonly WireActivity[],
): AccountOutcome {
  const wallet = account.svc_wallet_address.toLowerCase()
  const holdings = Object.entries(balances).map(([key, amount]) => [
    key
      .split('/')
      .filter((part) => part.toLowerCase() !== wallet)
      .join('/'),
    folioUnits(amount),
  ])
  return {
    id: account.account_id,
    holdings: Object.fromEntries(holdings),
    moves: activities.filter(isMove).map(moveOf).reverse(),
  }
}

/** A folio amount such as `1.5e6` in the smallest unit: 1500000. Throws for anything else. */
export function folioUnits(text: string): bigint {
  const [, whole, part = '', exponent] = /^(\d+)(?:\.(\d+))?e(\d+)$/.exec(text) ?? []
  if (whole === undefined || part.length > Number(exponent))
    throw new Error(`"${text}" is not an amount of a folio, such as "1.5e6"`)
  return BigInt(whole + part.padEnd(Number(exponent), '0'))
}

type MoveActivity = WireActivity & { plan_id: string }

function isMove(activity: WireActivity): activity is MoveActivity {
  return activity.plan_id !== null && activity.activity_status === 'confirmed'
}

function moveOf({ activity_id, plan_id, svc_intent }: MoveActivity): Move {
  const fields = svc_intent ? flattened(svc_intent.intent) : []
  const isAmount = ([name, value]: readonly [string, string]): boolean =>
    name.endsWith('amount') && /^\d+$/.test(value)
  const others = fields
    .filter((field) => !isAmount(field))
    .map(([name, value]) => `${name}=${value}`)
  return {
    activityId: activity_id,
    planId: plan_id,
    intent: [svc_intent?.intent_type ?? 'unknown', ...others].join(' '),
    amounts: Object.fromEntries(
      fields.filter(isAmount).map(([name, value]) => [name, BigInt(value)]),
    ),
  }
}

/** Every scalar below an object, with its path. */
function flattened(value: unknown, path = ''): (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]]
  return Object.entries(value)
    .filter(([name]) => !leftOut.test(name))
    .flatMap(([name, inner]) => flattened(inner, path === '' ? name : `${path}.${name}`))
}
