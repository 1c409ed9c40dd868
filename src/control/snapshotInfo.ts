export interface SnapshotInfo {
  id: string
  /** Undefined for a snapshot without a name. */
  name: string | undefined
  /** Service time at which it was taken; ISO 8601, whole seconds. */
  at: string
}
