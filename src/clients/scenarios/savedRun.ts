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
  /** The place of its answer in the journal. */
  answered?: number | undefined
  /** Of a request that a play sends at another place than its client: the cursor of the original. */
  of?: number
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
  /** What the scenario lacks, and why; each with its cursor. */
  leftOut: (readonly [number, string])[]
  /** What reads showed and not every play would find, and why; each with its read. */
  notExpected: string[]
  /** The cursors of the requests that it repeats. */
  repeated: ReadonlySet<number>
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Makes names that no other step has: `earn_1`, `execute_earn_1`, `execute_earn_1_2`. */
export function stepNames(): (stem: string) => string {
  const counts = new Map<string, number>()
  return (stem) => {
    const base = stem.replaceAll('-', '_')
    const many = (counts.get(base) ?? 0) + 1
    counts.set(base, many)
    return many === 1 && base.startsWith('execute_') ? base : `${base}_${many}`
  }
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
