import type { Actor } from './cast.js'
import type { Difference } from './expect.js'
import type { ReferenceValues } from './references.js'
import type { Wire } from './target.js'

/** A scenario that is being played. */
export interface Play {
  wire: Wire
  cast: ReadonlyMap<string, Actor>
  /** Results of the steps, by their names, as references see them. */
  results: Map<string, unknown>
  /** Background steps that have not been joined. */
  waiting: Map<string, Promise<() => void>>
  /** Snapshot ids by their names. */
  snapshots: Map<string, string>
  /** Whether time moves only when told to. */
  isFrozen: boolean
  /** The clock to wait by where there is no control API: then time cannot be moved, and only events say that an execution has ended. */
  foreign?: RunClock
}

/** The clock that a player reads and waits by. */
export interface RunClock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  wait(ms: number): Promise<void>
}

/** What is wrong with the simulator's behaviour; the message says what was expected and what came. */
export class Unexpected extends Error {
  override name = 'Unexpected'
  /** The same in parts, where an answer is not as expected. */
  readonly difference: Difference | undefined

  constructor(message: string, difference?: Difference) {
    super(message)
    this.difference = difference
  }
}

/** Accounts and results, for references. */
export function known({ cast, results }: Pick<Play, 'cast' | 'results'>): ReferenceValues {
  const accounts = [...cast].map(([name, actor]) => {
    const [wallet_lower, signer_lower] = [actor.wallet, actor.signer].map((text) =>
      text.toLowerCase(),
    )
    return [name, { ...actor, wallet_lower, signer_lower }] as const
  })
  return new Map<string, unknown>([...accounts, ...results])
}

/** An activity, as far as scenarios look at it. */
export interface ActivityBody {
  activity_id: string
  activity_status: string
  activity_metadata: { revert_reason: string | null }[]
}

/** Why an activity is not confirmed. */
export function reasonsOf(activity: ActivityBody): string {
  const reasons = activity.activity_metadata.map((item) => item.revert_reason)
  return reasons.filter((reason) => reason !== null).join('; ') || 'no reason given'
}
