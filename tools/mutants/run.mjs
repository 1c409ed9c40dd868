// `npm run mutants [-- --part 1/4] [ROOM...]` runs StrykerJS on the pure rooms, one at a time, and prints a score for each.
// reports/mutants/ROOM.txt lists the survivors. --part mutates only every fourth block of lines.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { rooms } from './rooms.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const reports = join(root, 'reports', 'mutants')
/** Lines per block of `--part`; most functions are shorter. */
const blockLength = 20
const { values, positionals: wanted } = parseArgs({
  options: { part: { type: 'string', default: '1/1' } },
  allowPositionals: true,
})
const [part, parts] = values.part.split('/').map(Number)
if (!(part >= 1 && part <= parts)) throw new Error('--part must be such as 1/4 or 4/4')
for (const room of wanted)
  if (!Object.hasOwn(rooms, room))
    throw new Error(`there is no room ${room}; there are ${Object.keys(rooms).join(', ')}`)

if (!existsSync(join(here, 'node_modules')))
  must('npm', [
    'ci',
    '--prefix',
    here,
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--legacy-peer-deps',
  ])
mkdirSync(reports, { recursive: true })
const scores = []
for (const room of wanted.length > 0 ? wanted : Object.keys(rooms)) {
  const report = join(reports, `${room}.json`)
  const config = join(reports, `${room}.conf.json`)
  writeFileSync(config, JSON.stringify(configOf(rooms[room], report)))
  process.env.MUTANTS_TESTS = rooms[room].tests.join(' ')
  must(process.execPath, [
    join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
    'run',
    config,
  ])
  const mutants = mutantsOf(JSON.parse(readFileSync(report, 'utf8')))
  const survivors = mutants.filter(({ status }) => ['Survived', 'NoCoverage'].includes(status))
  writeFileSync(join(reports, `${room}.txt`), survivors.map(lineOf).join(''))
  const killed = mutants.filter(({ status }) => ['Killed', 'Timeout'].includes(status)).length
  const of = killed + survivors.length
  const uncovered = survivors.filter(({ status }) => status === 'NoCoverage').length
  const score = ((100 * killed) / of).toFixed(1)
  scores.push(
    `${room.padEnd(10)} ${score.padStart(5)} %  ${killed} of ${of} killed, ${uncovered} not reached`,
  )
}
process.stdout.write(`${scores.join('\n')}\n`)

function must(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

function configOf({ files }, report) {
  return {
    testRunner: 'vitest',
    plugins: [join(here, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'tools/mutants/vitest.config.ts', related: false },
    mutate: sourcesOf(files).flatMap(linesOf),
    // StrykerJS cannot use the API of this TypeScript version, and does not need it.
    tsconfigFile: 'none.json',
    ignorePatterns: ['dist', 'dist-*', 'reports', 'tools/*/node_modules', 'docs', 'bench', '.ci'],
    tempDirName: 'reports/mutants/sandbox',
    coverageAnalysis: 'perTest',
    // A mutant that stops a module from loading fails no test, so StrykerJS would count it as a survivor.
    ignoreStatic: true,
    concurrency: 1,
    timeoutMS: 10_000,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
  }
}

/** The files of a room; a pattern that begins with `:!` leaves some out. */
function sourcesOf(patterns) {
  const specs = patterns.map((each) => (each.startsWith(':!') ? each : `:(glob)${each}`))
  const { stdout } = spawnSync('git', ['ls-files', '--', ...specs], {
    cwd: root,
    encoding: 'utf8',
  })
  return stdout.split('\n').filter((file) => file !== '' && !file.endsWith('.test.ts'))
}

/** The file, or its blocks that belong to the part. */
function linesOf(file) {
  if (parts === 1) return [file]
  const blocks = Math.ceil(readFileSync(join(root, file), 'utf8').split('\n').length / blockLength)
  return Array.from({ length: blocks }, (_, block) => block)
    .filter((block) => block % parts === part - 1)
    .map((block) => `${file}:${block * blockLength + 1}-${(block + 1) * blockLength}`)
}

function mutantsOf({ files }) {
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file, source })),
  )
}

function lineOf({ file, source, location, replacement, mutatorName, status }) {
  const line = source.split('\n')[location.start.line - 1].trim()
  return `${file}:${location.start.line} ${status} ${mutatorName}: ${line} -> ${replacement}\n`
}
