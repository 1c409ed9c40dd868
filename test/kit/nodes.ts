import { startWorldNode, type WorldNode } from '../../src/chain/genesis/anvil.js'
import { worldFiles } from '../../src/chain/genesis/load.js'
import { startWatchdog, type Watchdog } from '../../src/chain/process/watchdog.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import { lend, takeBack } from './lending.js'

/** Ends the nodes of a worker that is ended itself, which nobody tells it before. */
let running: Watchdog | undefined
function watchdog(): Watchdog {
  running ??= startWatchdog()
  return running
}

/** What a node holds: the offline world, or nothing yet. */
type Content = 'world' | 'empty'

/**
 * A node for a test file, in the state of its start. Its `stop` takes it back there and leaves it to the next file. A file that changes
 * what neither a snapshot nor `resetSettings` brings back (such as the process itself) starts a node with `startWorldNode`.
 */
export async function lendNode(
  network: NetworkName,
  content: Content = 'world',
): Promise<WorldNode> {
  const kind = `${content} ${network}`
  const loadState = worldFiles().files[network]
  const node = await lend(kind, async () => {
    const started = await startWorldNode(network, content === 'world' ? { loadState } : {})
    await watchdog().add(started.lifecycle.pid)
    return started
  })
  await resetSettings(node, content)
  const snapshot = await node.rpc.request('evm_snapshot')
  return {
    ...node,
    async stop() {
      await node.rpc.request('anvil_dropAllTransactions')
      await node.rpc.request('evm_revert', [snapshot])
      takeBack(kind, node)
    },
  }
}

/** What no snapshot holds: how time goes by, and how blocks are mined. */
async function resetSettings({ rpc }: WorldNode, content: Content): Promise<void> {
  if (content === 'world') await rpc.request('anvil_removeBlockTimestampInterval')
  else await rpc.request('anvil_setBlockTimestampInterval', [1])
  await rpc.request('evm_setTime', [Math.floor(Date.now() / 1000)])
  await rpc.request('evm_setAutomine', [true])
}
