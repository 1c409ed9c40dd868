import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Node } from '../../chain/rpc/node.js'
import { ServiceError } from '../../lib/errors.js'
import { realWait } from '../../time/clock.js'

/** What one kind of effect holds: nodes, and how many rules hold each. */
export interface Holds {
  /** Resolves to a function that releases the node; it is safe to call twice. */
  hold(node: Node): Promise<() => Promise<void>>
  isHeld(node: Node): boolean
}

type End = () => Promise<void> | void

/**
 * Several rules may hold one node: `begin` runs for the first, and the function that it resolves to after the last. The counts are kept
 * here by node: a node knows no faults.
 */
export function createHolds(begin: (node: Node) => Promise<End>): Holds {
  const holds = new WeakMap<Node, { count: number; end?: End }>()
  return {
    isHeld: (node) => (holds.get(node)?.count ?? 0) > 0,
    async hold(node) {
      const hold = holds.get(node) ?? { count: 0 }
      holds.set(node, hold)
      hold.count++
      if (hold.count === 1) hold.end = await begin(node)
      let held = true
      return async () => {
        if (!held) return
        held = false
        hold.count--
        if (hold.count === 0) await hold.end?.()
      }
    },
  }
}

/** Holds several nodes: all or none. */
export async function holdAll(
  { hold }: Holds,
  nodes: readonly Node[],
): Promise<() => Promise<void>> {
  const tried = await Promise.allSettled(nodes.map(hold))
  const endings = tried.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const endAll = async (): Promise<void> => {
    await Promise.all(endings.map((end) => end()))
  }
  const refused = tried.find((result) => result.status === 'rejected')
  if (!refused) return endAll
  await endAll()
  throw refused.reason
}

/**
 * Calls `onOver` and `end` after `ms` milliseconds of real time, unless the returned function is called first; never when `ms` is absent.
 */
export function endAfter(
  ms: number | undefined,
  end: () => Promise<void>,
  onOver: () => void = () => {},
): () => Promise<void> {
  if (ms === undefined) return end
  const ended = new AbortController()
  void realWait(ms, ended.signal).then((isOver) => {
    if (!isOver) return
    // First: what is mined from now on was not stopped.
    onOver()
    // It fails when the node has died, which is reported elsewhere.
    end().catch(() => {})
  })
  return async () => {
    ended.abort()
    await end()
  }
}

/** Milliseconds of the machine until a stopped process must have stopped. */
const patienceMs = 2_000

/** Stops a node's process: it accepts connections and does not respond. */
export const stopped = createHolds(async ({ lifecycle, gate }) => {
  // It no longer reports what it has answered before.
  const releaseGate = gate?.hold()
  // Killed meanwhile, it comes back as another process.
  const unsubscribe = lifecycle.onBack(() => signal(lifecycle.pid, 'SIGSTOP'))
  signal(lifecycle.pid, 'SIGSTOP')
  const deadline = Date.now() + patienceMs
  while (!(await hasStopped(lifecycle.pid)) && Date.now() < deadline) await sleep(1)
  lifecycle.stand.set(true)
  return () => {
    unsubscribe()
    lifecycle.stand.set(false)
    signal(lifecycle.pid, 'SIGCONT')
    releaseGate?.()
  }
})

/** A process that has ended needs no signal any more. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * For work that needs a response of the nodes: a stopped one does not respond until its rule is removed.
 *
 * @param so The consequence for the request, for example `the rule was not added`.
 *
 * @throws `ServiceError` `conflict` when a rule has stopped one of the nodes.
 */
export function expectNotStopped(nodes: readonly Node[], so: string): void {
  const names = nodes.filter(stopped.isHeld).map(({ network }) => network)
  if (names.length === 0) return
  throw new ServiceError(
    'conflict',
    `A rule with chain.down keeps ${[...new Set(names)].join(', ')} from answering; ${so}`,
    { hint: 'Remove that rule first, or all of them: DELETE /_sim/faults.' },
  )
}

/** The signal takes effect a moment after it is sent, and thread by thread. */
async function hasStopped(pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const threads = await readdir(`/proc/${pid}/task`)
    const states = await Promise.all(
      threads.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'utf8').catch(() => ') T')),
    )
    return states.every((stat) => /\) T/.test(stat))
  }
  const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'state='])
  return stdout.startsWith('T')
}
