import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

// What takes hours. The scenario library and the test suite again and again while every core is busy with something else: what
// holds only on a quiet machine fails here. Then, on a machine that does nothing else: many clients for minutes, resets, a data
// folder under which the processes are killed again and again, and random lives. `npm run soak`, or with other counts, 0 for none:
// `npm run soak -- --library 3 --suite 0 --minutes 2 --resets 100 --kills 20`.

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    library: { type: 'string', default: '30' },
    suite: { type: 'string', default: '5' },
    /** Of load by many clients. */
    minutes: { type: 'string', default: '10' },
    resets: { type: 'string', default: '100' },
    /** Rounds that end with a kill. */
    kills: { type: 'string', default: '1000' },
    /** Random lives: the same number in five tests of them, a sixth of it in two. */
    lives: { type: 'string', default: '1000' },
  },
})

/** Runs a command; resolves to its output and whether it succeeded. */
function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    child.on('close', (code) => resolve({ ok: code === 0, output }))
  })
}

/** One busy process per core. They end with this one: a closed stdin ends them. */
function makeLoad() {
  const busy =
    'process.stdin.on("end", () => process.exit()).resume(); const turn = () => { for (let i = 0; i < 1e7; i++); setImmediate(turn) }; turn()'
  return cpus().map(() =>
    spawn(process.execPath, ['--eval', busy], { stdio: ['pipe', 'ignore', 'ignore'] }),
  )
}

async function repeat(title, times, command, args) {
  let failed = 0
  for (let round = 1; round <= times; round++) {
    const { ok, output } = await run(command, args)
    console.log(`${title} ${round} of ${times}: ${ok ? 'ok' : 'FAILED'}`)
    if (ok) continue
    failed++
    console.log(output)
  }
  return failed
}

/** One long command, whose figures are worth reading in any case. */
async function once(title, command, args, env) {
  const { ok, output } = await run(command, args, env)
  console.log(`${title}: ${ok ? 'ok' : 'FAILED'}\n${output}`)
  return ok ? 0 : 1
}

/** The library and the suite, on a busy machine. */
async function soakBusy() {
  const load = makeLoad()
  try {
    const scenarios = readdirSync(`${root}/scenarios`)
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => `scenarios/${name}`)
    const library = ['dist/cli/main.js', 'scenario', 'run', ...scenarios]
    const failed = await repeat('library', Number(values.library), process.execPath, library)
    return failed + (await repeat('suite', Number(values.suite), 'npx', ['vitest', 'run']))
  } finally {
    for (const child of load) child.kill()
  }
}

async function soakQuiet() {
  const { minutes, resets, kills, lives } = values
  let failed = 0
  if (Number(minutes) > 0) {
    const load = ['bench/underLoad.mjs', '--seconds', String(Number(minutes) * 60)]
    failed += await once(`load of ${minutes} minutes`, process.execPath, load)
  }
  if (Number(resets) > 0) {
    const args = ['bench/resets.mjs', '--rounds', resets]
    failed += await once(`${resets} resets`, process.execPath, args)
  }
  if (Number(kills) > 0) {
    const args = ['vitest', 'run', 'test/soak/killRounds.test.ts']
    failed += await once(`${kills} kills`, 'npx', args, { KILL_ROUNDS: kills })
  }
  if (Number(lives) > 0) {
    const args = ['vitest', 'run', 'test/soak/lives.test.ts']
    failed += await once(`${lives} lives`, 'npx', args, {
      LIVES: `${Math.ceil((Number(lives) * 3) / 16)}`,
    })
  }
  return failed
}

const failed = (await soakBusy()) + (await soakQuiet())
console.log(failed === 0 ? 'soak: no failure' : `soak: ${failed} runs failed`)
process.exitCode = failed === 0 ? 0 : 1
