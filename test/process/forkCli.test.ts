import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killRuns, runCli, startCli } from '../kit/cli.js'
import { childrenOf } from '../kit/processes.js'
import { startUpstream, type Upstream, upstreamKey } from '../kit/upstream.js'

/** Forks from the shell: the key in an endpoint's URL is shown nowhere. */

let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream('base')
})
afterAll(() => {
  killRuns()
  return upstream.stop()
})

test('behavior: the banner names host and block of a fork; the key is in no output and no node’s arguments', async () => {
  const env = { SVC_SIM_FORK: `base=${upstream.url}` }
  const run = startCli(['start', '--port', '0'], { env })
  const host = new URL(upstream.url).host
  await run.saying('stdout', new RegExp(`Forked +base from ${host} at block \\d+`))
  const nodes = childrenOf(run.pid, 'anvil')
  expect(nodes).toHaveLength(5)
  const args = execFileSync('ps', ['-o', 'args=', '-p', nodes.join(',')], { encoding: 'utf8' })
  expect(args).toContain('--fork-url http://127.0.0.1:')
  run.kill('SIGTERM')
  expect((await run.ended).code).toBe(0)
  for (const text of [args, run.stdout, run.stderr]) expect(text).not.toContain(upstreamKey)
})

test('error: a fork that cannot be opened ends the start with 1, the reason and no stack', async () => {
  const { code, stdout, stderr } = await runCli(['start', '--port', '0'], {
    env: { SVC_SIM_FORK: `base=${upstream.url}@999999` },
  })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('base cannot be forked at block 999999')
  expect(stderr).not.toContain(upstreamKey)
  expect(stderr).not.toContain('    at ')
})
