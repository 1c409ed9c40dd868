import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { addressFileUrl } from '../deployments/addressFile.js'
import { type NetworkName, networkNames } from '../deployments/networks.js'
import { anvilVersion } from '../node/anvil.js'
import { artifactsUrl } from './artifacts.js'
import { readManifest, type WorldManifest } from './load.js'
import { buildNetwork } from './network.js'

/**
 * Builds the offline worlds into the folder that is named (scripts/build.mjs does), unless what is there was built from the same
 * inputs.
 */
const dir = `${process.argv[2]}/`

/** Networks built at one time: building is work for the processor, on our side and on anvil's. */
const parallel = 2

// Nodes are processes of their own and are stopped at exit, which a plain death by signal would skip.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await main()

async function main(): Promise<void> {
  const hash = inputHash()
  if (isBuilt(hash)) return say(`unchanged (${hash})`)
  mkdirSync(dir, { recursive: true })
  // Gone first: a build that breaks off must not leave a manifest beside files it does not describe.
  rmSync(`${dir}manifest.json`, { force: true })
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

function isBuilt(hash: string): boolean {
  const manifest = readManifest(dir)
  if (manifest?.hash !== hash) return false
  return networkNames.every((n) => existsSync(`${dir}${manifest.files[n]}`))
}

/** Over contracts, addresses, prices and building code as they were compiled, and the version of anvil. */
function inputHash(): string {
  const hash = createHash('sha256').update(anvilVersion())
  const folders = [
    artifactsUrl,
    new URL('vendor/', artifactsUrl),
    new URL('.', import.meta.url),
  ].map((url) => fileURLToPath(url))
  const files = [fileURLToPath(addressFileUrl), ...folders.flatMap(filesIn), ...codeBeside()]
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.js(on)?$/.test(entry.name))
    .map((entry) => `${folder}/${entry.name}`)
    .sort()
}

/** The modules outside this folder that decide what a world looks like. */
function codeBeside(): string[] {
  return [
    'deployments/actors',
    'deployments/addressBook',
    'deployments/addressFile',
    'funds/faucet',
    'deployments/networks',
    'deployments/protocolBook',
    'deployments/rewardsBook',
    'funds/uniswapPools',
  ].map((name) => fileURLToPath(new URL(`../${name}.js`, import.meta.url)))
}

function fileOf(network: NetworkName): string {
  return `${network}.json`
}

function write(name: string, text: string): void {
  writeFileSync(`${dir}${name}.tmp`, text)
  renameSync(`${dir}${name}.tmp`, `${dir}${name}`)
}

function say(text: string): void {
  process.stdout.write(`world: ${text}\n`)
}
