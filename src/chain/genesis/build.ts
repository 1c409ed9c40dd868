import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type NetworkName, networkNames } from '../../deployments/networks.js'
import { anvilVersion } from '../process/anvil.js'
import type { WorldManifest } from './load.js'
import { buildNetwork } from './network.js'

/** Builds the offline world. Arguments: the folder, and the hash of all inputs (scripts/build.mjs). */
const [dir, hash] = process.argv.slice(2) as [string, string]

/** Networks built in parallel. Building is bound by the processor. */
const parallel = 2

// A plain death by signal would skip the exit handlers that stop the nodes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await main()

async function main(): Promise<void> {
  mkdirSync(dir, { recursive: true })
  // First, so that an aborted build leaves no manifest of other files.
  rmSync(`${dir}/manifest.json`, { force: true })
  const waiting = [...networkNames]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await buildOne(next)
  }
  await Promise.all(Array.from({ length: parallel }, work))
  const files = Object.fromEntries(networkNames.map((n) => [n, fileOf(n)]))
  const manifest = { hash, anvil: anvilVersion(), files } as WorldManifest
  write('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`)
  say(`built (${hash})`)
}

async function buildOne(network: NetworkName): Promise<void> {
  const start = performance.now()
  const state = await buildNetwork(network)
  write(fileOf(network), state)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  say(`${network}: ${Math.round(state.length / 1024)} kB in ${seconds} s`)
}

function fileOf(network: NetworkName): string {
  return `${network}.json`
}

function write(name: string, text: string): void {
  writeFileSync(`${dir}/${name}`, text)
}

function say(text: string): void {
  process.stdout.write(`world: ${text}\n`)
}
