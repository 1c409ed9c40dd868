import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { FindingKind } from '../../src/tools/swarm/judge/finding.js'
import { searchOptions } from '../../src/tools/swarm/options.js'
import { type SearchResult, search } from '../../src/tools/swarm/search/search.js'
import type { SwarmOptions } from '../../src/tools/swarm/types.js'
import { commandSubject } from '../../src/tools/swarm/world/commandSubject.js'
import { openWorld, type World } from '../../src/tools/swarm/world/world.js'

/** The clients of examples/clients: each defect is found, with the right name and by few rules; the good client has none. */

const folder = fileURLToPath(new URL('../../examples/clients', import.meta.url))
const out = mkdtempSync(join(tmpdir(), 'svc-sim-hunts-'))

/** Worlds that no hunt uses now: each starts some, and leaves them to the next. */
const shelf: World[] = []
async function lend(): Promise<World> {
  const world = shelf.pop() ?? (await openWorld())
  const giveBack = async (): Promise<void> => {
    await world.reset()
    shelf.push(world)
  }
  return { ...world, close: giveBack }
}

afterAll(async () => {
  await Promise.all(shelf.map((world) => world.close()))
  rmSync(out, { recursive: true, force: true })
})

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) process.stderr.write('skipped: clients in Python, since there is no python3 here\n')

async function hunt(client: string, options: SwarmOptions): Promise<SearchResult> {
  const program = client.endsWith('.py') ? 'python3' : process.execPath
  const subject = commandSubject([program, join(folder, client)])
  try {
    return await search(
      subject,
      await searchOptions({ out, jobs: 2, shrinkRuns: 8, ...options }),
      lend,
    )
  } finally {
    await subject.close()
  }
}

const defects: [client: string, kind: FindingKind, more?: SwarmOptions][] = [
  ['01-pays-twice.mjs', 'moved_twice'],
  ['02-takes-executing-for-done.mjs', 'left_behind'],
  ['03_stops_at_the_first_5xx.py', 'gave_up'],
  ['04_never_plans_again.py', 'gave_up'],
  ['05-reuses-an-expired-plan.mjs', 'misused'],
  ['06-counts-a-doubled-event.mjs', 'left_behind'],
  ['07-trusts-the-order-of-events.mjs', 'gave_up'],
  ['08-keeps-no-cursor.mjs', 'misused'],
  ['09_no_timeout.py', 'hung', { profile: 'any', timeoutSeconds: 2 }],
  ['10_ignores_retry_after.py', 'hammered'],
  ['11-counts-in-floating-point.mjs', 'moved_twice'],
  ['12-fails-on-an-unknown-event.mjs', 'gave_up', { profile: 'open' }],
  ['13-takes-failed-for-done.mjs', 'lost_track'],
  ['14-impatient-folio.mjs', 'impatient', { profile: 'any' }],
]

test.each(defects.filter(([client]) => hasPython || !client.endsWith('.py')))(
  'behavior: %s: %s is found within 100 runs, by two rules at most',
  async (client, kind, more) => {
    const { findings } = await hunt(client, {
      runs: 100,
      seed: 1,
      finding: [kind],
      bail: 1,
      ...more,
    })
    expect(findings.map((found) => [found.kind, found.reproduced])).toEqual([[kind, '3 of 3']])
    expect(findings[0]!.rules.length).toBeLessThanOrEqual(2)
  },
  600_000,
)

/** A thousand with `SWARM_RUNS=1000`; each takes about a second on two busy cores. */
const goodRuns = Number(process.env.SWARM_RUNS ?? 20)

test(
  `behavior: the good client rides out ${goodRuns} schedules`,
  async () => {
    const { findings, runs } = await hunt('good.mjs', { runs: goodRuns, seed: 1 })
    expect(findings.map(({ kind, rules, message }) => ({ kind, rules, message }))).toEqual([])
    expect(runs).toBe(goodRuns)
  },
  goodRuns * 10_000 + 120_000,
)
