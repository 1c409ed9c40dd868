import { agendaOf } from '../draw/draw.js'
import type { Profile } from '../draw/profiles.js'
import type { Baseline } from '../judge/run.js'
import type { ReportedFinding, SwarmProgress } from '../types.js'
import { type FindingKind, findingKinds } from '../types.js'
import type { RunLimits } from '../world/runOnce.js'
import type { Subject } from '../world/subject.js'
import { type MetCell, metErrors, openWorld, type World } from '../world/world.js'
import { type Measured, measure } from './baseline.js'
import { type ExamineContext, type Explained, examine, firstReport, tryOnce } from './examine.js'
import { createSightings, isConfirmed } from './sightings.js'
import { createWorldPool, type WorldPool } from './worldPool.js'

export interface SearchOptions {
  profile: Profile
  /** How many schedules to try; no limit when absent. */
  runs: number | undefined
  /** The search draws no more schedules after this many milliseconds. */
  forMs: number | undefined
  /** How many worlds run in parallel. */
  jobs: number
  /** Of the first run; each later run has the next one. */
  seed: number
  shrinkRuns: number
  /** The search draws no more schedules after this many different findings that show again; no limit when absent. */
  bail: number | undefined
  /** The kinds to look for. */
  finding: readonly FindingKind[]
  /** How long a run may take in all; when absent, `limitsOf` bounds it besides waiting for responses. Milliseconds. */
  timeoutMs: number | undefined
  /** The clock of the worlds, as `--clock`. */
  clock: string
  out: string
  /** The earlier search that this one resumes. */
  before: SearchDone | undefined
  /** Ends the search, which then reports its findings so far. */
  signal: AbortSignal
  onProgress(progress: SwarmProgress): void
  onFinding(finding: ReportedFinding): void
}

export interface SearchDone {
  seed: number
  runs: number
  findings: readonly ReportedFinding[]
}

export interface SearchResult {
  baseline: { exit: number; executions: number }
  runs: number
  single_faults: { tried: number; of: number }
  findings: readonly ReportedFinding[]
  /** Findings that three more runs did not show. */
  not_confirmed: readonly ReportedFinding[]
  /** How often all runs together received each documented response. */
  cells: readonly MetCell[]
  /** Effects of the profile that can never fire at this client. */
  unreached: readonly string[]
  /** How long the search took after the baseline. Milliseconds. */
  tookMs: number
}

/** How often the progress reads the coverage. Milliseconds. */
const cellsEveryMs = 1_000

/** The least limit of a run, besides waiting for responses. Milliseconds. */
const leastActiveMs = 15_000

/**
 * Searches for schedules under which the client shows a finding. Rejects with `NoBaselineError` when the client fails without faults.
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
  const { baseline, exit, executions, unreached, reachable } = measured
  const { profile, finding: wanted } = options
  const failing = new AbortController()
  const signal = AbortSignal.any([options.signal, failing.signal])
  if (reachable.length === 0) throw new NothingToDrawError(profile, unreached)
  const agenda = agendaOf(reachable, profile)
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
      await board.report({
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
    ...splitByConfirmation(await board.findings()),
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

export function limitsOf(
  { timeoutMs }: Pick<SearchOptions, 'timeoutMs'>,
  { tookMs = 0 }: Baseline,
): RunLimits {
  const activeMs = timeoutMs ?? Math.max(leastActiveMs, Math.ceil(tookMs * 10))
  return { activeMs, inAllMs: timeoutMs }
}

function splitByConfirmation(all: readonly ReportedFinding[]) {
  return {
    findings: all.filter(isConfirmed),
    not_confirmed: all.filter((each) => !isConfirmed(each)),
  }
}

type Board = ReturnType<typeof createBoard>

/** The state that all jobs share. */
function createBoard(options: SearchOptions, context: ExamineContext) {
  const { runs: most = Number.POSITIVE_INFINITY, forMs = Number.POSITIVE_INFINITY } = options
  const { bail = Number.POSITIVE_INFINITY } = options
  const metErrorCells = new Set<string>()
  const begun = performance.now()
  const { runs: doneBefore = 0, findings: earlier = [] } = options.before ?? {}
  let [drawnSoFar, done, cellsDueAt] = [doneBefore, doneBefore, 0]
  const sightings = createSightings({
    ...{ bail, earlier },
    examine: (sighting) => examine(sighting, context),
    onChange: () => progress(),
    onFinding: options.onFinding,
  })
  const progress = (): void =>
    options.onProgress({
      runs: done,
      findings: sightings.findings().length,
      examining: sightings.examining(),
      elapsedMs: performance.now() - begun,
      cells: metErrorCells.size,
    })
  return {
    /** The number of the next run; undefined at the end of the search. */
    async next(): Promise<number | undefined> {
      const hasRoom = await sightings.hasRoom()
      const isOver = drawnSoFar - doneBefore >= most || performance.now() - begun >= forMs
      return isOver || !hasRoom || options.signal.aborted ? undefined : drawnSoFar++
    },
    /** Whether it is time to read the coverage for the progress. */
    wantsCells(): boolean {
      const now = performance.now()
      if (now < cellsDueAt) return false
      cellsDueAt = now + cellsEveryMs
      return true
    },
    ended(cells: readonly MetCell[]): number {
      for (const { cell } of metErrors(cells)) metErrorCells.add(cell)
      done++
      progress()
      return done
    },
    report: sightings.report,
    seconds: (): number => Math.round((performance.now() - begun) / 100) / 10,
    runs: () => done,
    /** All findings. Those that could not be examined any more are reported as they were found. */
    async findings(): Promise<ReportedFinding[]> {
      await sightings.complete((first) => firstReport(first, context))
      return sightings.findings()
    },
  }
}

async function job(
  board: Board,
  agenda: ReturnType<typeof agendaOf>,
  context: ExamineContext & { firstSeed: number },
): Promise<void> {
  const { worlds, firstSeed } = context
  for (let place = await board.next(); place !== undefined; place = await board.next()) {
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
      await board.report({ finding, schedule, seed, foundAfter, seconds })
  }
}

async function untilAborted(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
