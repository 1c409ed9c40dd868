import { planKinds } from '../../src/plans/index.js'

/** One documented error of one endpoint (interface.md, "Errors"), and how a client meets it on purpose. */
export interface FaultCell {
  method: 'GET' | 'POST'
  /** Below the account where it begins with a dot. */
  path: string
  status: number
  code: string
  /** The rule that provokes it; absent where what is sent does. */
  rule?: Record<string, unknown>
  /** What the client does; `a good request` with a rule. */
  by: string
  body?: unknown
}

/** Endpoints whose errors interface.md shows; `repay` and `withdraw-backing` are ours, those of withdraw and transfer are not shown. */
const kinds = planKinds.filter(({ kind }) => kind !== 'repay' && kind !== 'withdrawBacking')
const unshown = ['withdraw', 'transfer']

const funded = { network: 'base', sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: '1000000' }

/** Requests whose quote is really asked, for an account that has USDC on base. */
const quoted: Record<string, unknown> = {
  swap: funded,
  'swap-and-supply': { ...funded, protocol: 'aave' },
}

function planCells({ path: name, example }: (typeof planKinds)[number]): FaultCell[] {
  const at = { method: 'POST' as const, path: `./plan/${name}` }
  const cells: FaultCell[] = [
    { ...at, status: 400, code: 'invalid_params', by: 'an empty body', body: {} },
  ]
  if (unshown.includes(name)) return cells
  const good = { ...at, by: 'a good request', body: example }
  const match = { kind: name }
  cells.push(
    { ...good, status: 400, code: 'plan_failed', rule: { on: 'plan', effect: 'fail', match } },
    { ...good, status: 400, code: 'no_wallet', rule: { on: 'plan', effect: 'no_wallet', match } },
    { ...good, status: 408, code: 'timeout', rule: { on: 'folio', effect: 'timeout', match } },
  )
  const quote = { ...good, status: 422, code: 'swap_quote_failed' }
  if (quoted[name])
    cells.push({
      ...quote,
      body: quoted[name],
      rule: { on: 'quote', effect: 'unavailable', match },
    })
  if (name === 'reinvest_rewards') {
    // Quotes are asked only where there are rewards to sell.
    const effect = { respond: { error: 'swap_quote_failed' } }
    cells.push({ ...quote, rule: { on: 'request', effect, match } })
  }
  return cells
}

const execute = { method: 'POST' as const, path: './plan/execute' }
const signed = { ...execute, by: 'a plan and its signature' }

/** Every documented cell, each with a way to meet it. */
export const faultCells: readonly FaultCell[] = [
  {
    method: 'POST',
    path: '/accounts',
    status: 400,
    code: 'invalid_params',
    by: 'an empty body',
    body: {},
  },
  {
    method: 'POST',
    path: '/accounts',
    status: 409,
    code: 'account_already_exists',
    by: 'the signer of an account',
  },
  {
    method: 'GET',
    path: './folio',
    status: 404,
    code: 'account_not_found',
    by: 'an account that does not exist',
  },
  {
    method: 'GET',
    path: './folio',
    status: 408,
    code: 'timeout',
    by: 'a good request',
    rule: { on: 'folio', effect: 'timeout' },
  },
  {
    method: 'GET',
    path: './events',
    status: 404,
    code: 'account_not_found',
    by: 'an account that does not exist',
  },
  { ...execute, status: 400, code: 'invalid_params', by: 'an empty body', body: {} },
  { ...signed, status: 404, code: 'plan_not_found', rule: { on: 'plan', effect: 'expire' } },
  { ...signed, status: 409, code: 'plan_stale', rule: { on: 'plan', effect: 'stale' } },
  {
    ...signed,
    status: 500,
    code: 'internal_error',
    rule: { on: 'execute', effect: 'reject_signature' },
  },
  ...kinds.flatMap(planCells),
]
