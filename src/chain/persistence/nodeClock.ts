import type { NodeCommand } from '../node/nodeCommand.js'
import type { BareNode } from './bareNode.js'

/** The time of a node's next block, as far as no log has it: who comes after the node is to have it. */
export interface NodeClock {
  /** A command was done that is about time. */
  told(command: NodeCommand): Promise<void>
  /** A block was made at this time. */
  mined(at: number): void
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
  return {
    async told({ method, params }) {
      const name = method.toLowerCase().replace(/^[a-z]+_/, '')
      const [first] = Array.isArray(params) ? (params as unknown[]) : []
      if (name === 'setblocktimestampinterval') interval = Number(first)
      if (name === 'removeblocktimestampinterval') interval = undefined
      isExact = name === 'setnextblocktimestamp'
      next = { at: Number((await node.block('pending')).timestamp), seenAt: machineSeconds() }
    },
    mined(at) {
      isExact = false
      next = { at: at + (interval ?? 0), seenAt: machineSeconds() }
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

function machineSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
