import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { listeningOn } from '../../../test/kit/ports.js'
import { childrenOf, isAlive, waitUntilGone } from '../../../test/kit/processes.js'
import { actors } from '../../deployments/actors.js'
import { networks } from '../../deployments/networks.js'
import type { Nodes } from '../rpc/node.js'
import { anvilBinary } from './anvil.js'
import type { NodeDeath } from './launch.js'
import { type NodesOptions, type StartedNodes, startNodes } from './nodes.js'
import { socketProblem } from './unreachable.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const running: Nodes[] = []
let scratch: string

async function start(options: NodesOptions): Promise<StartedNodes> {
  const nodes = await startNodes(options)
  running.push(nodes)
  return nodes
}

beforeAll(async () => {
  // Below node_modules, so that compiled code finds the packages.
  scratch = await mkdtemp(`${root}/node_modules/.svc-sim-test-`)
})

afterEach(() => Promise.all(running.splice(0).map((nodes) => nodes.stop())))

afterAll(() => rm(scratch, { recursive: true }))

test('default', async () => {
  const nodes = await start({})
  const all = nodes.all()
  expect(all.map(({ network, chainId }) => ({ name: network, chainId }))).toEqual(
    networks.map(({ name, chainId }) => ({ name, chainId })),
  )
  for (const node of all) {
    expect(nodes.get(node.network)).toBe(node)
    expect(Number(await node.rpc.request('eth_chainId'))).toBe(node.chainId)
    expect(isAlive(node.lifecycle.pid)).toBe(true)
  }
  expect(new Set(all.map((node) => node.socket)).size).toBe(5)
  const folder = dirname(all[0]!.socket)
  expect(statSync(folder).mode & 0o077).toBe(0)
  expect([...nodes.pool.values()].map(({ status }) => status)).toEqual(all.map(() => 'started'))
  await nodes.stop()
  expect(nodes.pool.size).toBe(0)
  expect(existsSync(folder)).toBe(false)
  await nodes.stop()
  expect(
    childrenOf(process.pid).filter((pid) => all.some((node) => node.lifecycle.pid === pid)),
  ).toEqual([])
  await expect(all[0]!.rpc.request('eth_chainId')).rejects.toThrow('is closed')
})

test('behavior: the actors can send from the start', async () => {
  const nodes = await start({ networks: ['polygon'] })
  const { rpc } = nodes.get('polygon')
  for (const from of Object.values(actors)) {
    const transaction = { from, to: from, value: '0xde0b6b3a7640000', gas: '0x5208' }
    expect(await rpc.request('eth_sendTransactionSync', [transaction])).toMatchObject({
      status: '0x1',
    })
  }
})

test('behavior: a chain reorganises as deep as its kept states reach', async () => {
  const nodes = await start({ networks: ['base'] })
  const { rpc } = nodes.get('base')
  await rpc.request('anvil_mine', ['0x64'])
  const old = await rpc.request<{ hash: string }>('eth_getBlockByNumber', ['0x50', false])
  await rpc.request('anvil_reorg', [30, []])
  const renewed = await rpc.request<{ hash: string }>('eth_getBlockByNumber', ['0x50', false])
  expect(renewed.hash).not.toBe(old.hash)
  expect(await rpc.request('eth_blockNumber')).toBe('0x64')
})

test('options: args reach the node', async () => {
  const nodes = await start({
    networks: ['base'],
    args: { base: ['--timestamp', '1900000000'] },
  })
  const genesis = await nodes
    .get('base')
    .rpc.request<{ timestamp: string }>('eth_getBlockByNumber', ['0x0', false])
  expect(Number(genesis.timestamp)).toBe(1_900_000_000)
})

test.runIf(process.platform === 'linux')(
  'behavior: a node is reached by its socket alone, its TCP port by nobody',
  async () => {
    const nodes = await start({ networks: ['base', 'polygon'] })
    for (const { lifecycle } of nodes.all()) {
      const ports = listeningOn([lifecycle.pid])
      expect(ports).toHaveLength(1)
      for (const { host, port } of ports) {
        expect(host).toBe('127.255.255.255')
        for (const address of [host, '127.0.0.1', '::1'])
          await expect(connected(port, address), `${address}:${port}`).resolves.toBe(false)
      }
    }
  },
)

test('behavior: a node that dies is reported once, a stopped one never', async () => {
  const deaths: NodeDeath[] = []
  let report!: () => void
  const died = new Promise<void>((resolve) => {
    report = resolve
  })
  const nodes = await start({
    networks: ['base', 'optimism'],
    onDeath: (death) => {
      deaths.push(death)
      report()
    },
  })
  process.kill(nodes.get('base').lifecycle.pid, 'SIGKILL')
  await died
  expect(nodes.pool.get('base')!.status).toBe('stopped')
  expect(nodes.pool.get('optimism')!.status).toBe('started')
  expect(await nodes.get('optimism').rpc.request('eth_chainId')).toBe('0xa')
  await nodes.stop()
  expect(deaths).toEqual([
    { network: 'base', code: null, signal: 'SIGKILL', lastWords: expect.any(String) },
  ])
})

