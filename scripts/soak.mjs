import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

// The scenario library and the test suite again and again while every core is busy with something else: what holds only on a
// quiet machine fails here. `npm run soak`, or with other counts: `npm run soak -- --library 3 --suite 1`.

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    library: { type: 'string', default: '30' },
    suite: { type: 'string', default: '5' },
  },
})

/** Runs a command; resolves to its output and whether it succeeded. */
function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
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

const load = makeLoad()
try {
  const scenarios = readdirSync(`${root}/scenarios`)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `scenarios/${name}`)
  const library = ['dist/cli/main.js', 'scenario', 'run', ...scenarios]
  const failed =
    (await repeat('library', Number(values.library), process.execPath, library)) +
    (await repeat('suite', Number(values.suite), 'npx', ['vitest', 'run']))
  console.log(failed === 0 ? 'soak: no failure' : `soak: ${failed} runs failed`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  for (const child of load) child.kill()
}
