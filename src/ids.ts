import { createHash, randomBytes } from 'node:crypto'
import type { Stateful } from './stateful.js'

/** Where the service's identifiers come from: a prefix and 12 lower-case base-36 characters. */
export interface Ids {
  account(): string
  plan(): string
  activity(): string
  intent(): string
  request(): string
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** Random ids; with a seed, the same sequence of ids in every run. */
export function createIds(seed?: bigint): Ids & Stateful<number> {
  let counter = 0
  const bytes = (): Uint8Array =>
    seed === undefined
      ? randomBytes(12)
      : createHash('sha256').update(`${seed}:${counter++}`).digest().subarray(0, 12)
  const next = (prefix: string): string =>
    prefix + Array.from(bytes(), (byte) => alphabet[byte % 36]).join('')
  return {
    account: () => next('acc_'),
    plan: () => next('pln_'),
    activity: () => next('act_'),
    intent: () => next('qi_'),
    request: () => next('req_'),
    save: () => counter,
    restore: (saved) => {
      counter = saved
    },
  }
}