test('behavior: a start that is broken off ends its nodes at once, without waiting for one that never listens', async () => {
  const before = childrenOf(process.pid)
  const breaking = new AbortController()
  const starting = startNodes({
    networks: ['base', 'polygon'],
    args: { polygon: ['--quiet'] },
    startTimeoutMs: 600_000, // longer than the test may take
    signal: breaking.signal,
  })
  await vi.waitFor(() => expect(childrenOf(process.pid).length).toBeGreaterThan(before.length + 2))
  breaking.abort(new Error('broken off'))
  await expect(starting).rejects.toThrow('broken off')
  expect(childrenOf(process.pid)).toEqual(before)
})

test('error: a network that does not run', async () => {
  const nodes = await start({ networks: ['base', 'polygon'] })
  expect(() => nodes.get('mainnet')).toThrow(
    'No node runs for network "mainnet". Running: base, polygon.',
  )
})

describe('a failed start leaves nothing behind', () => {
  let before: number[]
  beforeAll(() => {
    before = childrenOf(process.pid)
  })
  afterEach(() => expect(childrenOf(process.pid)).toEqual(before))

  test('error: garbage in the state file', async () => {
    const file = `${scratch}/garbage.json`
    await writeFile(file, '{"accounts": 12')
    await expect(startNodes({ loadState: { base: file } })).rejects.toThrow(
      /^The base node did not start: anvil ended with code 2\. Its last words: .*failed to parse json file/,
    )
  })

  test('error: a node that does not come up in time', async () => {
    const silent = { args: { polygon: ['--quiet'] }, startTimeoutMs: 300 }
    await expect(startNodes({ networks: ['polygon'], ...silent })).rejects.toThrow(
      'The polygon node did not start: it did not listen within 300 ms.',
    )
  })
})

test('error: no binary for the machine, or not the one of this machine', () => {
  expect(() => anvilBinary('sunos', 'x64')).toThrow(
    /svc-sim cannot run on sunos x64: .* Supported: darwin x64, darwin arm64, linux x64, linux arm64, win32 x64\./,
  )
  expect(() => anvilBinary('win32', 'x64')).toThrow(
    /anvil binary for win32 x64 is not installed: npm package @foundry-rs\/anvil-win32-amd64@\d\S+ is missing\. .* Install svc-sim again with optional/,
  )
})

test('error: no binary where none could run: the libc is named, and not another installation', () => {
  vi.spyOn(process.report, 'getReport').mockReturnValue({ header: {} })
  const absent = process.arch === 'x64' ? 'arm64' : 'x64'
  expect(() => anvilBinary('linux', absent)).toThrow(
    /^anvil needs glibc 2\.35 or newer, and this system has none \(it is built on musl, as Alpine is\)\. Use Debian/,
  )
  vi.restoreAllMocks()
})

test('error: a folder for the sockets whose file system has none', async () => {
  expect(await socketProblem(`${scratch}/base`)).toBeUndefined()
  const problem = await socketProblem(`${scratch}/nowhere/base`)
  // Which of the two depends on the version of Node.
  expect(problem?.replace(/EACCES|ENOENT/, 'E')).toBe(
    `no sockets can be made in ${scratch}/nowhere (E). Some file systems, such as exFAT and shared folders, have none. Set TMPDIR to a folder on a local disk.`,
  )
})

describe('the end of the whole process', () => {
  beforeAll(async () => {
    const options = '--module nodenext --target es2023 --types node --skipLibCheck --rootDir src'
    const args = ['--ignoreConfig', ...options.split(' '), '--outDir', scratch]
    const tsc = `${root}/node_modules/.bin/tsc`
    await promisify(execFile)(tsc, [...args, 'src/chain/process/nodes.ts'], { cwd: root })
  })

  /** Starts the child in a process group of its own, as a shell starts a command. */
  async function startChild(mode = '') {
    const script = `${root}/test/kit/nodesChild.mjs`
    const child = spawn(process.execPath, [script, `${scratch}/chain/process/nodes.js`, mode], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    expect((await lines.next()).value).toBe('ready')
    const pids = childrenOf(child.pid!)
    expect(pids).toHaveLength(3) // two nodes, one watchdog
    return { child, lines, pids }
  }

  const ended = (child: ChildProcess) => once(child, 'exit')

  test.each<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'])(
    'behavior: %s of a parent that does not handle it ends the nodes and the watchdog',
    async (signal) => {
      const { child, pids } = await startChild()
      const exit = ended(child)
      child.kill(signal)
      expect(await exit).toEqual([null, signal])
      await waitUntilGone(pids)
    },
  )

  test.each<NodeJS.Signals>(['SIGINT', 'SIGTERM'])(
    'behavior: after %s to the whole process group the parent can still use the nodes',
    async (signal) => {
      const { child, lines, pids } = await startChild('graceful')
      const exit = ended(child)
      process.kill(-child.pid!, signal)
      expect((await lines.next()).value).toBe('["0x2105","0x89"]')
      expect(await exit).toEqual([0, null])
      await waitUntilGone(pids)
    },
  )

  test('behavior: SIGKILL of the whole process group leaves nothing', async () => {
    const { child, pids } = await startChild()
    process.kill(-child.pid!, 'SIGKILL')
    await waitUntilGone([child.pid!, ...pids])
  })
})

/** Whether somebody answers there. */
function connected(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
