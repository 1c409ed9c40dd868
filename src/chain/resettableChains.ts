import type { Hex } from 'viem'
import type { NetworkName } from '../deployments/networks.js'
import { type ClockStart, type ClockState, createClock } from '../time/clock.js'
import { forgetStart, markChains, returnTo } from './persistence/checkpoint.js'
import { type NodesOptions, type StartedNodes, startNodes } from './process/nodes.js'
import type { Nodes } from './rpc/node.js'
import { alignClocks, machineTime } from './transactions/time.js'

/** Offline chains in memory that can be reset for other worlds. */
export interface ResettableChains {
  nodes: StartedNodes
  /**
   * Resets the chains and sets the time of the clock, as at a start; resolves to the clock's state. Send nothing meanwhile. If it rejects,
   * discard the chains.
   */
  begin(clock: ClockStart | undefined): Promise<ClockState>
}

/** Call `begin` before anything else. */
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

/** In the order of the nodes. */
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

/** A loaded state has its own next base fee; after a revert, anvil 1.7.1 computes it from the last block. */
async function setNextBaseFees(nodes: Nodes, fees: readonly Hex[]): Promise<void> {
  await Promise.all(
    nodes
      .all()
      .map(({ rpc }, index) => rpc.request('anvil_setNextBlockBaseFeePerGas', [fees[index]])),
  )
}
