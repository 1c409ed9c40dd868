import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Node } from '../../chain/rpc/node.js'
import { ServiceError } from '../../lib/errors.js'
import { createHolds } from './holds.js'

/** Milliseconds of the machine until a stopped process must have stopped. */
const patienceMs = 2_000

/** How each stopped node is let go of. */
const endings = new WeakMap<Node, () => void>()

/** Stops a node's process; it takes connections and answers nothing. */
export const stopped = createHolds(
  async (node) => {
    const { lifecycle, changeTracker } = node
    // What it has answered before it says no more.
    const isKnownAgain = changeTracker?.hold()
    // Killed meanwhile, it comes back as another process.
    const isHeardOf = lifecycle.onBack(() => signal(lifecycle.pid, 'SIGSTOP'))
    endings.set(node, () => {
      isHeardOf()
      lifecycle.stand.set(false)
      signal(lifecycle.pid, 'SIGCONT')
      isKnownAgain?.()
    })
    signal(lifecycle.pid, 'SIGSTOP')
    const deadline = Date.now() + patienceMs
    while (!(await hasStopped(lifecycle.pid)) && Date.now() < deadline) await sleep(1)
    if (stopped.isHeld(node)) lifecycle.stand.set(true)
  },
  async (node) => endings.get(node)?.(),
)

/** A process that has ended needs no signal any more. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Before something that takes an answer: a stopped node gives none until its rule goes.
 *
 * @param so What that means for what was asked, for example `the rule was not added`.
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
