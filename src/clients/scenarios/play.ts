import type { Actor } from './cast.js'
import type { Difference } from './expect.js'
import type { ReferenceValues } from './references.js'
import type { Wire } from './target.js'

export interface Play {
  wire: Wire
  cast: ReadonlyMap<string, Actor>
  /** Results of the steps, by their names, as references see them. */
  results: Map<string, unknown>
  /** Background steps that have not been joined. */
  waiting: Map<string, Promise<() => void>>
  /** Snapshot ids by their names. */
  snapshots: Map<string, string>
  /** The clock moves only on request. */
  isFrozen: boolean
  /** For a server without a control API: its time cannot be moved, and only events show the end of an execution. */
  foreign?: RunClock
}

export interface RunClock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  wait(ms: number): Promise<void>
}

/** A difference from the expectation. */
export class Unexpected extends Error {
  override name = 'Unexpected'
  /** The same in parts, where an answer is not as expected. */
  readonly difference: Difference | undefined

  constructor(message: string, difference?: Difference) {
    super(message)
    this.difference = difference
  }
}

export function known({ cast, results }: Pick<Play, 'cast' | 'results'>): ReferenceValues {
  const accounts = [...cast].map(([name, actor]) => {
    const [wallet_lower, signer_lower] = [actor.wallet, actor.signer].map((text) =>
      text.toLowerCase(),
    )
    return [name, { ...actor, wallet_lower, signer_lower }] as const
  })
  return new Map<string, unknown>([...accounts, ...results])
}

export interface ActivityBody {
  activity_id: string
  activity_status: string
  activity_metadata: { revert_reason: string | null }[]
}

export function reasonsOf(activity: ActivityBody): string {
  const reasons = activity.activity_metadata.map((item) => item.revert_reason)
  return reasons.filter((reason) => reason !== null).join('; ')
}
