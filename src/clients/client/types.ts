import type { ProblemCode } from '../../lib/errors.js'
import type { components, paths } from './serviceApi.js'

/** The bodies of the service, by the names of the OpenAPI document: `Schemas['Plan']`. */
export type Schemas = components['schemas']

/** 0x and hex digits. */
export type HexText = `0x${string}`

type PlanPath<Kind extends string> = `/accounts/{account_id}/plan/${Kind}`

/** The plan kinds by their paths: `earn`, `swap-and-supply`, … */
export type PlanName = {
  [Path in keyof paths]: Path extends PlanPath<infer Kind> ? Exclude<Kind, 'execute'> : never
}[keyof paths]

/** What a request for a plan of a kind says. */
export type PlanIntent<Kind extends PlanName> =
  paths[PlanPath<Kind>]['post']['requestBody']['content']['application/json'] &
    (Kind extends 'swap' ? OneAmount : unknown)

/** The document can say only in words that a swap has exactly one of the two. */
type OneAmount =
  | { sell_amount: string; buy_amount?: never }
  | { buy_amount: string; sell_amount?: never }

/**
 * Why a call failed: the codes of the OpenAPI document; `unreachable` when no answer came, `unreadable` when the answer was none of
 * the service's. A service may have further codes.
 */
export type ServiceErrorCode = ProblemCode | 'unreachable' | 'unreadable' | (string & {})
