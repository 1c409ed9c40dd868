// Writes what is committed of the OpenAPI documents: the documents, the JSON Schemas, and the types of the two clients. Needs
// `npm run build:ts` before. CI runs it, and fails where the result is not what is committed.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('..', import.meta.url))

/** Each file with the command of svc-sim that prints it. */
const files = {
  'openapi/openapi.json': 'openapi --format json',
  'openapi/openapi.yaml': 'openapi --format yaml',
  'openapi/openapi-3.0.json': 'openapi --oas 3.0 --format json',
  'openapi/control.json': 'openapi --control --format json',
  'openapi/corpus.schema.json': 'corpus --schema',
  'scenarios/scenario.schema.json': 'scenario schema',
}

const run = (program, ...args) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 })

for (const [file, command] of Object.entries(files))
  writeFileSync(`${cwd}${file}`, run(process.execPath, 'dist/cli/main.js', ...command.split(' ')))

// The generator has packages of its own.
run('npm', 'ci', '--prefix', 'tools/openapi-types', '--no-audit', '--no-fund', '--ignore-scripts')
run(process.execPath, 'tools/openapi-types/generate.mjs')
