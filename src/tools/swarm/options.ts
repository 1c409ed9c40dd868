import { availableParallelism } from 'node:os'
import type { Profile } from './draw/profile.js'
import { profiles, withRestarts } from './draw/profiles.js'
import { readProgress } from './files/progressFile.js'
import { findingKinds } from './judge/finding.js'
import type { SearchOptions } from './search/search.js'
import type { SwarmOptions } from './types.js'
import { usualClock } from './world/world.js'

/** The options with all defaults. Rejects with the reason when the profile is not one. */
export async function searchOptions(given: SwarmOptions): Promise<SearchOptions> {
  const { forSeconds, timeoutSeconds, resume } = given
  const out = resume ?? given.out ?? 'swarm'
  const profile = await profileNamed(given.profile ?? 'survivable')
  const before = resume === undefined ? undefined : await readProgress(resume)
  return {
    profile: given.restart ? withRestarts(profile) : profile,
    runs: given.runs ?? (forSeconds === undefined ? 100 : undefined),
    forMs: forSeconds === undefined ? undefined : forSeconds * 1000,
    // A run waits more than it computes: for its own pauses, and for its process to start.
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
