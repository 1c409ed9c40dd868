/** What a run can show about a client. */
export const findingKinds = [
  'moved_twice',
  'claimed_success',
  'gave_up',
  'left_behind',
  'hung',
  'hammered',
  'misused',
] as const
export type FindingKind = (typeof findingKinds)[number]

/** Something wrong that a run has shown, in one paragraph. */
export interface ClientFinding {
  kind: FindingKind
  message: string
  /** The activity, plan or request that it is about, for `why`; undefined where it is about none. */
  about: string | undefined
  /** The fault or answer that probably set it off, such as `execute.response_lost`; what findings are grouped by at first. */
  cause: string
}
