// Has V8 write down what it made of the bundles in a start, for `bundle-loader.cjs` to begin from: it then neither reads nor compiles them anew.
// Starts the simulator of a `dist` that is whole, so that what a start runs through is in it. Argument: `dist`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const code = join(resolve(process.argv[2]), 'code')
const cache = join(code, `cache-${process.versions.v8}-${process.arch}`)
rmSync(cache, { recursive: true, force: true })
const { loadOwn, scripts } = createRequire(import.meta.url)(join(code, 'bundle-loader.cjs'))

loadOwn('cli.cjs')
const simulator = await loadOwn('index.cjs').createSimulator()
mkdirSync(cache)
for (const [file, script] of scripts) writeFileSync(join(cache, file), script.createCachedData())
await simulator.close()
