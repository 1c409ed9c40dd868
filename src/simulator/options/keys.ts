import { isLoopback } from '../../http/core/loopback.js'
import { drawKey } from '../../lib/drawKey.js'

/** The key that is accepted when none is given. */
export const defaultApiKey = 'qk_local0_00000000000000000000'

/**
 * The accepted keys. The default one is in every copy of the simulator, so beyond loopback it would keep nobody out: there one
 * is drawn. Throws when the default is given for such a place.
 */
export function keysOf(host: string, apiKeys: readonly string[] = []): readonly string[] {
  if (!isLoopback(host) && apiKeys.includes(defaultApiKey))
    throw new Error(
      `Other machines may reach ${host}, and the default API key ${defaultApiKey} is known to everybody. Give another one, or none: then one is drawn`,
    )
  if (apiKeys.length > 0) return apiKeys
  return [isLoopback(host) ? defaultApiKey : drawKey()]
}
