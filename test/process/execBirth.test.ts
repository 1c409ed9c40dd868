import { afterEach, expect, test } from 'vitest'
import { type CliRun, killRuns, runCli, startCli, startNpx } from '../kit/cli.js'
import { markedBy, waitUntilNothingCarries } from '../kit/processes.js'

// `exec` that is killed takes its command along, at whatever moment of the command's birth. Needs `npm run build` before.

afterEach(killRuns)

/** By this word the command is known. */
const word = 'the-command-of-exec'

/** Makes the program that starts the command kill itself by SIGKILL, at the moment that the variable MOMENT names. */
const killer = `
  import childProcess from 'node:child_process'
  import { writeSync } from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'

  const kill = () => process.kill(process.pid, 'SIGKILL')
  const moments = {
    'at once': kill,
    'after the promises': () => void Promise.resolve().then(() => queueMicrotask(kill)),
    'after a turn': () => void setImmediate(kill),
    'after two turns': () => void setImmediate(() => setImmediate(kill)),
    'a little later': () => void setTimeout(kill, 5),
  }
  const { spawn } = childProcess
  childProcess.spawn = (command, args, options) => {
    const child = spawn(command, args, options)
    if (!args.includes('${word}')) return child
    writeSync(2, 'spawned ' + child.pid)
    moments[process.env.MOMENT]()
    return child
  }
  syncBuiltinESMExports()`
const preload = `--import=data:text/javascript,${encodeURIComponent(killer)}`

/** A command that no stop signal ends, with a child of its own that none ends either. */
const stubborn = ['sh', '-c', "trap '' INT TERM HUP; sleep 100000 & sleep 100000; :", word]

/** Resolves when the program has killed itself and nothing of it is left. */
async function expectNothingLeft(run: CliRun): Promise<void> {
  await run.saying('stderr', /spawned \d+/)
  await waitUntilNothingCarries(run.mark)
  await run.ended
  expect(markedBy(run.mark)).toEqual([])
}

// Who is left behind is looked up in /proc.
test
  .runIf(process.platform === 'linux')
  .each(['at once', 'after the promises', 'after a turn', 'after two turns', 'a little later'])(
  'behavior: SIGKILL of exec at the birth of its command, %s, takes the command along',
  async (moment) => {
    const options = { nodeArgs: [preload], env: { MOMENT: moment } }
    for (let round = 0; round < 2; round++) {
      const run = startCli(['exec', '--', ...stubborn], options)
      await expectNothingLeft(run)
      expect(await run.ended).toEqual({ code: null, signal: 'SIGKILL' })
    }
  },
)

test.runIf(process.platform === 'linux')(
  'behavior: SIGKILL of exec at the birth of its command, started by npx',
  async () => {
    const env = { MOMENT: 'at once', NODE_OPTIONS: preload }
    await expectNothingLeft(startNpx(['exec', '--', ...stubborn], { env }))
  },
)

test('behavior: the command gets the whole environment and its words as they are', async () => {
  const odd = { 'npm_config_my-registry': 'a b=c', 'with.dot': '' }
  const look = `
    const { 'npm_config_my-registry': first, 'with.dot': second, SVC_BASE_URL } = process.env
    console.log(JSON.stringify({ first, second, url: typeof SVC_BASE_URL, args: process.argv.slice(1) }))`
  const args = ['plain', 'with space', '$HOME', "it's", '']
  const { code, stdout } = await runCli(['exec', '--', process.execPath, '-e', look, ...args], {
    env: odd,
  })
  expect(JSON.parse(stdout)).toEqual({ first: 'a b=c', second: '', url: 'string', args })
  expect(code).toBe(0)
})
