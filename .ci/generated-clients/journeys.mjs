// Called by `run`, beside a simulator: makes the documents, then takes the generators one after the other.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generators } from './generators.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
// Kept from run to run, since installing and compiling take most of the time.
const work = join(tmpdir(), 'svc-sim-generated-clients')
const cli = at('../../dist/cli/main.js')
const minutes = { prepare: 15, generate: 3, compile: 10, journey: 2 }

const chosen = chosenOf(process.argv.slice(2))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const documented = readFileSync(at('../../docs/clients/generated.md'), 'utf8')
const documents = ['openapi.json', 'openapi-3.0.json']
mkdirSync(work, { recursive: true })
for (const [index, oas] of ['3.1', '3.0'].entries()) {
  const command = `node ${cli} openapi --for-clients --oas ${oas} --format json --out ${documents[index]}`
  await shell(command, { cwd: work }, 1)
}
const results = []
for (const generator of chosen) results.push([generator.name, await result(generator)])
for (const [name, text] of results) console.log(`${name.padEnd(26)} ${text}`)
process.exitCode = results.some(([, text]) => text.startsWith('FAILED')) ? 1 : 0

function chosenOf(args) {
  if (args.includes('--all')) return generators
  if (args.length === 0) return generators.filter(({ isQuick }) => isQuick)
  const unknown = args.filter((name) => generators.every((each) => each.name !== name))
  if (unknown.length === 0) return generators.filter(({ name }) => args.includes(name))
  const names = generators.map(({ name }) => name).join(', ')
  throw new Error(`There is no generator ${unknown.join(', ')}; there are: ${names}, and --all`)
}

async function result(generator) {
  const missing = generator.needs.filter((command) => !isThere(command))
  if (missing.length > 0) return `skipped: no ${missing.join(', no ')}`
  const began = performance.now()
  try {
    await tryOut(generator)
    return `ok, ${Math.round((performance.now() - began) / 1000)} s`
  } catch (error) {
    return `FAILED: ${error.message}`
  }
}

function isThere(command) {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

async function tryOut(generator) {
  const { name, again, generate } = generator
  const undocumented = generate.filter((command) => !documented.includes(command))
  if (undocumented.length > 0)
    throw new Error(`docs/clients/generated.md lacks its command: ${undocumented[0]}`)
  const folder = join(work, name)
  mkdirSync(folder, { recursive: true })
  rmSync(join(folder, again), { recursive: true, force: true })
  for (const from of [at(name), at('tsconfig.json')])
    cpSync(from, from.endsWith('.json') ? join(folder, 'tsconfig.json') : folder, {
      recursive: true,
    })
  const env = {
    ...process.env,
    PATH: `${join(folder, 'venv/bin')}:${join(folder, 'bin')}:${process.env.PATH}`,
    HAND: at('hand.mjs'),
    JOURNEY_KEY: `0x${randomBytes(32).toString('hex')}`,
  }
  for (const file of documents) cpSync(join(work, file), join(folder, file))
  console.log(`\n== ${name}`)
  for (const stage of ['prepare', 'generate', 'compile', 'journey'])
    for (const command of [generator[stage]].flat()) await run(command, minutes[stage])

  function run(command, limit) {
    return shell(command, { cwd: folder, env }, limit)
  }
}

/** Runs a command in a group of its own, so that nothing of it is left when its time is over. */
function shell(command, options, limit) {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', command], { ...options, stdio: 'inherit', detached: true })
    const kill = () => process.kill(-child.pid, 'SIGKILL')
    const end = setTimeout(kill, limit * 60_000)
    process.once('exit', kill)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      clearTimeout(end)
      process.removeListener('exit', kill)
      if (code === 0) resolve()
      else reject(new Error(`${signal ?? `exit code ${code}`} of ${command}`))
    })
  })
}
