import { createHash } from 'node:crypto'
import { createRedactor, redactJson } from '../../observe/journal/redact.js'
import { type Clock, isoSeconds } from '../../time/clock.js'

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

interface GivenKeys {
  apiKeys: readonly string[]
  revokedApiKeys: readonly string[]
  /** Whose prime account they all speak for; each for its own when absent. */
  primeKey?: string
}

/** The keys that a server is started with: those that are accepted, then those that are revoked. */
export function apiKeysOf(given: GivenKeys, clock: Clock): ApiKey[] {
  const { apiKeys, revokedApiKeys, primeKey } = given
  const keyOf = (key: string, revoked: boolean) =>
    apiKeyOf(key, { clock, revoked, primeKey: primeKey ?? key })
  return [
    ...apiKeys.map((key) => keyOf(key, false)),
    ...revokedApiKeys.map((key) => keyOf(key, true)),
  ]
}

/** The id of the prime account follows from a key, so that it survives a restart. */
function apiKeyOf(
  key: string,
  { clock, revoked, primeKey }: { clock: Clock; revoked: boolean; primeKey: string },
): ApiKey {
  const digest = createHash('sha256').update(`prime account of ${primeKey}`).digest('hex')
  return {
    key,
    primeId: `svc_${BigInt(`0x${digest}`).toString(36).slice(0, 12)}`,
    name: 'Local prime account',
    email: 'local@svc-sim.invalid',
    createdAt: isoSeconds(clock.now()),
    revoked,
  }
}

/** Bearers that this world accepts: API keys, the control token, the world's key. */
export function ownSecrets(
  keys: readonly Pick<ApiKey, 'key'>[],
  { controlToken, worldKey }: { controlToken?: string | undefined; worldKey?: string },
): string[] {
  return [...keys.map(({ key }) => key), controlToken ?? [], worldKey ?? []].flat()
}

/** A copy with every key and token masked, wherever it occurs. */
export function redacted<T>(
  { access }: { access: { keys: readonly ApiKey[]; bind: Parameters<typeof ownSecrets>[1] } },
  value: T,
): T {
  return redactJson(value, createRedactor(ownSecrets(access.keys, access.bind))) as T
}
