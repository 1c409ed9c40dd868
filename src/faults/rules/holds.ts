import type { Node } from '../../chain/rpc/node.js'
import { realWait } from '../../time/clock.js'

/** What one kind of effect holds: nodes, and how many rules hold each. */
export interface Holds {
  /** Holds a node; resolves to what lets go of it, which is safe to call twice. */
  hold(node: Node): Promise<() => Promise<void>>
  /** Whether a rule holds it. */
  isHeld(node: Node): boolean
}

/** Two rules may stand on one node: what they do begins with the first and ends with the last. */
export function createHolds(
  begin: (node: Node) => Promise<void>,
  end: (node: Node) => Promise<void>,
): Holds {
  const counts = new WeakMap<Node, number>()
  return {
    isHeld: (node) => (counts.get(node) ?? 0) > 0,
    async hold(node) {
      const before = counts.get(node) ?? 0
      counts.set(node, before + 1)
      if (before === 0) await begin(node)
      let held = true
      return async () => {
        if (!held) return
        held = false
        const left = counts.get(node)! - 1
        counts.set(node, left)
        if (left === 0) await end(node)
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

/** Ends something after so many milliseconds of the machine, if nobody has ended it before; never when there are none. Ending twice is safe. */
export function endAfter(ms: number | undefined, end: () => Promise<void>): () => Promise<void> {
  if (ms === undefined) return end
  const ended = new AbortController()
  // A node that cannot be told has died, which is reported elsewhere.
  void realWait(ms, ended.signal).then((isOver) => (isOver ? end().catch(() => {}) : undefined))
  return async () => {
    ended.abort()
    await end()
  }
}
