import type { ClockMode } from '../../time/clock.js'

export interface SavedRequest {
  cursor: number
  request_id: string
  at: string
  method: string
  url: string
  headers: Record<string, string>
  body?: unknown
  /** Each has its position in the journal, and its time as `at`. */
  notes: readonly { order: number; type: string; [fact: string]: unknown }[]
  answer: { at: string; status: number; body?: unknown; cut: boolean } | null
}

export interface SavedRun {
  exchanges: readonly SavedRequest[]
  /** The mode of the clock. */
  clock: ClockMode
  /** Of a test: events after this place are left out. Absent for a replay, which expects no states of its reads. */
  end?: number
  name: string
}

export interface SavedScenario {
  scenario: Record<string, unknown>
  /** The exchange of each step; undefined for a step that only waits. */
  requests: readonly (SavedRequest | undefined)[]
  /** References of the scenario by ids and addresses of the journal. */
  references: ReadonlyMap<string, string>
  /** What the scenario lacks, and why. */
  leftOut: string[]
}

/** Replaces ids of the journal by references. */
export function withReferences<T>(value: T, references: ReadonlyMap<string, string>): T {
  let text = JSON.stringify(value)
  for (const [known, reference] of references) text = text.replaceAll(known, reference)
  return JSON.parse(text)
}

/** Whether a text contains the address of an account, which no reference can replace. */
export function namesInside(
  params: readonly unknown[],
  references: ReadonlyMap<string, string>,
): boolean {
  const text = JSON.stringify(params).toLowerCase()
  return [...references.keys()].some((known) => {
    const [, digits] = /^0x([0-9a-f]{40})$/.exec(known) ?? []
    return digits !== undefined && text.replaceAll(`"0x${digits}"`, '').includes(digits)
  })
}
