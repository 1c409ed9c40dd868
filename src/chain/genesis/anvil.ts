import { type NetworkName, networkOf } from '../../deployments/networks.js'
import { spawnAnvil } from '../process/anvil.js'
import { socketPlace, unreachableHost } from '../process/unreachable.js'
import type { Node } from '../rpc/node.js'
import { createLifecycle } from '../rpc/nodeLifecycle.js'
import { createSocketRpc } from '../rpc/rpc.js'

/** When the offline world begins: the time of its first block, 2025-01-01T00:00:00Z in Unix seconds. */
export const genesisTimestamp = 1_735_689_600

/** A node for building or checking a world. Accepts transactions from any sender. */
export interface WorldNode extends Node {
  stop(): Promise<void>
}

/**
 * Starts one anvil. With `loadState` it continues that state file; without, it is empty and its time is
 * fixed: the first block at `genesisTimestamp`, every later one a second after its parent, so that a build repeats exactly.
 * The nodes of a running simulator are started elsewhere; this one is for the build, its tests and nothing long-lived.
 */
export async function startWorldNode(
  network: NetworkName,
  options: { loadState?: string } = {},
): Promise<WorldNode> {
  const { chainId } = networkOf(network)
  const { loadState } = options
  const place = socketPlace()
  const socket = place.of(network)
  const anvil = spawnAnvil({
    chainId,
    host: await unreachableHost(),
    socket,
    ...(loadState ? { loadState } : {}),
    args: ['--auto-impersonate', ...(loadState ? [] : ['--timestamp', String(genesisTimestamp)])],
  })
  const killWithParent = () => {
    void anvil.stop()
    place.remove()
  }
  process.once('exit', killWithParent)
  const died = anvil.exited.then(({ code, lastWords }) => {
    throw new Error(`anvil for ${network} ended with code ${code}: ${lastWords}`)
  })
  // Watched only until it listens; an end after that is an ordinary one.
  died.catch(() => {})
  await Promise.race([anvil.listening, died])
  const rpc = createSocketRpc(`The ${network} node`, socket)
  if (!loadState) await rpc.request('anvil_setBlockTimestampInterval', [1])
  const stop = () => {
    process.removeListener('exit', killWithParent)
    rpc.close()
    return anvil.stop().finally(place.remove)
  }
  return { network, chainId, rpc, socket, lifecycle: createLifecycle(anvil.pid!), stop }
}
