import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import pTimeout from 'p-timeout'
import type { Node, Nodes } from '../../chain/rpc/node.js'
import type { NetworkName } from '../../deployments/networks.js'

export interface NodeState {
  network: NetworkName
  /** Number of the latest block; undefined when the node did not answer. */
  height: number | undefined
  /** Bytes in memory; undefined where the system does not tell. */
  resident: number | undefined
  revivals: number
}

/** A node that takes longer counts as down. */
const answerWithinMs = 2_000

/** Reads the nodes in parallel. One that hangs is asked once, however many callers come meanwhile, so that requests do not pile up. */
export function watchNodes(nodes: Nodes): () => Promise<NodeState[]> {
  const pendingHeights = new Map<Node, Promise<number | undefined>>()
  const heightOf = (node: Node): Promise<number | undefined> => {
    const asking =
      pendingHeights.get(node) ??
      node.rpc
        .request<string>('eth_blockNumber')
        .then(Number, () => undefined)
        .finally(() => pendingHeights.delete(node))
    pendingHeights.set(node, asking)
    return pTimeout(asking, { milliseconds: answerWithinMs, fallback: () => undefined })
  }
  return async () => {
    const all = nodes.all()
    const [heights, residents] = await Promise.all([
      Promise.all(all.map(heightOf)),
      residentsOf(all.map(({ lifecycle }) => lifecycle.pid)),
    ])
    return all.map(({ network, lifecycle }, i) => ({
      network,
      height: heights[i],
      resident: residents[i],
      revivals: lifecycle.revivals,
    }))
  }
}

/** The resident memory of processes in bytes, in their order; undefined for a process that is gone, or on an unknown system. */
function residentsOf(pids: readonly number[]): Promise<(number | undefined)[]> {
  if (process.platform === 'linux') return Promise.all(pids.map(residentByProc))
  return residentsByPs(pids)
}

async function residentByProc(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return kilobytes(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1])
}

async function residentsByPs(pids: readonly number[]): Promise<(number | undefined)[]> {
  const args = ['-o', 'pid=,rss=', '-p', pids.join(',')]
  const stdout = await promisify(execFile)('ps', args, { timeout: answerWithinMs }).then(
    (done) => done.stdout,
    () => '',
  )
  return pids.map((pid) => kilobytes(new RegExp(`^\\s*${pid}\\s+(\\d+)`, 'm').exec(stdout)?.[1]))
}

function kilobytes(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text) * 1024
}
