import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { worldFiles } from '../dist/modules/chain/genesis/load.js'
import { rpc, send } from './http.mjs'

/** The built program. */
export const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const bareServer = fileURLToPath(new URL('./bareServer.mjs', import.meta.url))
const bareExpress = fileURLToPath(new URL('./bareExpress.mjs', import.meta.url))
const chainIds = [1, 8453, 42161, 10, 137]

function anvilBinary() {
  const require = createRequire(import.meta.url)
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  return require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`)
}

/** Starts `svc-sim start`; resolves when it has said that it is ready. */
export async function startSimulator(...flags) {
  const child = spawn(process.execPath, [cli, 'start', '--json', '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { ...JSON.parse(line), pid: child.pid, stop: () => stop(child) }
}

/** The sockets of a simulator's nodes, by chain id (Linux: read from /proc). */
export function nodeSockets(root) {
  const sockets = new Map()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) !== root) continue
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      const after = (flag) => args[args.indexOf(flag) + 1]
      if (args.includes('--ipc')) sockets.set(Number(after('--chain-id')), after('--ipc'))
    } catch {} // It has ended since the listing.
  return sockets
}

/** One anvil with the offline world of a network; `url` is its own, with nothing of ours between. */
export async function startBareAnvil(network) {
  const chainId = chainIds[['mainnet', 'base', 'arbitrum', 'optimism', 'polygon'].indexOf(network)]
  const state = worldFiles().files[network]
  const child = spawn(
    anvilBinary(),
    ['--port', '0', '--chain-id', `${chainId}`, '--prune-history', '32', '--load-state', state],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const url = await listeningUrl(child)
  await rpc(url, 'anvil_setLoggingEnabled', [false])
  await rpc(url, 'evm_mine')
  return { url, pid: child.pid, stop: () => stop(child) }
}

/** Starts Express with one route. */
export async function startBareExpress(path, body) {
  const child = spawn(process.execPath, [bareExpress, path, JSON.stringify(body)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return { url: await listeningUrl(child), stop: () => stop(child) }
}

/** Starts five empty anvils and a Node server that does nothing; resolves when all six answer. */
export async function startBareSet() {
  const children = [
    spawn(process.execPath, [bareServer], { stdio: ['ignore', 'pipe', 'ignore'] }),
    ...chainIds.map((id) =>
      spawn(anvilBinary(), ['--port', '0', '--chain-id', `${id}`, '--prune-history'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ),
  ]
  const urls = await Promise.all(children.map(listeningUrl))
  await Promise.all([send('GET', urls[0]), ...urls.slice(1).map((url) => rpc(url, 'eth_chainId'))])
  return { stop: () => Promise.all(children.map(stop)) }
}

/** One bare anvil of the base chain with these arguments. */
export async function startAnvil(args) {
  const all = ['--port', '0', '--chain-id', '8453', '--accounts', '0', ...args]
  const child = spawn(anvilBinary(), all, { stdio: ['ignore', 'pipe', 'ignore'] })
  const url = await listeningUrl(child)
  child.stdout.resume()
  await rpc(url, 'anvil_setLoggingEnabled', [false])
  return { url, pid: child.pid, stop: () => stop(child) }
}

/** The nodes of a simulator, by chain id: their pids and arguments (Linux: read from /proc). */
export function nodesOf(pid) {
  return processTable()
    .filter(({ parent, name }) => parent === pid && name.startsWith('anvil'))
    .map((each) => {
      const args = readFileSync(`/proc/${each.pid}/cmdline`, 'utf8').split('\0')
      return { pid: each.pid, args, chainId: Number(args[args.indexOf('--chain-id') + 1]) }
    })
}

async function listeningUrl(child) {
  for await (const line of createInterface(child.stdout)) {
    const found = /Listening on ([0-9.]+:\d+)/.exec(line)
    if (found) return `http://${found[1]}`
  }
  throw new Error('ended before it listened')
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/**
 * Memory of a process and all its descendants, in MB (Linux: read from /proc): `resident` is the sum that a table of processes shows,
 * where the code of a program counts once for each process that runs it; `held` counts it once, as the machine does.
 */
export function treeMemory(root) {
  const inTree = treeOf(root)
  const resident = inTree.reduce((total, { megabytes }) => total + megabytes, 0)
  return { resident, held: heldBy(inTree) }
}

/** A process and all its descendants. */
export function treeOf(root) {
  const processes = processTable()
  const tree = new Set([root])
  for (let before = 0; before !== tree.size; ) {
    before = tree.size
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid)
  }
  return processes.filter(({ pid }) => tree.has(pid))
}

/** What processes have for themselves, and of each file that they share as much as the one that has most of it. */
function heldBy(processes) {
  const ofFile = new Map()
  let own = 0
  for (const { pid } of processes)
    for (const { file, resident, anonymous } of mappingsOf(pid)) {
      own += anonymous
      const key = `${pid} ${file}`
      ofFile.set(key, (ofFile.get(key) ?? 0) + resident - anonymous)
    }
  const most = new Map()
  for (const [key, kilobytes] of ofFile) {
    const file = key.slice(key.indexOf(' ') + 1)
    most.set(file, Math.max(most.get(file) ?? 0, kilobytes))
  }
  const shared = [...most.values()].reduce((total, kilobytes) => total + kilobytes, 0)
  return (own + shared) / 1024
}

/** The mappings of a process, sizes in kB. */
function mappingsOf(pid) {
  let text
  try {
    text = readFileSync(`/proc/${pid}/smaps`, 'utf8')
  } catch {
    return [] // It has ended since the listing.
  }
  const kilobytes = (part, name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(part)?.[1] ?? 0)
  return text.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).map((part) => ({
    file: part.slice(0, part.indexOf('\n')).split(/\s+/).slice(5).join(' '),
    resident: kilobytes(part, 'Rss'),
    anonymous: kilobytes(part, 'Anonymous'),
  }))
}

/** Resident memory of one process, in MB. */
export function memoryOf(pid) {
  return processTable().find((each) => each.pid === pid)?.megabytes ?? 0
}

function processTable() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        const field = (name) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '0'
        const [parent, megabytes] = [Number(field('PPid')), Number(field('VmRSS')) / 1024]
        return [{ pid: Number(pid), name: field('Name'), parent, megabytes }]
      } catch {
        return [] // It has ended since the listing.
      }
    })
}
