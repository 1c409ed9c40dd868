import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type CliRun,
  cliFile,
  createAccount,
  emptyFolder,
  install,
  killRuns,
  type Ready,
  startCli,
  startNpx,
  startProgram,
} from '../kit/cli.js'
import { startMuteServer } from '../kit/muteServer.js'
import {
  halt,
  isAlive,
  markedBy,
  waitUntilGone,
  waitUntilNothingCarries,
} from '../kit/processes.js'

// What is left when somebody kills what they started: npx, a test runner, `exec`. Needs `npm run build` before.

const isLinux = process.platform === 'linux'
const node = process.execPath
const start = ['start', '--json', '--port', '0']

afterEach(killRuns)

/** The processes of the program itself, without its nodes and watchdogs, that carry a run's mark. */
function programsOf(run: CliRun): number[] {
  return markedBy(run.mark).filter((pid) => {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return words.includes('start') && words.some((word) => /(main\.js|bin\/svc-sim)$/.test(word))
  })
}

async function readyOf(run: CliRun): Promise<Ready> {
  const [line] = await run.saying('stdout', /^\{.*\n/m)
  return JSON.parse(line) as Ready
}

async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/health/ready`)).status === 200
}

/** At SIGTERM and SIGHUP npm tells the program, at SIGKILL nobody does. */
describe.runIf(isLinux).each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('%s of npx', (signal) => {
  test('start stops cleanly, and starts again on the same port and data', async () => {
    const dataDir = emptyFolder()
    const run = startNpx([...start, '--data-dir', dataDir])
    const ready = await readyOf(run)
    const account = await createAccount(ready)
    expect(markedBy(run.mark, 'anvil')).toHaveLength(5)
    run.kill(signal)
    run.kill(signal) // somebody who kills twice
    await waitUntilNothingCarries(run.mark)
    await run.ended
    expect(run.stderr).toMatch(/: stopping, saving to .*\nsvc-sim: stopped\n/)
    if (signal !== 'SIGKILL') return // A clean stop is the same whoever asked for it.
    const { port } = new URL(ready.url)
    const again = startCli(['start', '--json', '--port', port, '--data-dir', dataDir])
    const { url, apiKey } = await readyOf(again)
    const headers = { authorization: `Bearer ${apiKey}` }
    expect((await fetch(`${url}/accounts/${account}`, { headers })).status).toBe(200)
    expect(again.stderr).toContain(': resumed\n')
  })

  // SIGHUP of exec itself: cliExec.test.ts.
  test.skipIf(signal === 'SIGHUP')('exec ends with its command and what that started', async () => {
    const command = 'sleep 100000 & echo runs; wait'
    const run = startNpx(['exec', '--', 'sh', '-c', command])
    await run.saying('stdout', /runs/)
    await vi.waitFor(() => expect(markedBy(run.mark, 'sleep')).toHaveLength(1), 10_000)
    run.kill(signal)
    await waitUntilNothingCarries(run.mark)
  })
})

test.runIf(isLinux)('behavior: npx killed while it starts leaves nothing', async () => {
  const mute = await startMuteServer()
  const run = startNpx([...start, '--fork', `base=${mute.url}`, '--fork-cache', 'none'])
  await Promise.all([mute.asked, run.saying('stderr', /starting 5 nodes/)])
  run.kill('SIGKILL')
  await run.ended
  expect(run.stdout).toBe('')
  await waitUntilNothingCarries(run.mark)
})

test.runIf(isLinux)(
  'behavior: npx killed, the stop hangs, a kill of the program itself ends it',
  async () => {
    const run = startNpx([...start, '--data-dir', emptyFolder()])
    await readyOf(run)
    await halt(markedBy(run.mark, 'anvil')) // so that they cannot be saved
    run.kill('SIGKILL')
    await run.saying('stderr', /npm has ended: stopping, saving to/)
    const [program] = programsOf(run)
    const impatient = setInterval(() => isAlive(program!) && process.kill(program!, 'SIGTERM'), 50)
    await run.ended
    clearInterval(impatient)
    await waitUntilNothingCarries(run.mark)
  },
)

/** A test runner: starts the simulator with pipes of its own, says its first line, and waits for ever. */
const runner = `
  const { spawn } = require('node:child_process')
  const child = spawn(process.argv[1], process.argv.slice(2), { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.pipe(process.stdout)
  setInterval(() => {}, 1e6)`

test.runIf(isLinux).each([
  ['itself', [node, cliFile, ...start]],
  ['in a shell', ['sh', '-c', `${node} ${cliFile} ${start.join(' ')}; exit $?`]],
])('behavior: a killed test runner takes its simulator along, started %s', async (_, command) => {
  const run = startProgram(node, ['-e', runner, ...command])
  await readyOf(run)
  run.kill('SIGKILL')
  await waitUntilNothingCarries(run.mark)
  await run.ended // and with it, what they have said is read
  expect(run.stderr).toContain('svc-sim: its parent process has ended: stopping')
  expect(run.stderr).toContain('svc-sim: stopped')
})

test.runIf(isLinux)(
  'behavior: output that somebody else still reads keeps it, until that one is gone too',
  async () => {
    const script = join(emptyFolder(), 'runner.sh')
    // A real pipe, not one of the sockets that Node makes. The reader outlives the runner.
    writeFileSync(script, `${node} ${cliFile} ${start.join(' ')} | tee /dev/null\n`)
    const run = startProgram('sh', [script])
    const { url } = await readyOf(run)
    const abandonedToo = startProgram(node, ['-e', runner, node, cliFile, ...start])
    await readyOf(abandonedToo)
    const [program] = programsOf(run)
    run.kill('SIGKILL')
    await vi.waitFor(
      () => expect(readFileSync(`/proc/${program}/status`, 'utf8')).toMatch(/PPid:\t1\n/),
      10_000,
    )
    // Whoever would have stopped has stopped when one that was abandoned later is gone.
    abandonedToo.kill('SIGKILL')
    await waitUntilNothingCarries(abandonedToo.mark)
    expect(await isReady(url)).toBe(true)
    const [tee] = markedBy(run.mark, 'tee')
    process.kill(tee!, 'SIGKILL')
    await waitUntilNothingCarries(run.mark)
  },
)

test.runIf(isLinux)(
  'behavior: what a finished step of CI leaves running stays: nohup, setsid, npx, its own output',
  async () => {
    const folder = emptyFolder()
    const json = `${start.join(' ')} >`
    const step = [
      `nohup ${node} ${cliFile} ${json} nohup.json 2> nohup.log &`,
      `setsid ${node} ${cliFile} ${json} setsid.json &`,
      `npx --offline svc-sim ${json} npx.json &`,
      // The output is the step's, which the agent reads no more when the step has ended.
      `${node} ${cliFile} start --port 0 &`,
      'mkfifo done; read -r line < done',
    ]
    writeFileSync(join(folder, 'step.sh'), step.join('\n'))
    install(folder)
    const run = startProgram('bash', ['step.sh'], { cwd: folder })
    const [, own] = await run.saying('stdout', /API\s+(http:\S+)/)
    const files = ['nohup', 'setsid', 'npx'].map((name) => join(folder, `${name}.json`))
    await vi.waitFor(() => files.map((file) => JSON.parse(readFileSync(file, 'utf8'))), {
      timeout: 60_000,
      interval: 50,
    })
    const urls = files.map((file) => (JSON.parse(readFileSync(file, 'utf8')) as Ready).url)
    const programs = programsOf(run)
    writeFileSync(join(folder, 'done'), '\n')
    await waitUntilGone([run.pid])
    run.stopReading('stdout')
    run.stopReading('stderr')
    const abandoned = startProgram(node, ['-e', runner, node, cliFile, ...start])
    await readyOf(abandoned)
    abandoned.kill('SIGKILL')
    await waitUntilNothingCarries(abandoned.mark)
    for (const url of [own!, ...urls]) expect(await isReady(url), url).toBe(true)
    for (const pid of programs) process.kill(pid, 'SIGTERM')
    await waitUntilNothingCarries(run.mark)
  },
  180_000,
)

test.runIf(isLinux)('behavior: under nohup at a terminal its closing is no request', async () => {
  // What nohup does there: SIGHUP ignored, standard input /dev/null for writing alone.
  const nohup = ['-c', `exec nohup "$@" 0>/dev/null`, 'sh', node, cliFile, ...start]
  const run = startProgram('sh', nohup)
  const { url } = await readyOf(run)
  run.kill('SIGHUP')
  expect(await isReady(url)).toBe(true)
  run.kill('SIGTERM')
  expect(await run.ended).toEqual({ code: 0, signal: null })
  expect(run.stderr).toMatch(/: SIGTERM: stopping\n/)
  expect(run.stderr).not.toContain('SIGHUP')
})

/** Whether `sh` is bash, which hides from what it starts by whom it was started itself. */
const shIsBash = (): boolean =>
  execFileSync('sh', ['-c', 'echo "$BASH_VERSION"'], { encoding: 'utf8' }).trim() !== ''

describe.runIf(isLinux)(
  'behavior: a terminal that closes, with standard input from /dev/null',
  () => {
    test.each([
      ['nohup node', `nohup '${node}' '${cliFile}'`, 'SIGTERM'],
      ['nohup npx', 'nohup npx --offline svc-sim', 'SIGTERM'],
      ['setsid', `setsid '${node}' '${cliFile}'`, 'SIGTERM'],
      ['nothing before it', `'${node}' '${cliFile}'`, 'SIGHUP'],
    ])('%s', async (_, program, endedBy) => {
      if (program.includes('npx') && shIsBash()) return
      const folder = emptyFolder()
      install(folder)
      const [json, log] = [join(folder, 'out.json'), join(folder, 'log')]
      const terminal = ['-qfc', 'bash --norc -i', '/dev/null']
      const run = startProgram('script', terminal, { cwd: folder, stdin: 'pipe' })
      // Bash waits, instead of reading at its prompt: there it may see the terminal's end before it is told of it (SIGHUP), and then
      // leaves as after `exit`, which tells its jobs nothing.
      run.write(`${program} ${start.join(' ')} </dev/null >out.json 2>log &\nwait\n`)
      const { url } = await vi.waitFor(() => JSON.parse(readFileSync(json, 'utf8')) as Ready, {
        timeout: 60_000,
        interval: 50,
      })
      const programs = programsOf(run)
      const shells = markedBy(run.mark, 'bash')
      run.kill('SIGKILL') // and with it the terminal
      await waitUntilGone(shells)
      if (endedBy === 'SIGTERM') {
        expect(await isReady(url)).toBe(true)
        for (const pid of programs) process.kill(pid, 'SIGTERM')
      }
      await waitUntilNothingCarries(run.mark)
      const said = readFileSync(log, 'utf8').match(/: \w+: stopping/g)
      expect(said).toEqual([`: ${endedBy}: stopping`])
    })
  },
)
