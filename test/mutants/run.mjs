// Applies the defects of defects/*.yaml one at a time to a copy of the tree, and prints which test catches each.
// `node test/mutants/run.mjs [--quick | --all | --by TEST] [WORDS...]` selects defects whose names contain the words. By default, the tests
// that a defect names run first, then all of `npm test`. --quick stops after the named tests; --all adds the slow tiers. --by TEST selects the
// defects that name this test file, and runs it alone.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readDefects, withDefect } from './readDefects.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The tiers of `npm test`, and those of `npm run test:all`. */
const fast = ['unit', 'node', 'sim', 'smoke']
const all = ['!soak']
/** Tests that start the command line need a build that has the defect. */
const isBuilt = (test) =>
  /^test\/(smoke|process|browser|balancer)\/|\.process\.test\.ts$/.test(test)
/** `npm test` does not run these. */
const isSlow = (test) => isBuilt(test) && !test.startsWith('test/smoke/')

const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    by: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const words = positionals.join(' ')
const defects = readDefects().filter(
  ({ name, tests }) => name.includes(words) && (!values.by || tests.includes(values.by)),
)
if (defects.length === 0)
  throw new Error(`no defect has ${JSON.stringify(words)} in its name and ${values.by ?? 'a'} test`)

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

/** Runs Node in the copy and resolves to the exit code. Set MUTANTS_VERBOSE to see the output. */
function run(args) {
  return new Promise((resolve, reject) => {
    const stdio = process.env.MUTANTS_VERBOSE ? 'inherit' : 'ignore'
    child = spawn(process.execPath, args, { cwd: copy, stdio })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

const build = () => run(['scripts/build.mjs', 'code'])

/** Runs these files (all files if none are given) in these tiers. Resolves to the first failed test, or undefined. */
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
  if (testResults.length === 0) throw new Error(`no tests found in ${files.join(', ')}`)
  if (code === 0) return undefined
  for (const { name, status, assertionResults, message } of testResults) {
    const file = relative(copy, name)
    const failed = assertionResults.find((each) => each.status === 'failed')
    // A property says after how many runs.
    const [after = ''] = /(?<=Property )failed after \d+ tests/.exec(failed?.failureMessages) ?? []
    if (failed) return `${file}: ${failed.fullName}${after && ` (${after})`}`
    if (status === 'failed') return `${file}: ${message.split('\n')[0] || 'it did not load'}`
  }
  return 'the run as a whole'
}

/** Resolves to the test that catches the defect in the copy, or undefined. Runs the named tests first. */
async function noticedBy(tests) {
  if (values.by) return firstFailure([], [values.by])
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
