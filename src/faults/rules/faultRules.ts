/** A rule with what it has done so far. */
export interface RuleView {
  id: string
  /** The seam where it applies. */
  on: string
  /** What it does: a name, or `{ name: settings }`. Of a rule with a `sequence` absent. */
  effect?: RuleStepView
  /** What happens at each matching call in turn. */
  sequence?: RuleStepView[]
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
  /** Calls at which it fired; 1 for an effect that stands. */
  hits: number
}

type RuleStepView = string | Record<string, unknown>

/** The fault rules of a simulator. */
export interface FaultRules {
  /** Adds a rule (docs/faults.md); what stands, stands when it resolves. Rejects with `invalid_params`, nothing changed. */
  add(rule: unknown): Promise<RuleView>
  /** Replaces all rules by these. Rejects with `invalid_params`, nothing changed, when one of them will not do. */
  set(rules: readonly unknown[]): Promise<RuleView[]>
  list(): RuleView[]
  /** Removes a rule, lets go what it holds and takes back what it has changed. False when there is none of that id. */
  remove(id: string): Promise<boolean>
  /** Removes all rules, those of requests under way too. */
  clear(): Promise<void>
}
