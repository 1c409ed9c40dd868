import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { type End, endBy, removeImages } from '../kit/ends.js'
import { beginnings, type Check, situations } from '../kit/situations.js'

/**
 * Every situation meets every end: what was under way when the simulator stopped, or was killed once or twice, goes on at the next start.
 * All situations share one life for each row; the clock is frozen. `test/kit/situations.ts` has what each one promises.
 */

const rows: [name: string, ways: End[]][] = [
  ['a clean stop', ['a clean stop']],
  ['a sudden end', ['a sudden end']],
  ['a sudden end and another right after the start', ['a sudden end', 'a sudden end']],
  ['a sudden end, and a clean stop right after the start', ['a sudden end', 'a clean stop']],
]

afterAll(removeImages)

describe.each(rows)('over %s', (_, ways) => {
  const checks = new Map<string, Check>()
  let folder: string
  let sim: SimulatorHandle

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-sim-ends-'))
    const options = { bridgeDelayMs: 60_000, longPollMs: 200 }
    const clock = { frozenAt: '2026-05-01T00:00:00Z' }
    sim = await createSimulator({ ...options, dataDir: folder, seed: 11n, clock })
    for (const { name, begin } of beginnings) checks.set(name, await begin(sim))
    let dataDir = folder
    for (const end of ways) {
      dataDir = await endBy(sim, dataDir, end)
      sim = await createSimulator({ ...options, dataDir })
    }
  })
  afterAll(async () => {
    await sim.close()
    await rm(folder, { recursive: true, force: true })
  })

  test.each(situations.map(({ name }) => name))('behavior: %s', (name) =>
    checks.get(name)!(sim, !ways.includes('a clean stop')),
  )
})
