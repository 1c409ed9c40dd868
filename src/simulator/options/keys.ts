import { isLoopback } from '../../http/core/originPolicy.js'
import { drawKey } from '../../lib/drawKey.js'

/** The key that is accepted when none is given. */
export const defaultApiKey = 'qk_local0_00000000000000000000'

/** The accepted keys. Everybody knows the default one, so one is drawn where other machines may reach the host. */
export function keysOf(host: string, apiKeys: readonly string[] = []): readonly string[] {
  if (apiKeys.length > 0) return apiKeys
  return [isLoopback(host) ? defaultApiKey : drawKey()]
}
