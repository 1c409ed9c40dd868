import type { Arbitrary } from 'fast-check'
import { drawn, type Schedule, schedules } from '../draw/draw.js'
import type { Profile } from '../draw/profile.js'
import { type FindingKind, findingKinds } from '../judge/finding.js'
import type { ReportedFinding, SwarmProgress } from '../types.js'
import type { Subject } from '../world/subject.js'
import { type MetCell, metErrors, openWorld, type World } from '../world/world.js'
import { type Measured, measure } from './baseline.js'
import { type ExamineContext, examine, type FirstSight, firstReport } from './examine.js'
import { createGroups, groupKey } from './groups.js'
import { type Explained, tryOnce } from './tryOnce.js'
import { createWorldPool, type WorldPool } from './worldPool.js'

/** How a search is done. */
export interface SearchOptions {
  profile: Profile
  /** Schedules that are tried; without bound when absent. */
  runs: number | undefined
  /** The search draws no more schedules after so long. Milliseconds. */
  forMs: number | undefined
  /** Worlds side by side. */
  jobs: number
  /** Of the first run; each later one has the next. */
  seed: number
  shrinkRuns: number
  /** Draws no more schedules after so many different findings; without bound when absent. */
  bail: number | undefined
  /** The kinds that are looked for. */
  finding: readonly FindingKind[]
  /** How long a run may take; ten times the baseline, and at least 10 s, when absent. Milliseconds. */
  timeoutMs: number | undefined
  /** Folder for scenarios and traces. */
  out: string
  /** Ends the search: what was found so far is reported. */
  signal: AbortSignal
  onProgress(progress: SwarmProgress): void
}

/** What a search has found. */
export interface SearchResult {
  baseline: { exit: number; executions: number }
  runs: number
  findings: readonly ReportedFinding[]
  /** Documented answers with how often all runs together met them. */
  cells: readonly MetCell[]
  /** Effects of the profile at which the client never arrives. */
  unreached: readonly string[]
  /** How long the search took after the baseline. Milliseconds. */
  tookMs: number
}

/** How often the progress learns which answers were met. Milliseconds. */
const cellsEveryMs = 1_000

/** A run may take so long at least. Milliseconds. */
const leastTimeoutMs = 10_000

/**
 * Searches for schedules at which the client shows a finding, in worlds that `open` starts or lends. Rejects with `NoBaselineError` when
 * there is nothing to compare with.
 */
export async function search(
  subject: Subject,
  options: SearchOptions,
  open: () => Promise<World> = openWorld,
): Promise<SearchResult> {
  const worlds = createWorldPool(open)
  try {
    const world = await worlds.take()
    const measured = await measure(world, subject, options)
    await worlds.release(world)
    return await hunt(worlds, subject, measured, options)
  } finally {
    await worlds.close()
  }
}

async function hunt(
  worlds: WorldPool,
  subject: Subject,
  measured: Measured,
  options: SearchOptions,
): Promise<SearchResult> {
  const { baseline, exit, executions, unreached, meetings } = measured
  const { signal, profile, finding: wanted } = options
  if (meetings.length === 0) throw new NothingToDrawError(profile, unreached)
  const arbitrary = schedules(meetings, profile.mostRules)
  const context: ExamineContext = {
    worlds,
    subject,
    baseline,
    arbitrary,
    signal,
    shrinkRuns: options.shrinkRuns,
    out: options.out,
    written: new Map(),
    timeoutMs: timeoutFor(options, baseline.tookMs),
    ignored: new Set([
      ...measured.findings.map(({ kind }) => kind),
      ...findingKinds.filter((kind) => !wanted.includes(kind)),
    ]),
  }
  const board = createBoard(options, context)
  const begun = performance.now()
  await untilAborted(signal, async () => {
    for (const finding of measured.findings.filter(({ kind }) => wanted.includes(kind)))
      await board.look({
        finding: { ...finding, timeline: undefined },
        schedule: [],
        seed: undefined,
        foundAfter: 0,
      })
    const jobs = Array.from({ length: options.jobs }, () => job(board, arbitrary, context))
    await Promise.all(jobs)
  })
  return {
    baseline: { exit, executions },
    runs: board.runs(),
    findings: await board.findings(),
    cells: await worlds.coverage(),
    unreached,
    tookMs: performance.now() - begun,
  }
}

