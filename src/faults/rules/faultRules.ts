/** A rule with what it has done so far. */
export interface RuleView {
  id: string
  /** The seam where it applies. */
  on: string
  /** What it does: a name, or `{ name: settings }`. Of a rule with a `sequence` absent. */
  effect?: RuleStepView
  /** What happens at each matching call in turn. */
  sequence?: RuleStepView[]
  /** How many steps of its sequence are used up. */
  used?: number
  /** What it is narrowed to. */
  match: Record<string, string>
  /** Matching calls that pass before it fires. */
  after: number
  /** How often it fires; always when absent. */
  times?: number
  /** How likely it fires; for certain when absent. */
  probability?: number
  /** Calls that matched. */
  seen: number
  /** Calls at which it fired; 1 for an effect that stands. A rule of the seam `answer` fires when it changes the response. */
  hits: number
  /** Of `hits`, those before this start of the simulator, with which the journal begins; absent for none. */
  earlier_hits?: number
  /** When it ends by itself, by the machine's clock (ISO 8601); absent for rules that last until they are removed. */
  ends?: string
  /** It has ended by itself. */
  over?: true
}

/** Whether it has fired for the last time, or its time is over. */
export function isSpent({
  over,
  times,
  hits,
  sequence,
  used,
  seen,
  after,
}: Pick<RuleView, 'hits' | 'seen' | 'after'> & {
  over?: true | undefined
  times?: number | undefined
  sequence?: readonly unknown[] | undefined
  used?: number | undefined
}): boolean {
  if (over) return true
  // Earlier versions recorded no `used`.
  if (sequence) return (used ?? seen - after) >= sequence.length
  return times !== undefined && hits >= times
}

/** How many steps of a sequence have come about or passed. */
export function usedSteps({
  next,
  returned,
  undecided,
}: Record<'returned' | 'undecided', readonly number[]> & { next: number }): number {
  return next - returned.length - undecided.length
}

type RuleStepView = string | Record<string, unknown>

/** The fault rules of a simulator. */
export interface FaultRules {
  /** Adds a rule (docs/faults.md). Effects that last until removal are active when it resolves. Rejects with `invalid_params` and changes nothing. */
  add(rule: unknown): Promise<RuleView>
  /** Replaces all rules by these. Rejects with `invalid_params`, and changes nothing, when one of them is not valid. */
  set(rules: readonly unknown[]): Promise<RuleView[]>
  list(): RuleView[]
  /** Removes a rule, releases what it holds and reverts its changes. False when no rule has this id. */
  remove(id: string): Promise<boolean>
  /** Removes all rules, including those of requests in progress. */
  clear(): Promise<void>
}
