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

export interface ClientFinding {
  kind: FindingKind
  message: string
  /** The activity, plan, request or account that the finding is about, for `why`; undefined where it is about none. */
  about: string | undefined
  /** A second request, where one alone does not show the defect. */
  and?: string
  /** The activity or request with which the damage was done: the timeline ends there. */
  until?: string
  /** What the client could not cope with, such as `409 plan_stale`. Findings of one kind and cause are one. */
  cause: string
  /** The fault that caused the finding, and the request at which it fired. */
  at: string | undefined
}
