import type { Actor } from './cast.js'
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
}

/** What is wrong with the simulator's behaviour; the message says what was expected and what came. */
export class Unexpected extends Error {
  override name = 'Unexpected'
}

/** Accounts and results, for references. */
export function known({ cast, results }: Play): ReferenceValues {
  return new Map<string, unknown>([...cast, ...results])
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
