import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { searchOptions } from '../../src/tools/swarm/run.js'
import { type SearchResult, search } from '../../src/tools/swarm/search/search.js'
import type { FindingKind, SwarmOptions } from '../../src/tools/swarm/types.js'
import { commandSubject } from '../../src/tools/swarm/world/subject.js'
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

const hasGo = spawnSync('go', ['version']).status === 0
if (!hasGo) process.stderr.write('skipped: a client in Go, since there is no go here\n')

/** How a client is run; one in Go is built first. */
function commandOf(client: string): [string, ...string[]] {
  const file = join(folder, client)
  if (client.endsWith('.py')) return ['python3', file]
  if (!client.endsWith('.go')) return [process.execPath, file]
  const program = join(out, client.replace('.go', ''))
  const { status, stderr } = spawnSync('go', ['build', '-o', program, file], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return [program]
}

async function hunt(client: string, options: SwarmOptions): Promise<SearchResult> {
  const subject = commandSubject(commandOf(client))
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
  ['09_no_timeout.py', 'hung', { profile: 'any', timeoutSeconds: 4 }],
  ['10_ignores_retry_after.py', 'hammered'],
  ['11-counts-in-floating-point.mjs', 'moved_twice'],
  ['12-fails-on-an-unknown-event.mjs', 'gave_up', { profile: 'open' }],
  ['13-takes-failed-for-done.mjs', 'lost_track'],
  ['14-impatient-folio.mjs', 'impatient', { profile: 'any' }],
  ['15-forgets-at-restart.mjs', 'moved_twice', { restart: true }],
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

/** So many of each profile with `SWARM_RUNS=1000`; each takes about a second on two busy cores. */
const given = process.env.SWARM_RUNS

/** The good clients; each takes other profiles, so that all are there without `SWARM_RUNS`. */
const good: [client: string, runs: number, options: SwarmOptions][] = [
  ['good.mjs', 20, {}],
  ['good.py', 11, { restart: true, profile: 'restarts' }],
  ['good.go', 6, { profile: 'open' }],
]
const everywhere = ['good.mjs', 'good.py', 'good.go'].flatMap((client) =>
  ['survivable', 'any', 'open'].map((profile): (typeof good)[number] => [
    client,
    Number(given),
    { profile, restart: client === 'good.py' },
  ]),
)

test.each(
  (given === undefined ? good : everywhere).filter(
    ([client]) => (hasPython || !client.endsWith('.py')) && (hasGo || !client.endsWith('.go')),
  ),
)(
  'behavior: %s rides out %i schedules of %o',
  async (client, runs, options) => {
    if (options.profile === 'restarts') {
      options.profile = join(out, 'restarts.yaml')
      writeFileSync(options.profile, 'effects:\n  request.crash: {}\n')
    }
    const { findings, runs: done } = await hunt(client, { runs, seed: 1, ...options })
    expect(findings.map(({ kind, rules, message }) => ({ kind, rules, message }))).toEqual([])
    expect(done).toBe(runs)
  },
  120_000 + Number(given ?? 20) * 10_000,
)
