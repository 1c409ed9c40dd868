import { afterAll, expect, test } from 'vitest'
import { killRuns, startCli } from '../kit/cli.js'
import { childrenOf, isAlive } from '../kit/processes.js'

afterAll(killRuns)

/** Lets a failure happen in the middle of the program, as a defect would: in a timer, or in a promise that nobody awaits. */
function defectAt(signal: string, defect: string): string[] {
  const source = `process.on('${signal}', () => setImmediate(() => { ${defect} }))`
  return ['--import', `data:text/javascript,${encodeURIComponent(source)}`]
}

test.each([
  ['an exception', 'throw new TypeError("nobody thought of this")'],
  ['a promise', 'Promise.reject(new TypeError("nobody thought of this"))'],
])(
  'error: %s that nobody catches ends start with 1, the reason, and no process left',
  async (_what, defect) => {
    const nodeArgs = defectAt('SIGUSR2', defect)
    const run = startCli(['start', '--json', '--port', '0'], { nodeArgs })
    await run.saying('stdout', /^.*\n/)
    const nodes = childrenOf(run.pid, 'anvil')
    expect(nodes).toHaveLength(5)
    run.kill('SIGUSR2')
    expect(await run.ended).toEqual({ code: 1, signal: null })
    expect(run.stderr).toContain('svc-sim: stopped by an unexpected failure')
    expect(run.stderr).toContain('TypeError: nobody thought of this')
    expect(nodes.filter(isAlive)).toEqual([])
  },
)

test('error: exec ends its command and answers 1, whatever the command says', async () => {
  const command = [
    process.execPath,
    '-e',
    `process.on('SIGTERM', () => { console.log('asked to end'); process.exit(0) })
     console.log('running'); setInterval(() => {}, 1e6)`,
  ]
  const nodeArgs = defectAt('SIGUSR2', 'throw new Error("nobody thought of this")')
  const run = startCli(['exec', '--', ...command], { nodeArgs })
  await run.saying('stdout', /running/)
  run.kill('SIGUSR2')
  expect(await run.ended).toEqual({ code: 1, signal: null })
  expect(run.stdout).toContain('asked to end')
  expect(run.stderr).toContain('nobody thought of this')
})
