import { type Agenda, agendaOf } from '../draw/agenda.js'
import type { Profile } from '../draw/profile.js'
import { type FindingKind, findingKinds } from '../judge/finding.js'
import type { Baseline } from '../judge/run.js'
import type { ReportedFinding, SwarmProgress } from '../types.js'
import type { RunLimits } from '../world/runOnce.js'
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
  /** The clock of the worlds, as `--clock`. */
  clock: string
  /** Folder for scenarios and traces. */
  out: string
  /** What an earlier search has done, with which this one goes on. */
  before: SearchDone | undefined
  /** Ends the search: what was found so far is reported. */
  signal: AbortSignal
  onProgress(progress: SwarmProgress): void
  onFinding(finding: ReportedFinding): void
}

/** How far an earlier search has come. */
export interface SearchDone {
  seed: number
  runs: number
  findings: readonly ReportedFinding[]
}

/** What a search has found. */
export interface SearchResult {
  baseline: { exit: number; executions: number }
  runs: number
  single_faults: { tried: number; of: number }
  findings: readonly ReportedFinding[]
  /** Seen once, and not again. */
  not_confirmed: readonly ReportedFinding[]
  /** Documented answers with how often all runs together met them. */
  cells: readonly MetCell[]
  /** Effects of the profile at which the client never arrives. */
  unreached: readonly string[]
  /** How long the search took after the baseline. Milliseconds. */
  tookMs: number
}

/** How often the progress learns which answers were met. Milliseconds. */
const cellsEveryMs = 1_000

/** A run may take so long at least, besides waiting for responses. Milliseconds. */
const leastActiveMs = 15_000

/**
 * Searches for schedules at which the client shows a finding, in worlds that `open` starts or lends. Rejects with `NoBaselineError` when
 * there is nothing to compare with.
 */
export async function search(
  subject: Subject,
  options: SearchOptions,
  open: () => Promise<World> = () => openWorld({ clock: options.clock }),
): Promise<SearchResult> {
  const worlds = createWorldPool(open, options.jobs)
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
  const { profile, finding: wanted } = options
  const failing = new AbortController()
  const signal = AbortSignal.any([options.signal, failing.signal])
  if (meetings.length === 0) throw new NothingToDrawError(profile, unreached)
  const agenda = agendaOf(meetings, profile)
  const context: ExamineContext = {
    worlds,
    subject,
    baseline,
    signal,
    clock: options.clock,
    shrinkRuns: options.shrinkRuns,
    out: options.out,
    written: new Map(),
    limits: limitsOf(options, baseline),
    ignored: new Set([
      ...measured.findings.map(({ kind }) => kind),
      ...findingKinds.filter((kind) => !wanted.includes(kind)),
    ]),
  }
  const board = createBoard({ ...options, signal }, context)
  const begun = performance.now()
  await untilAborted(options.signal, async () => {
    for (const finding of measured.findings.filter(({ kind }) => wanted.includes(kind)))
      await board.look({
        finding: { ...finding, timeline: undefined },
        schedule: [],
        seed: undefined,
        foundAfter: 0,
        seconds: 0,
      })
    let first: { error: unknown } | undefined
    const jobs = Array.from({ length: options.jobs }, () =>
      job(board, agenda, { ...context, firstSeed: options.seed }).catch((error: unknown) => {
        first ??= { error }
        failing.abort()
      }),
    )
    // When one fails, the others end before their worlds do.
    await Promise.all(jobs)
    if (first) throw first.error
  })
  return {
    baseline: { exit, executions },
    runs: board.runs(),
    single_faults: { tried: Math.min(board.runs(), agenda.singles), of: agenda.singles },
    ...confirmed(await board.findings()),
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

/** How long a run may take, when the client takes so long without faults. */
export function limitsOf(
  { timeoutMs }: Pick<SearchOptions, 'timeoutMs'>,
  { tookMs = 0 }: Baseline,
): RunLimits {
  const activeMs = timeoutMs ?? Math.max(leastActiveMs, Math.ceil(tookMs * 10))
  return { activeMs, inAllMs: timeoutMs }
}

/** Those that were never seen again are told apart. */
function confirmed(all: readonly ReportedFinding[]) {
  const isConfirmed = ({ reproduced }: ReportedFinding): boolean => !/^0 of [1-9]/.test(reproduced)
  return {
    findings: all.filter(isConfirmed),
    not_confirmed: all.filter((each) => !isConfirmed(each)),
  }
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
  const { runs: doneBefore = 0, findings: foundBefore = [] } = options.before ?? {}
  let [drawnSoFar, done, examining, cellsDueAt] = [doneBefore, doneBefore, 0, 0]
  const secondsNow = (): number => Math.round((performance.now() - begun) / 100) / 10
  const grouped = (): ReportedFinding[] => {
    const groups = createGroups()
    for (const finding of foundBefore) groups.add(finding)
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
    /** The number of the next run; undefined when there is to be no further run. */
    next(): number | undefined {
      const isOver =
        drawnSoFar - doneBefore >= most ||
        performance.now() - begun >= forMs ||
        sightings.size >= bail
      return isOver || options.signal.aborted ? undefined : drawnSoFar++
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
      if (foundBefore.some((each) => groupKey(each) === key)) return
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
      options.onFinding(first.finding)
      progress()
    },
    seconds: secondsNow,
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
  agenda: Agenda,
  context: ExamineContext & { firstSeed: number },
): Promise<void> {
  const { worlds, firstSeed } = context
  for (let place = board.next(); place !== undefined; place = board.next()) {
    const seed = firstSeed + place
    const schedule = agenda.at(place, seed)
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
    const seconds = board.seconds()
    for (const finding of findings)
      await board.look({ finding, schedule, seed, foundAfter, seconds })
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
