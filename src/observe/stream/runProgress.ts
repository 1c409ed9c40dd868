/** How far a run is: told as each of its parts begins, and at its end. */
export interface RunProgress {
  name: string
  /** Counts the runs of this process. */
  run: number
  state: 'running' | 'passed' | 'failed'
  /** The part that has begun, as `steps` names it; at the end the one that failed, or null. */
  where: string | null
  /** Why it failed. */
  message: string | null
  steps: readonly string[]
}
