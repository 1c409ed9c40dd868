import type { Hex } from 'viem'
import type { NetworkName } from '../deployments/networks.js'
import { type ClockStart, type ClockState, createClock } from '../time/clock.js'
import { forgetStart, markChains, returnTo } from './persistence/checkpoint.js'
import { type NodesOptions, type StartedNodes, startNodes } from './process/nodes.js'
import type { Nodes } from './rpc/node.js'
import { alignClocks, machineTime } from './transactions/time.js'

/** The chains of the offline world, which can begin anew any number of times; all in memory. */
export interface ResettableChains {
  nodes: StartedNodes
  /**
   * Takes the chains to where they were loaded and then to the time of the clock, as if they were started with it; resolves to the
   * clock's state then. Nothing may be sent meanwhile. Rejects when a chain cannot go back, and then none is to be used any more.
   */
  begin(clock: ClockStart | undefined): Promise<ClockState>
}

/** Starts the five nodes. `begin` comes before anything else. */
export async function startResettable(
  world: { files: Record<NetworkName, string> },
  options: Pick<NodesOptions, 'onDeath' | 'signal' | 'keepBlocks'>,
): Promise<ResettableChains> {
  const nodes = await startNodes({ ...options, loadState: world.files })
  const machine = createClock()
  try {
    const fees = await nextBaseFees(nodes)
    let mark = await markChains(nodes, machine)
    let isFresh = true
    return {
      nodes,
      async begin(clock = machineTime) {
        if (!isFresh) {
          forgetStart(nodes)
          mark = await returnTo(nodes, mark, machine)
          await setNextBaseFees(nodes, fees)
        }
        isFresh = false
        return alignClocks(nodes, clock)
      },
    }
  } catch (error) {
    await nodes.stop()
    throw error
  }
}

/** The base fee of the next block of each chain, in the order of the nodes. */
function nextBaseFees(nodes: Nodes): Promise<Hex[]> {
  return Promise.all(
    nodes.all().map(async ({ rpc }) => {
      const block = await rpc.request<{ baseFeePerGas: Hex }>('eth_getBlockByNumber', [
        'pending',
        false,
      ])
      return block.baseFeePerGas
    }),
  )
}

/** A loaded state has a fee for the next block of its own; a node that returns computes it from the last one (anvil 1.7.1). */
async function setNextBaseFees(nodes: Nodes, fees: readonly Hex[]): Promise<void> {
  await Promise.all(
    nodes
      .all()
      .map(({ rpc }, index) => rpc.request('anvil_setNextBlockBaseFeePerGas', [fees[index]])),
  )
}
