export const axes = ['shapes', 'codes', 'order', 'money', 'staleness', 'events', 'time'] as const

export type Axis = (typeof axes)[number]

export const sources = ['interface', 'public', 'judgement'] as const

export type Source = (typeof sources)[number]

/**
 * The source of an expectation: a section of the interface document, public knowledge of the service, or a choice of ours, which is a row
 * of docs/fidelity.md.
 */
export type Basis = { interface: string } | { public: string } | { judgement: string }

/** A run reads only, or also makes accounts and plans, or also executes plans. */
export const reaches = ['read', 'plan', 'all'] as const

export type Reach = (typeof reaches)[number]

/**
 * Why a check scores nothing. `violating`: it breaks the interface or public knowledge. `not recorded`: it differs from a choice of ours,
 * and no recording of the real service settles it. `not driven`: this run did not cause it. `not provable`: no client can cause or see it.
 */
export const zeros = ['violating', 'not recorded', 'not driven', 'not provable'] as const

export type Zero = (typeof zeros)[number]

/** A probe could not run; the message says why. */
export class NotExercised extends Error {
  override name = 'NotExercised'
  readonly zero: Zero

  constructor(why: string, zero: Zero = 'not driven') {
    super(why)
    this.zero = zero
  }
}

/** The server has stopped answering, or the run has sent its last request. */
export class RunEnded extends Error {
  override name = 'RunEnded'
}

/** The value at a path of fields and positions; undefined where there is nothing. */
export function at(body: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown> | null | undefined)?.[key],
    body,
  )
}

export function errorCodeOf({ status, body }: { status: number; body: unknown }): string | null {
  if (status < 400) return null
  const error = at(body, 'error')
  return typeof error === 'string' ? error : ''
}