/** No effect of the profile can fire at this client: every run would be a run without faults. */
class NothingToDrawError extends Error {
  override name = 'NothingToDrawError'

  constructor({ name }: Profile, unreached: readonly string[]) {
    super(
      `No effect of the profile ${name} can fire at this client: ${unreached.join(', ')}. Add effects that its requests, plan kinds and networks can meet, or use the profile survivable.`,
    )
  }
}

/** How long a run may take, when the client takes so long without faults. Milliseconds. */
export function timeoutFor(
  { timeoutMs }: Pick<SearchOptions, 'timeoutMs'>,
  baselineMs: number,
): number {
  return timeoutMs ?? Math.max(leastTimeoutMs, Math.ceil(baselineMs * 10))
}

type Board = ReturnType<typeof createBoard>

/** What is known of findings that look alike. */
interface Known {
  times: number
  sighting: FirstSight
  /** The faults that have shown it. */
  at: Set<string>
  /** Undefined until it has been examined. */
  finding: ReportedFinding | undefined
}

/** What all jobs share: which seed is next, what was found, and what is being looked at. */
function createBoard(options: SearchOptions, context: ExamineContext) {
  const { runs: most = Number.POSITIVE_INFINITY, forMs = Number.POSITIVE_INFINITY } = options
  const { bail = Number.POSITIVE_INFINITY } = options
  const sightings = new Map<string, Known>()
  const met = new Set<string>()
  const begun = performance.now()
  let [drawnSoFar, done, examining, cellsDueAt] = [0, 0, 0, 0]
  const grouped = (): ReportedFinding[] => {
    const groups = createGroups()
    for (const { finding, times, at } of sightings.values())
      if (finding) groups.add({ ...finding, seen: times, seen_with: [...at] })
    return groups.all()
  }
  const progress = (): void =>
    options.onProgress({
      runs: done,
      findings: grouped().length,
      examining,
      elapsedMs: performance.now() - begun,
      cells: met.size,
    })
  return {
    /** The next seed; undefined when there is to be no further run. */
    next(): number | undefined {
      const isOver =
        drawnSoFar >= most || performance.now() - begun >= forMs || sightings.size >= bail
      return isOver || options.signal.aborted ? undefined : options.seed + drawnSoFar++
    },
    /** Whether to look again at what was met: now and then, since that is for the progress alone. */
    wantsCells(): boolean {
      const now = performance.now()
      if (now < cellsDueAt) return false
      cellsDueAt = now + cellsEveryMs
      return true
    },
    ended(cells: readonly MetCell[]): number {
      for (const { cell } of metErrors(cells)) met.add(cell)
      done++
      progress()
      return done
    },
    /** Looks closely at what was not seen before. */
    async look(sighting: FirstSight): Promise<void> {
      const key = groupKey(sighting.finding)
      const known = sightings.get(key)
      const { at } = sighting.finding
      if (known) {
        known.times++
        if (at !== undefined) known.at.add(at)
        return
      }
      if (sightings.size >= bail) return
      const first: Known = {
        times: 1,
        sighting,
        finding: undefined,
        at: new Set(at === undefined ? [] : [at]),
      }
      sightings.set(key, first)
      examining++
      progress()
      first.finding = await examine(sighting, context)
      examining--
      progress()
    },
    runs: () => done,
    /** All of them; those that could not be examined any more as they were found. */
    async findings(): Promise<ReportedFinding[]> {
      for (const known of sightings.values())
        known.finding ??= await firstReport(known.sighting, context)
      return grouped()
    },
  }
}

async function job(
  board: Board,
  arbitrary: Arbitrary<Schedule>,
  context: ExamineContext,
): Promise<void> {
  const { worlds } = context
  for (let seed = board.next(); seed !== undefined; seed = board.next()) {
    const schedule = drawn(arbitrary, seed)
    const world = await worlds.take()
    let findings: Explained[]
    let cells: MetCell[] = []
    try {
      findings = await tryOnce(world, schedule, context)
      if (board.wantsCells()) cells = await world.coverage()
    } finally {
      await worlds.release(world)
    }
    const foundAfter = board.ended(cells)
    for (const finding of findings) await board.look({ finding, schedule, seed, foundAfter })
  }
}

/** Ends quietly when the signal aborts it: what was done until then stays. */
async function untilAborted(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
