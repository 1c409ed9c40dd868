import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { loadScenario } from '../../src/clients/scenarios/load.js'
import { emptyFolder, killRuns, runCli } from '../kit/cli.js'

// The built program. Needs `npm run build` before.

afterEach(killRuns)

const folder = fileURLToPath(new URL('../../scenarios/', import.meta.url))
const frozen = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => join(folder, name))
  .filter((file) => loadScenario(file).given.clock?.startsWith('frozen'))

/** Plays the whole library in a process of its own; every byte that went over the wire, and every network's last block. */
async function transcript(): Promise<string[]> {
  const file = join(emptyFolder(), 'transcript.ndjson')
  const { code, stdout } = await runCli(['scenario', 'run', ...frozen, '--transcript', file])
  expect(code, stdout).toBe(0)
  return readFileSync(file, 'utf8').trim().split('\n')
}

test('default: the whole library, played twice, gives the same bytes and the same blocks', async () => {
  const [first, second] = await Promise.all([transcript(), transcript()])
  const blocks = first!.map((line) => JSON.parse(line)).filter(({ blockHashes }) => blockHashes)
  expect(blocks).toHaveLength(frozen.length)
  for (const { blockHashes } of blocks) expect(Object.keys(blockHashes)).toHaveLength(5)
  for (const [i, line] of first!.entries()) expect(second![i]).toBe(line)
  expect(second).toHaveLength(first!.length)
}, 180_000)
