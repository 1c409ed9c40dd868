import { effects } from '../../src/faults/effects/index.js'
import { seamOf } from '../../src/faults/rules/rules.js'
import { commonErrors, recorded } from '../../src/http/openapi/recorded.js'
import { type ProblemCode, problems } from '../../src/lib/errors.js'
import { pascalCase } from '../../src/lib/pascalCase.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { type PlanKind, planCodes } from '../../src/service/plans/model/kind.js'

/** One documented error of one endpoint (interface.md, "Errors"), and how a client meets it on purpose. */
export interface FaultCell {
  method: 'GET' | 'POST'
  /** Below the account where it begins with a dot. */
  path: string
  status: number
  code: string
  /** The rule that provokes it; absent where what is sent, or what the account has, does. */
  rule?: { on: string; effect: string; match?: object }
  /** What the client does; `a good request` with a rule. */
  by: string
  body?: unknown
  /** Part of the message, where a cause in the world makes it. */
  says?: string
}

/** A request that is good for whoever has what it takes. */
const byGoodRequest = 'a good request'
/** The same, of an account without funds, positions or rewards. */
export const byPenniless = 'a good request of an account that has nothing'
/** The same, of an account with USDC and rewards on base. */
export const byWealthy = 'a good request of an account that has what it takes'

/** How a client meets what the endpoint of each plan kind documents, by code. */
const waysToPlanErrors: Partial<
  Record<ProblemCode, (kind: PlanKind) => Omit<FaultCell, 'method' | 'path' | 'status' | 'code'>>
> = {
  invalid_params: () => ({ by: 'an empty body', body: {} }),
  plan_failed: ({ path, example }) => ({
    by: byPenniless,
    body: example,
    says: recorded[`plan${pascalCase(path)}`]?.errors.plan_failed ?? commonErrors.plan_failed!,
  }),
  no_wallet: ({ path, example }) => ({
    by: byGoodRequest,
    body: example,
    rule: { on: 'plan', effect: 'no_wallet', match: { kind: path } },
  }),
  timeout: ({ path, example }) => ({
    by: byGoodRequest,
    body: example,
    rule: { on: 'folio', effect: 'timeout', match: { kind: path } },
  }),
  swap_quote_failed: ({ path, example, schema, buys }) => ({
    by: byWealthy,
    body: example,
    rule: {
      on: 'quote',
      effect: 'drain',
      match: { kind: path, asset: buys?.(schema.parse(example))[0] },
    },
  }),
}

function planCells(kind: PlanKind): FaultCell[] {
  return planCodes(kind).flatMap((code) => {
    const way = waysToPlanErrors[code]?.(kind)
    const { status } = problems[code]
    return way ? { method: 'POST', path: `./plan/${kind.path}`, status, code, ...way } : []
  })
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
    by: byGoodRequest,
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
  ...planKinds.flatMap(planCells),
]

/** Where the rule of a cell answers by itself: why nothing in the world brings it about, or what does. */
export function syntheticBy({ rule }: FaultCell): string | undefined {
  return effects.find((each) => seamOf(each) === rule?.on && each.name === rule.effect)?.synthetic
}
