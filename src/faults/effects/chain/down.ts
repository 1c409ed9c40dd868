import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Node } from '../../../chain/node/node.js'
import { ServiceError } from '../../../lib/errors.js'
import { defineStandingEffect } from '../../effect.js'
import { createHolds, holdAll } from './holds.js'

/** Milliseconds of the machine until a stopped process must have stopped. */
const patienceMs = 2_000

/** How each stopped node is let go of. */
const endings = new WeakMap<Node, () => void>()

const stopped = createHolds(
  async (node) => {
    const { life, standing } = node
    // What it has answered before it says no more.
    const isKnownAgain = standing?.hold()
    // Killed meanwhile, it comes back as another process.
    const isHeardOf = life.onBack(() => signal(life.pid, 'SIGSTOP'))
    endings.set(node, () => {
      isHeardOf()
      signal(life.pid, 'SIGCONT')
      isKnownAgain?.()
    })
    signal(life.pid, 'SIGSTOP')
    const deadline = Date.now() + patienceMs
    while (!(await hasStopped(life.pid)) && Date.now() < deadline) await sleep(1)
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
 * The node's process is stopped where it stands: it takes connections and answers nothing, to nobody, until the rule is
 * removed; then it answers what it was asked meanwhile. The simulator lets it go on before it stops, and when the simulator
 * dies the watchdog kills it, stopped or not.
 */
export const down = defineStandingEffect({
  on: 'chain.stand',
  name: 'down',
  summary:
    'The nodes of the network (or of all) answer nothing: reads are 408 `timeout` after the read timeout, an execution is 500 `internal_error`, `/rpc` answers an error after 35 s, `/health/ready` is 503. Stands until the rule is removed; then everything goes on. Not on Windows.',
  settings: z.strictObject({}),
  asksNodes: false,
  async stand(_, networks, { nodes }) {
    if (process.platform === 'win32')
      throw new ServiceError(
        'invalid_params',
        'chain.down stops a process with SIGSTOP, which Windows does not have; use chain.slow with a large ms',
      )
    return holdAll(
      stopped,
      networks.map((network) => nodes.get(network)),
    )
  },
})

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
