/** What a run can show about a client. */
export const findingKinds = [
  'moved_twice',
  'claimed_success',
  'gave_up',
  'left_behind',
  'hung',
  'hammered',
  'misused',
  'impatient',
  'lost_track',
] as const
export type FindingKind = (typeof findingKinds)[number]

/** Something wrong that a run has shown, in one paragraph. */
export interface ClientFinding {
  kind: FindingKind
  message: string
  /** The activity, plan or request that it is about, for `why`; undefined where it is about none. */
  about: string | undefined
  /** A second one, where one alone does not show it. */
  and?: string
  /** The activity or request with which the damage was done: the timeline ends there. */
  until?: string
  /** What the client could not cope with, such as `409 plan_stale`. Findings of one kind and cause are one. */
  cause: string
  /** The fault that brought it there, and at which request. */
  at: string | undefined
}
