import { planKinds } from '../../../service/plans/kinds/index.js'
import { playing } from '../corpus/play.js'
import type { ProbeStep } from '../corpus/steps.js'
import type { Probe } from '../probe.js'
import type { Axis, Reach } from '../types.js'

/** Where an expectation comes from, and the documented answers that it is about. */
export type ProbeSource = Pick<Probe, 'from' | 'cells'>

/** The interface document says so, in this section. */
export const shown = (section: string, ...cells: string[]): ProbeSource => ({
  from: { interface: section },
  cells,
})

/** It is publicly known of the service. */
export const published = (topic: string, ...cells: string[]): ProbeSource => ({
  from: { public: topic },
  cells,
})

/** It is our choice: a row of docs/fidelity.md. */
export const chosen = (row: string, ...cells: string[]): ProbeSource => ({
  from: { judgement: row },
  cells,
})

/** A probe as its file writes it: its axis is that of the file unless it names another. */
type ProbeParts = Pick<Probe, 'isSlow'> & {
  from: ProbeSource
  axis?: Axis
} & (
    | { steps: readonly ProbeStep[]; reach?: Reach }
    | ({ steps?: never } & { [reach in Reach]?: Probe['attempt'] })
  )

/**
 * Makes the probes of an axis, by their names, each a sentence of what must hold. They have `steps` where those can say what to do, or
 * a function where something is computed. The function stands under the reach that it needs: `read`, `plan` or `all`.
 */
export function probesOn(axis: Axis, probes: Record<string, ProbeParts>): Probe[] {
  return Object.entries(probes).map(([name, { from, ...parts }]): Probe => {
    if (parts.steps) {
      const { steps, ...rest } = parts
      return { name, axis, reach: reachOf(steps), ...rest, ...from, steps, attempt: playing(steps) }
    }
    const { read, plan, all, ...rest } = parts
    const reach = read ? 'read' : plan ? 'plan' : 'all'
    return { name, axis, reach, ...rest, ...from, attempt: (read ?? plan ?? all)! }
  })
}

/** The same probe for each item of a list, by its name. */
export function probesFor<T>(
  list: readonly T[],
  probeOf: (item: T) => [name: string, parts: ProbeParts],
): Record<string, ProbeParts> {
  return Object.fromEntries(list.map(probeOf))
}

function reachOf(steps: readonly ProbeStep[]): Reach {
  const all = steps.flatMap((step) => ('once' in step ? step.steps : [step]))
  if (all.some((step) => 'execute' in step)) return 'all'
  return all.some((step) => 'account' in step || 'plan' in step) ? 'plan' : 'read'
}

/** Refusals that many probes expect. */
export const refusals = {
  invalid: { status: 400, code: 'invalid_params' },
  failed: { status: 400, code: 'plan_failed' },
  noPlan: { status: 404, code: 'plan_not_found' },
  stale: { status: 409, code: 'plan_stale' },
  internal: { status: 500, code: 'internal_error' },
}

/** An account that nobody has. */
export const nobody = 'acc_000000000000'

/** A plan that nobody has. */
export const noPlan = 'pln_000000000000'

/** The plan endpoint of a kind with the body that the document shows. */
export function exampleOf(path: string): Record<string, unknown> {
  return planKinds.find((kind) => kind.path === path)!.example as Record<string, unknown>
}

/** With an amount for the word `max`, which the interface does not show. */
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
