import type { Step } from '../../../clients/scenarios/schema.js'
import { planKinds } from '../../../service/plans/kinds/index.js'
import type { Given, Probe } from '../probe.js'
import type { Axis, Reach } from '../types.js'

/** Where an expectation comes from, and the documented answers that it is about. */
export type ProbeSource = Pick<Probe, 'from' | 'cells'>

/** From this section of the interface document. */
export const shown = (section: string, ...cells: string[]): ProbeSource => ({
  from: { interface: section },
  cells,
})

/** From what is publicly known of the service. */
export const published = (topic: string, ...cells: string[]): ProbeSource => ({
  from: { public: topic },
  cells,
})

/** A choice of ours: a row of docs/fidelity.md. */
export const chosen = (row: string, ...cells: string[]): ProbeSource => ({
  from: { judgement: row },
  cells,
})

/** Amounts in the smallest unit, by network and asset. */
export type Funds = Record<string, Record<string, string>>

/** The funds of each account, by its name. */
export type Accounts = Record<string, Funds>

/** A setup that several probes share. */
export interface Shared {
  accounts: Accounts
  setup: { name: string; steps: Step[] }
}

/** A probe as its file writes it: its axis is that of the file unless it names another, and its reach is what its steps need. */
type ProbeParts = Pick<Probe, 'isSlow' | 'compute'> & {
  from: ProbeSource
  axis?: Axis
  reach?: Reach
  accounts?: Accounts
  setup?: Shared['setup']
  steps?: readonly Step[]
}

/** Makes the probes of an axis, by their names, each a sentence of what must hold. */
export function probesOn(axis: Axis, probes: Record<string, ProbeParts>): Probe[] {
  return Object.entries(probes).map(([name, parts]): Probe => {
    const { from, accounts = {}, setup, steps: when = [], ...rest } = parts
    const cast = Object.entries(accounts).map(([account, funds]) => [
      account,
      Object.keys(funds).length === 0 ? {} : { funds },
    ])
    const given: Given = { accounts: Object.fromEntries(cast), ...(setup && { setup }) }
    return { name, axis, reach: reachOf(given, when), ...rest, ...from, given, when }
  })
}

/** The same probe for each item of a list, by its name. */
export function probesFor<T>(
  list: readonly T[],
  probeOf: (item: T) => [name: string, parts: ProbeParts],
): Record<string, ProbeParts> {
  return Object.fromEntries(list.map(probeOf))
}

function reachOf({ accounts, setup }: Given, when: readonly Step[]): Reach {
  if ([...(setup?.steps ?? []), ...when].some(({ execute }) => execute)) return 'all'
  return Object.keys(accounts).length > 0 ? 'plan' : 'read'
}

/** Refusals that many probes expect. */
export const refusals = {
  invalid: { status: 400, error: 'invalid_params' },
  failed: { status: 400, error: 'plan_failed' },
  noPlan: { status: 404, error: 'plan_not_found' },
  stale: { status: 409, error: 'plan_stale' },
  internal: { status: 500, error: 'internal_error' },
} as const

export const nobody = 'acc_000000000000'

export const noPlan = 'pln_000000000000'

/** The plan endpoint of a kind with the body that the document shows. */
export function exampleOf(path: string): Record<string, unknown> {
  return planKinds.find((kind) => kind.path === path)!.example as Record<string, unknown>
}

/** Replaces the word `max`, which the interface does not show. */
function inNumbers(example: unknown): Record<string, unknown> {
  const entries = Object.entries(example as Record<string, unknown>)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === 'max' ? '1000000' : value]),
  )
}

/** The endpoints that make plans: name, whether interface.md shows it, example, and the fields that a body must have. */
export const planEndpoints = planKinds.map(({ path, isExtension, example }) => ({
  kind: path,
  isShown: !isExtension,
  example: inNumbers(example),
}))
