import { createHash } from 'node:crypto'
import { type Clock, isoSeconds } from '../time/clock.js'

/** A credential and the prime account it speaks for. Each key is a prime account of its own. */
export interface ApiKey {
  key: string
  primeId: string
  name: string
  email: string
  /** ISO 8601, whole seconds. */
  createdAt: string
  /** Read at every request, so a key can be revoked while the server runs. */
  revoked: boolean
}

/** The keys that a server is started with: those that are accepted, then those that are revoked. */
export function apiKeysOf(
  { apiKeys, revokedApiKeys }: { apiKeys: readonly string[]; revokedApiKeys: readonly string[] },
  clock: Clock,
): ApiKey[] {
  return [
    ...apiKeys.map((key) => apiKeyOf(key, clock, false)),
    ...revokedApiKeys.map((key) => apiKeyOf(key, clock, true)),
  ]
}

/** The id of the prime account follows from the key, so that it survives a restart. */
function apiKeyOf(key: string, clock: Clock, revoked: boolean): ApiKey {
  const digest = createHash('sha256').update(`prime account of ${key}`).digest('hex')
  return {
    key,
    primeId: `svc_${BigInt(`0x${digest}`).toString(36).slice(0, 12)}`,
    name: 'Local prime account',
    email: 'local@svc-sim.invalid',
    createdAt: isoSeconds(clock.now()),
    revoked,
  }
}
