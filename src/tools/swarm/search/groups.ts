import type { ReportedFinding } from '../types.js'

/** Findings of one kind and cause are one. */
export function groupKey({ kind, cause }: { kind: string; cause: string }): string {
  return `${kind} ${cause}`
}

/** Keeps the finding with the shortest schedule for each kind and cause. */
export function createGroups() {
  const groups = new Map<string, ReportedFinding>()
  const add = (finding: ReportedFinding): void => {
    const key = groupKey(finding)
    const before = groups.get(key)
    if (!before) return void groups.set(key, finding)
    groups.set(key, {
      ...(lengthOf(finding) < lengthOf(before) ? finding : before),
      seen_with: [...new Set([...before.seen_with, ...finding.seen_with])],
      seen: before.seen + finding.seen,
      found_after: Math.min(before.found_after, finding.found_after),
    })
  }
  return { add, all: (): ReportedFinding[] => [...groups.values()] }
}

function lengthOf({ rules }: ReportedFinding): number {
  return JSON.stringify(rules).length
}
