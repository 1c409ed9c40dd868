import { spawnAnvil } from '../anvil.js'
import { type NetworkName, networkOf } from '../networks.js'
import type { Node } from '../node.js'
import { createRpc } from '../rpc.js'

/** When the offline world begins: the time of its first block, 2025-01-01T00:00:00Z in Unix seconds. */
export const genesisTimestamp = 1_735_689_600

/** A node for building or checking a world. Accepts transactions from any sender. */
export interface WorldNode extends Node {
  stop(): Promise<void>
}

/**
 * Starts one anvil on a free port. With `loadState` it continues that state file; without, it is empty and its time is
 * fixed: the first block at `genesisTimestamp`, every later one a second after its parent, so that a build repeats exactly.
 * The nodes of a running simulator are started elsewhere; this one is for the build, its tests and nothing long-lived.
 */
export async function startWorldNode(
  network: NetworkName,
  options: { loadState?: string } = {},
): Promise<WorldNode> {
  const { chainId } = networkOf(network)
  const { loadState } = options
  const host = '127.0.0.1'
  const anvil = spawnAnvil({
    chainId,
    host,
    port: 0,
    ...(loadState ? { loadState } : {}),
    args: ['--auto-impersonate', ...(loadState ? [] : ['--timestamp', String(genesisTimestamp)])],
  })
  const killWithParent = () => void anvil.stop()
  process.once('exit', killWithParent)
  const died = anvil.exited.then(({ code, lastWords }) => {
    throw new Error(`anvil for ${network} ended with code ${code}: ${lastWords}`)
  })
  // Watched only until it listens; an end after that is an ordinary one.
  died.catch(() => {})
  const port = await Promise.race([anvil.listening, died])
  const url = `http://${host}:${port}`
  const rpc = createRpc(url)
  if (!loadState) await rpc.request('anvil_setBlockTimestampInterval', [1])
  const stop = () => {
    process.removeListener('exit', killWithParent)
    rpc.close()
    return anvil.stop()
  }
  return { network, chainId, rpc, url, port, pid: anvil.pid!, stop }
}
