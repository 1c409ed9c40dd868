#!/usr/bin/env node
// Stands at dist/cli/main.js until the first build.
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../..', import.meta.url))
process.stderr.write(
  `svc-sim is not built yet. Run "npm ci" in ${folder} first, then this again.\n`,
)
process.exitCode = 1
