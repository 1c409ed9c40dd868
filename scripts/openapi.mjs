// Writes what is committed of the OpenAPI documents: the recorded examples and error texts, the documents, the JSON Schemas, and the types of
// the two clients: `npm run openapi` calls it. With `--check` it writes nothing, and fails when one of them is not what is committed.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { end, filesOf, isCheck, staleFiles } from './generated.mjs'

const cwd = fileURLToPath(new URL('..', import.meta.url))
/** As it is before Vite sets NODE_ENV here. */
const env = { ...process.env }

/** Each file with the command of svc-sim that prints it. */
const documents = {
  'openapi/openapi.json': 'openapi --format json',
  'openapi/openapi.yaml': 'openapi --format yaml',
  'openapi/openapi-3.0.json': 'openapi --oas 3.0 --format json',
  'openapi/control.json': 'openapi --control --format json',
  'openapi/corpus.schema.json': 'corpus --schema',
  'scenarios/scenario.schema.json': 'scenario schema',
}

/** Returns what the program prints; ends this script when it fails. */
function run(program, ...args) {
  const stdio = ['ignore', 'pipe', 'inherit']
  const options = { cwd, env, stdio, maxBuffer: 2 ** 26 }
  const { status, stdout, error } = spawnSync(program, args, options)
  if (error) throw error
  if (status !== 0) {
    process.stderr.write(stdout)
    process.exit(1)
  }
  return `${stdout}`
}
const buildCode = () => run(process.execPath, 'scripts/build.mjs', 'code')
const command = 'npm run openapi'

buildCode()
const staleExamples = staleFiles(await filesOf('scripts/examples/record.ts'), command)
// Documents made from stale examples would be stale as well.
if (isCheck && staleExamples.length > 0) process.exit(1)
buildCode()

// The generator of the types has packages of its own.
run('npm', 'ci', '--prefix', 'tools/openapi-types', '--no-audit', '--no-fund', '--ignore-scripts')
const { typesOf } = await import('../tools/openapi-types/generate.mjs')
const texts = {}
for (const [file, command] of Object.entries(documents))
  texts[file] = run(process.execPath, 'dist/cli/main.js', ...command.split(' '))
for (const [document, file] of Object.entries({
  'openapi/openapi.json': 'src/clients/client/serviceApi.ts',
  'openapi/control.json': 'src/clients/control/controlApi.ts',
}))
  texts[file] = await typesOf(document, texts[document])
end(staleFiles(texts, command))
