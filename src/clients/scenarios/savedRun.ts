import type { ClockMode } from '../../time/clock.js'

/** An exchange of a journal, as far as a scenario is made of it. */
export interface SavedRequest {
  cursor: number
  at: string
  method: string
  url: string
  headers: Record<string, string>
  body?: unknown
  /** Each with its place among all that was journaled. */
  notes: readonly { order: number; type: string; [fact: string]: unknown }[]
  answer: { at: string; status: number; body?: unknown; cut: boolean } | null
}

/** What a saved scenario is made from. */
export interface SavedRun {
  exchanges: readonly SavedRequest[]
  /** How the clock ran; the scenario's runs the same way. */
  clock: ClockMode
  /** Ids of rules that are armed and have never fired: they need not fire in the scenario. */
  neverHit: readonly string[]
  name: string
}

/** A scenario that was made of a journal. */
export interface SavedScenario {
  /** As the schema of scenario files has it. */
  scenario: Record<string, unknown>
  /** For each step the exchange that it asks again; undefined for what only waits. */
  asked: readonly (SavedRequest | undefined)[]
  /** The reference that stands in the scenario for what the journal has under an id or address. */
  references: ReadonlyMap<string, string>
  /** What could not be taken over, and why. */
  leftOut: string[]
}

/** The same with references for what a scenario has under other ids. */
export function withReferences<T>(value: T, references: ReadonlyMap<string, string>): T {
  let text = JSON.stringify(value)
  for (const [known, reference] of references) text = text.replaceAll(known, reference)
  return JSON.parse(text)
}
