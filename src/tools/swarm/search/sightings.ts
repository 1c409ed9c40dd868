import type { ReportedFinding } from '../types.js'
import { createGroups, type FirstSight, groupKey } from './examine.js'

interface Sightings {
  times: number
  first: FirstSight
  /** The faults that have shown it. */
  at: Set<string>
  /** Undefined until it has been examined. */
  finding: ReportedFinding | undefined
}

interface SightingsOptions {
  /** How many different findings count; one that has not shown again does not, so that a slow machine cannot end a search. */
  bail: number
  /** Those of the search that this one resumes. */
  earlier: readonly ReportedFinding[]
  /** Runs a finding again. */
  examine(sighting: FirstSight): Promise<ReportedFinding>
  /** Called when an examination begins or ends. */
  onChange(): void
  onFinding(finding: ReportedFinding): void
}

/** The findings of all jobs. Each is examined when it is seen first, and again when it is seen after an examination that did not show it. */
export function createSightings(options: SightingsOptions) {
  const { bail, earlier } = options
  const sightings = new Map<string, Sightings>()
  /** Examinations that have not succeeded yet. One that failed stays, so that the caller that waits for it fails as well. */
  const examinations = new Set<Promise<void>>()
  let examining = 0

  /** Whether one more finding counts; undefined while that depends on an examination. */
  const hasRoom = (): boolean | undefined => {
    const found = [...sightings.values()].map(({ finding }) => finding)
    const confirmed = found.filter((each) => each && isConfirmed(each)).length
    if (confirmed >= bail) return false
    return confirmed + examining < bail || undefined
  }
  const examine = async (entry: Sightings, sighting: FirstSight): Promise<void> => {
    entry.first = sighting
    entry.finding = undefined
    examining++
    options.onChange()
    const finding = await options.examine(sighting)
    entry.finding = finding
    examining--
    if (entry.times === 1 || isConfirmed(finding)) options.onFinding(finding)
    options.onChange()
  }
  const isUnproven = (key: string): boolean => {
    const known = sightings.get(key)
    return !known || (known.finding !== undefined && !isConfirmed(known.finding))
  }

  return {
    examining: () => examining,
    /** Waits while it depends on an examination whether one more finding counts. */
    async hasRoom(): Promise<boolean> {
      while (hasRoom() === undefined) await Promise.race(examinations)
      return hasRoom() === true
    },
    async report(sighting: FirstSight): Promise<void> {
      const { finding } = sighting
      const key = groupKey(finding)
      if (earlier.some((each) => groupKey(each) === key)) return
      while (isUnproven(key) && hasRoom() === undefined) await Promise.race(examinations)
      const mustExamine = isUnproven(key) && hasRoom() === true
      const entry = sightings.get(key) ?? {
        ...{ times: 0, first: sighting, finding: undefined },
        at: new Set<string>(),
      }
      if (entry.times === 0 && !mustExamine) return
      sightings.set(key, entry)
      entry.times++
      if (finding.at !== undefined) entry.at.add(finding.at)
      if (!mustExamine) return
      const examination = examine(entry, sighting)
      examinations.add(examination)
      await examination
      examinations.delete(examination)
    },
    /** What is known now. */
    findings(): ReportedFinding[] {
      const groups = createGroups()
      for (const finding of earlier) groups.add(finding)
      for (const { finding, times, at } of sightings.values())
        if (finding) groups.add({ ...finding, seen: times, seen_with: [...at] })
      return groups.all()
    },
    /** Gives those that could not be examined any more the report of `firstReport`. */
    async complete(firstReport: (first: FirstSight) => Promise<ReportedFinding>): Promise<void> {
      for (const entry of sightings.values()) entry.finding ??= await firstReport(entry.first)
    },
  }
}

export function isConfirmed({ reproduced }: ReportedFinding): boolean {
  return !/^0 of [1-9]/.test(reproduced)
}
