import { type ClockStart, type ClockState, createClock } from '../time/clock.js'
import type { NetworkName } from './deployments/networks.js'
import { machineTime, meetInTime } from './meetInTime.js'
import type { Nodes } from './node/node.js'
import { type NodesOptions, startNodes } from './node/nodes.js'
import { markChains, returnTo } from './persistence/checkpoint.js'

/** The chains of the offline world, which can begin anew any number of times; all in memory. */
export interface ReusableChains {
  nodes: Nodes
  /**
   * Takes the chains to where they were loaded and then to the time of the clock, as if they were started with it; resolves to the
   * clock's state then. Nothing may be sent meanwhile. Rejects when a chain cannot go back, and then none is to be used any more.
   */
  begin(clock: ClockStart | undefined): Promise<ClockState>
}

/** Starts the five nodes. `begin` comes before anything else. */
export async function startReusable(
  world: { files: Record<NetworkName, string> },
  options: Pick<NodesOptions, 'onDeath' | 'signal'>,
): Promise<ReusableChains> {
  const nodes = await startNodes({ ...options, loadState: world.files })
  const machine = createClock()
  try {
    let mark = await markChains(nodes, machine)
    let isFresh = true
    return {
      nodes,
      async begin(clock = machineTime) {
        if (!isFresh) mark = await returnTo(nodes, mark, machine)
        isFresh = false
        return meetInTime(nodes, clock)
      },
    }
  } catch (error) {
    await nodes.stop()
    throw error
  }
}
