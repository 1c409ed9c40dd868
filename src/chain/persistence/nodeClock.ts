import type { NodeCommand } from '../rpc/nodeCommand.js'
import type { BareNode } from './bareNode.js'

/** The time of a node's next block, as far as no log has it: who comes after the node is to have it. */
export interface NodeClock {
  /** A command was done that is about time. */
  observe(command: NodeCommand): Promise<void>
  /** A block was made at this time. */
  mined(at: number): void
  /**
   * The time that the next block should have at least. A node that is told the time of a block goes on from there at the moment when it
   * makes it: when the second has ended meanwhile, it is one behind from then on, and with many blocks further and further.
   */
  due(): number
  /** Gives a node whose chain is the same the same time. */
  putBack(node: BareNode): Promise<void>
}

/** Knows the time of a node that has the machine's. Seconds, Unix time. */
export function createNodeClock(node: BareNode): NodeClock {
  /** What the next block would have, as it was last seen, and when that was; undefined as long as it is the machine's. */
  let next: { at: number; seenAt: number } | undefined
  /** From block to block, where the machine's time does not count. */
  let interval: number | undefined
  /** Only the next block, and for certain. */
  let isExact = false
  const due = (): number => {
    const isRunning = interval === undefined && !isExact
    if (!next) return machineSeconds()
    return next.at + (isRunning ? machineSeconds() - next.seenAt : 0)
  }
  return {
    due,
    async observe({ method, params }) {
      const name = method.toLowerCase().replace(/^[a-z]+_/, '')
      const [first] = Array.isArray(params) ? (params as unknown[]) : []
      if (name === 'setblocktimestampinterval') interval = Number(first)
      if (name === 'removeblocktimestampinterval') interval = undefined
      isExact = name === 'setnextblocktimestamp'
      next = await seen(node)
    },
    mined(at) {
      // Where time runs, it runs from where it was, not from this block.
      if (at > due() || isExact || interval !== undefined)
        next = { at: at + (interval ?? 0), seenAt: machineSeconds() }
      isExact = false
    },
    async putBack(to) {
      const latest = Number((await to.block('latest')).timestamp)
      const since = interval === undefined && next ? machineSeconds() - next.seenAt : 0
      const at = next ? next.at + since : machineSeconds()
      // Taken for the time of the last block.
      await to.setTime(Math.max(latest, at - (interval ?? 0)))
      if (interval !== undefined) await to.ask('anvil_setBlockTimestampInterval', [interval])
      if (isExact) await to.ask('evm_setNextBlockTimestamp', [next!.at])
    },
  }
}

/** The time of the next block, and the second of the machine in which it is that. */
async function seen(node: BareNode): Promise<{ at: number; seenAt: number }> {
  for (let tries = 3; ; tries--) {
    const seenAt = machineSeconds()
    const at = Number((await node.block('pending')).timestamp)
    if (machineSeconds() === seenAt || tries === 0) return { at, seenAt }
  }
}

function machineSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
