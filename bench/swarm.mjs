import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { swarm } from '../dist/index.js'
import { pay } from './swarmClient.mjs'

const file = (path) => fileURLToPath(new URL(path, import.meta.url))

/** How a client that takes its pauses from the world's clock waits. */
const byClock = ({ clock }) => ({ pause: (ms, signal) => clock.wait(ms / 1000, signal) })

/** Runs a second of a search with so many runs, from the first schedule to the last judgement; a finding would distort them. */
function rateOf({ runs, seconds, findings }) {
  if (findings.length > 0) throw new Error(`found ${findings[0].kind}: ${findings[0].message}`)
  return runs / seconds
}

/** Runs a second of each kind of client: a function whose pauses the clock skips, one with real pauses, and a process per run. */
export async function measureSwarm({ runs, jobs }) {
  const out = mkdtempSync(join(tmpdir(), 'svc-sim-bench-swarm-'))
  try {
    const options = { runs, jobs, seed: 1, out }
    const searched = async (patienceOf) =>
      rateOf(await swarm(options, (world) => pay({ ...world, patience: patienceOf(world) })))
    const command = async (...words) => {
      const args = [file('../dist/cli/main.js'), 'swarm', '--reporter', 'json', '--out', out]
      const bounds = ['--runs', runs, '--jobs', jobs, '--seed', 1].map(String)
      const told = await promisify(execFile)(
        process.execPath,
        [...args, ...bounds, '--', ...words],
        {
          maxBuffer: 2 ** 26,
        },
      )
      return rateOf(JSON.parse(told.stdout))
    }
    return {
      skipping: await searched(byClock),
      waiting: await searched(() => ({})),
      process: await command(process.execPath, file('swarmClient.mjs')),
      good: await command(process.execPath, file('../examples/clients/good.mjs')),
    }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
