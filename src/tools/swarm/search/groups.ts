import type { ReportedFinding } from '../types.js'

/** Findings of one kind at which the client could not cope with the same are one. */
export function groupKey({ kind, cause }: { kind: string; cause: string }): string {
  return `${kind} ${cause}`
}

/** Keeps one finding for each kind and cause, the one with the shortest example. */
export function createGroups() {
  const found = new Map<string, ReportedFinding>()
  const add = (finding: ReportedFinding): void => {
    const key = groupKey(finding)
    const before = found.get(key)
    if (!before) return void found.set(key, finding)
    found.set(key, {
      ...(lengthOf(finding) < lengthOf(before) ? finding : before),
      seen_with: [...new Set([...before.seen_with, ...finding.seen_with])],
      seen: before.seen + finding.seen,
      found_after: Math.min(before.found_after, finding.found_after),
    })
  }
  return { add, all: (): ReportedFinding[] => [...found.values()] }
}

function lengthOf({ rules }: ReportedFinding): number {
  return JSON.stringify(rules).length
}
