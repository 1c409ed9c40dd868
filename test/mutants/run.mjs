// Makes the defects of defects/*.yaml one at a time, in a copy of the tree, and tells which test notices. `node test/mutants/run.mjs
// [--quick | --all] [WORDS...]`: only defects whose names have these words; with --quick, only the tests that a defect names are
// asked, with --all the slow tiers as well.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readDefects, withDefect } from './readDefects.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The tiers of `npm test`, and all that `npm run test:all` runs. */
const fast = ['unit', 'node', 'sim', 'smoke']
const all = ['!soak']
/** Tests that start the command line, and so need a build with the defect in it. */
const isBuilt = (test) => /^test\/(smoke|process|browser|fleet)\/|\.process\.test\.ts$/.test(test)
/** Tests that `npm test` does not run. */
const isSlow = (test) => isBuilt(test) && !test.startsWith('test/smoke/')

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const words = positionals.join(' ')
const defects = readDefects().filter(({ name }) => name.includes(words))
if (defects.length === 0) throw new Error(`no defect has ${JSON.stringify(words)} in its name`)

const copy = mkdtempSync(join(tmpdir(), 'svc-sim-mutants-'))
process.once('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    child?.kill('SIGTERM')
    process.exit(1)
  })
let child

cpSync(root, copy, {
  recursive: true,
  filter: (path) => !['.git', 'node_modules'].includes(basename(path)) || path === root,
})
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))

/** Runs a program of Node in the copy; resolves to its exit code. Its output is shown only when it is asked for. */
function run(args) {
  return new Promise((resolve, reject) => {
    const stdio = process.env.MUTANTS_VERBOSE ? 'inherit' : 'ignore'
    child = spawn(process.execPath, args, { cwd: copy, stdio })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

const build = () => run(['scripts/build.mjs', 'code'])

/** The first test that fails of these files, or of all that these tiers have; undefined when none does. */
async function firstFailure(tiers, files) {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const code = await run([
    'node_modules/vitest/vitest.mjs',
    ...['run', '--bail=1', '--reporter=json', `--outputFile=${report}`],
    ...tiers.flatMap((tier) => ['--project', tier]),
    ...files,
  ])
  const { testResults = [] } = JSON.parse(readFileSync(report, 'utf8'))
  if (testResults.length === 0) throw new Error(`there are no tests in ${files.join(', ')}`)
  if (code === 0) return undefined
  for (const { name, status, assertionResults, message } of testResults) {
    const file = relative(copy, name)
    const failed = assertionResults.find((each) => each.status === 'failed')
    if (failed) return `${file}: ${failed.fullName}`
    if (status === 'failed') return `${file}: ${message.split('\n')[0] || 'it did not load'}`
  }
  return 'the run as a whole'
}

/** Which test notices what is in the copy now: those that are named first, then all others. */
async function noticedBy(tests) {
  const [quick, slow] = [tests.filter((test) => !isSlow(test)), tests.filter(isSlow)]
  const isWhole = quick.length === 0 || quick.some(isBuilt)
  const hasBuilt = isWhole && (await build()) === 0
  if (isWhole && !hasBuilt) return 'the build'
  const expected = quick.length > 0 ? await firstFailure(fast, quick) : undefined
  if (expected || values.quick) return expected
  if (!hasBuilt && (await build()) !== 0) return 'the build'
  const early = values.all && slow.length > 0 ? await firstFailure(all, slow) : undefined
  if (early) return early
  const other = await firstFailure(fast, [])
  if (other) return `not by ${tests.join(', ')}, but by ${other}`
  return values.all ? firstFailure(all, []) : undefined
}

let caught = 0
for (const [place, defect] of defects.entries()) {
  const path = join(copy, defect.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, withDefect(text, defect))
  const test = await noticedBy(defect.tests)
  writeFileSync(path, text)
  if (test) caught++
  console.log(`${String(place + 1).padStart(2)}  ${defect.name}  (${defect.file})`)
  console.log(test ? `    caught by ${test}` : '    SURVIVED')
}
console.log(`${caught} of ${defects.length} caught`)
process.exitCode = caught === defects.length ? 0 : 1
