import { mkdtemp, readFile, rmdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { loadScenario } from '../../clients/scenarios/load.js'
import { makeFolder } from '../../lib/files/makeFolder.js'
import type { Schedule } from './draw/draw.js'
import { type Profile, profiles, withRestarts } from './draw/profiles.js'
import { measure } from './search/baseline.js'
import { createGroups, tryOnce } from './search/examine.js'
import {
  limitsOf,
  type SearchDone,
  type SearchOptions,
  type SearchResult,
  search,
} from './search/search.js'
import { createWorldPool } from './search/worldPool.js'
import type { SwarmOptions, SwarmReport } from './types.js'
import { findingKinds } from './types.js'
import type { Subject } from './world/subject.js'
import { openWorld, usualClock } from './world/world.js'

/** Loaded when a search begins, since it brings `fast-check`. */
export async function searched(given: SwarmOptions, subject: Subject): Promise<SwarmReport> {
  try {
    const options = await searchOptions(given)
    await expectWritable(options.out)
    const report = swarmReportOf(await search(subject, options), options.seed)
    await writeProgress(options.out, report)
    return report
  } finally {
    await subject.close()
  }
}

/** Runs the scenario of a finding three times. */
export async function replayed(
  given: SwarmOptions,
  subject: Subject,
  file: string,
): Promise<SwarmReport> {
  try {
    const options = await searchOptions(given)
    return swarmReportOf(await replayScenario(subject, file, options), options.seed)
  } finally {
    await subject.close()
  }
}

/** Fails before the first run rather than after the last one. */
async function expectWritable(out: string): Promise<void> {
  try {
    await makeFolder(out)
    await rmdir(await mkdtemp(join(out, '.svc-sim-')))
  } catch (error) {
    throw new Error(
      `Cannot write to the folder ${out}: ${(error as Error).message}. Choose another one with --out.`,
    )
  }
}

export async function searchOptions(given: SwarmOptions): Promise<SearchOptions> {
  const { forSeconds, timeoutSeconds, resume } = given
  const out = resume ?? given.out ?? 'swarm'
  const profile = await profileNamed(given.profile ?? 'survivable')
  const before = resume === undefined ? undefined : await readProgress(resume)
  return {
    profile: given.restart ? withRestarts(profile) : profile,
    runs: given.runs ?? (forSeconds === undefined ? 100 : undefined),
    forMs: forSeconds === undefined ? undefined : forSeconds * 1000,
    // A run mostly waits: for its own pauses, and for its process to start.
    jobs: given.jobs ?? 2 * availableParallelism(),
    seed: before?.seed ?? given.seed ?? Math.floor(Math.random() * 2 ** 30),
    shrinkRuns: given.shrinkRuns ?? 40,
    bail: given.bail,
    finding: given.finding ?? findingKinds,
    timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    clock: given.clock ?? usualClock,
    out,
    before,
    onFinding: given.onFinding ?? (() => {}),
    signal: given.signal ?? new AbortController().signal,
    onProgress: given.onProgress ?? (() => {}),
  }
}

async function profileNamed(name: string): Promise<Profile> {
  if (Object.hasOwn(profiles, name)) return profiles[name as keyof typeof profiles]()
  const { readProfile } = await import('./draw/profileFile.js')
  return readProfile(name)
}

function swarmReportOf(result: SearchResult, seed: number): SwarmReport {
  const { tookMs, cells, ...others } = result
  return {
    ...others,
    cells: cells.filter(({ hits }) => hits > 0),
    seed,
    seconds: Math.round(tookMs / 100) / 10,
  }
}

const progressFile = 'search.json'

const progressSchema = z.object({
  version: z.literal(1),
  seed: z.int().min(0),
  runs: z.int().min(0),
  findings: z.array(z.looseObject({ kind: z.string(), cause: z.string() })),
})

/** For `--resume`. */
async function writeProgress(out: string, { seed, runs, findings }: SearchDone): Promise<void> {
  await writeFile(
    join(out, progressFile),
    `${JSON.stringify({ version: 1, seed, runs, findings })}\n`,
  )
}

async function readProgress(out: string): Promise<SearchDone> {
  const file = join(out, progressFile)
  try {
    return progressSchema.parse(JSON.parse(await readFile(file, 'utf8'))) as unknown as SearchDone
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isMissing ? 'there is no such file' : 'it is not the progress of a search'
    throw new Error(
      `Cannot go on with the search in ${out}: ${file}: ${why}. Name the folder that --out named, or begin a new search without --resume.`,
    )
  }
}

const replayRuns = 3

/** Nothing is shrunk, and nothing is written. */
async function replayScenario(
  subject: Subject,
  file: string,
  options: SearchOptions,
): Promise<SearchResult> {
  const schedule = loadScenario(file).faults as Schedule
  const worlds = createWorldPool(() => openWorld({ clock: options.clock }))
  const begun = performance.now()
  try {
    const world = await worlds.take()
    const { baseline, exit, executions } = await measure(world, subject, options)
    const groups = createGroups()
    const { signal } = options
    const limits = limitsOf(options, baseline)
    for (let run = 1; run <= replayRuns; run++) {
      const findings = await tryOnce(world, schedule, {
        subject,
        baseline,
        limits,
        signal,
        ignored: new Set(),
      })
      for (const { kind, cause, message, timeline } of findings)
        groups.add({
          kind,
          cause,
          message,
          timeline,
          rules: schedule,
          scenario: file,
          seen_with: [],
          trace: '',
          seed: options.seed,
          found_after: run,
          seen: 1,
          seconds: 0,
          reproduced: '',
        })
      await world.reset()
    }
    return {
      baseline: { exit, executions },
      runs: replayRuns,
      single_faults: { tried: 0, of: 0 },
      not_confirmed: [],
      findings: groups
        .all()
        .map((each) => ({ ...each, reproduced: `${each.seen} of ${replayRuns}` })),
      cells: await worlds.coverage(),
      unreached: [],
      tookMs: performance.now() - begun,
    }
  } finally {
    await worlds.close()
  }
}
