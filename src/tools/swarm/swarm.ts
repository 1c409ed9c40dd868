import type { WorldClient } from '../../clients/remote/worldClient.js'
import type { SwarmOptions, SwarmReport } from './types.js'

/**
 * Searches for faults that break a client. The function is the client: it acts once in a world of its own, with what `world` has (`url`,
 * `apiKey`, `fund`, `rpc`), and rejects when it did not succeed. Resolves to the report; rejects when the client fails without faults.
 */
export async function swarm(
  options: SwarmOptions,
  client: (world: WorldClient, context: { signal: AbortSignal }) => Promise<unknown>,
): Promise<SwarmReport> {
  if (options.restart)
    throw new Error(
      'restart: a function cannot be killed and run again. Search a command: npx svc-sim swarm --restart -- COMMAND',
    )
  const [{ searched }, { functionSubject }] = await Promise.all([
    import('./run.js'),
    import('./world/subject.js'),
  ])
  return searched(options, functionSubject(client))
}
