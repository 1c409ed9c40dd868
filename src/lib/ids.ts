import { hash, randomBytes } from 'node:crypto'
import type { Stateful } from './lifecycle.js'

/** Draws the service's identifiers: a prefix and 12 lower-case base-36 characters. */
export interface Ids {
  account(): string
  plan(): string
  activity(): string
  intent(): string
  request(): string
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/**
 * The ids of a seed and salt, the same in every run. Each kind has its own counter, so background work does not change the ids of
 * requests. After a restore, ids are drawn again only if `repeats` returns true.
 */
export function createIds(
  seed: bigint,
  salt = '',
  repeats: () => boolean = () => true,
): Ids & Stateful<ReadonlyMap<string, number>> {
  let counts = new Map<string, number>()
  /** The number drawn of each kind, regardless of restores. */
  const drawn = new Map<string, number>()
  const next = (prefix: string): string => {
    const [here, ever] = [counts.get(prefix) ?? 0, drawn.get(prefix) ?? 0]
    const count = repeats() ? here : Math.max(here, ever)
    counts.set(prefix, count + 1)
    drawn.set(prefix, Math.max(count + 1, ever))
    const bytes = hash('sha256', `${seed}:${salt}:${prefix}:${count}`, 'buffer')
    let id = prefix
    for (let i = 0; i < 12; i++) id += alphabet[bytes[i]! % 36]
    return id
  }
  return {
    account: () => next('acc_'),
    plan: () => next('pln_'),
    activity: () => next('act_'),
    intent: () => next('qi_'),
    request: () => next('req_'),
    save: () => new Map(counts),
    restore(saved) {
      counts = new Map(saved)
    },
  }
}

/** Whether a text has the form of `drawKey`. */
export function isDrawnKey(text: string): boolean {
  return /^qk_[0-9a-f]{6}_[0-9a-f]{20}$/.test(text)
}

/** An unguessable key in the service's format. */
export function drawKey(): string {
  const digits = randomBytes(32).toString('hex')
  return `qk_${digits.slice(0, 6)}_${digits.slice(6, 26)}`
}
