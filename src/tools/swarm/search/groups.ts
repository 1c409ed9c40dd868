import { fingerprint } from '../draw/fingerprint.js'
import type { ReportedFinding } from '../types.js'
import type { Explained } from './tryOnce.js'

/** What findings have in common before they are shrunk. */
export function roughFingerprint({ kind, cause }: Explained): string {
  return `${kind} ${cause}`
}

/** Keeps one finding for each fingerprint: the one with the shortest example. */
export function createGroups() {
  const found = new Map<string, ReportedFinding>()
  const add = (finding: ReportedFinding): void => {
    const key = fingerprint(finding, finding.rules)
    const before = found.get(key) ?? finding
    const shorter = lengthOf(finding) < lengthOf(before) ? finding : before
    const seen = before === finding ? finding.seen : before.seen + finding.seen
    found.set(key, {
      ...shorter,
      seen,
      found_after: Math.min(before.found_after, finding.found_after),
    })
  }
  return { add, all: (): ReportedFinding[] => [...found.values()] }
}

function lengthOf({ rules }: ReportedFinding): number {
  return JSON.stringify(rules).length
}
