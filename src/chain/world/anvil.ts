import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Hex } from 'viem'
import { type NetworkName, networkOf } from '../networks.js'
import type { Node } from '../node.js'
import { type Rpc, RpcError, RpcTransportError } from '../rpc.js'

/** When the offline world begins: the time of its first block, 2025-01-01T00:00:00Z in Unix seconds. */
export const genesisTimestamp = 1_735_689_600

/** A node for building or checking a world. Accepts transactions from any sender. */
export interface WorldNode extends Node {
  stop(): Promise<void>
}

/**
 * Starts one anvil on a free port. With `loadState` it continues that state file; without, it is empty and its time is
 * fixed: the first block at `genesisTimestamp`, every later one a second after its parent, so that a build repeats exactly.
 * The nodes of a running simulator are started elsewhere; this one is for the build, its tests and nothing long-lived.
 */
export async function startWorldNode(
  network: NetworkName,
  options: { loadState?: string } = {},
): Promise<WorldNode> {
  const { chainId } = networkOf(network)
  const mode = options.loadState
    ? ['--load-state', options.loadState]
    : ['--timestamp', String(genesisTimestamp)]
  const child = spawn(
    anvilBinary(),
    [
      '--port',
      '0',
      '--chain-id',
      String(chainId),
      '--prune-history',
      '--auto-impersonate',
      ...mode,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const killWithParent = () => child.kill('SIGKILL')
  process.once('exit', killWithParent)
  const port = await listeningPort(child)
  const url = `http://127.0.0.1:${port}`
  const rpc = httpRpc(url)
  if (!options.loadState) await rpc.request('anvil_setBlockTimestampInterval', [1])
  return {
    network,
    chainId,
    rpc,
    url,
    port,
    pid: child.pid!,
    async stop() {
      process.removeListener('exit', killWithParent)
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** Path of the anvil binary that the platform package of `@foundry-rs/anvil` carries. */
function anvilBinary(): string {
  const platform = process.platform === 'win32' ? 'win32' : process.platform
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  const wanted = `@foundry-rs/anvil-${platform}-${arch}/bin/${file}`
  try {
    return createRequire(import.meta.url).resolve(wanted)
  } catch (cause) {
    throw new Error(
      `The anvil binary ${wanted} is not installed. Run "npm install" without --omit=optional.`,
      { cause },
    )
  }
}

/** The port from anvil's "Listening on" line. Rejects with what it wrote when it ends before that. */
function listeningPort(child: ReturnType<typeof spawn>): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-8192)
      const port = /Listening on [\d.]+:(\d+)/.exec(output)?.[1]
      if (!port) return
      child.stdout!.off('data', read).resume()
      resolve(Number(port))
    }
    child.stdout!.on('data', read)
    child.stderr!.on('data', read)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`anvil ended with code ${code}: ${output}`)))
  })
}

function httpRpc(url: string): Rpc {
  let id = 0
  return {
    url,
    async request<T>(method: string, params: readonly unknown[] = []): Promise<T> {
      id += 1
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers, body }).catch((cause) => {
        throw new RpcTransportError(`${url} did not answer ${method}`, { cause })
      })
      const reply = (await response.json()) as {
        result: T
        error?: { message: string; code: number; data?: Hex }
      }
      if (reply.error) throw new RpcError(reply.error.message, reply.error.code, reply.error.data)
      return reply.result
    },
    close() {},
  }
}
