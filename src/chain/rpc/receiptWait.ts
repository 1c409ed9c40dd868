import { setTimeout as wait } from 'node:timers/promises'
import type { Method } from './methods.js'

/** For so long a client's request for a receipt counts as under way. Milliseconds of the machine. */
const patienceMs = 1_000

/**
 * Resolves when a client's request no longer counts as under way: when it is answered. A request that is answered once its transaction is
 * mined counts for a second at most: the transaction may wait in the pool for one with an earlier nonce, and would hold up resets and the
 * clock until its sender gives up. Rejects as the answer does.
 */
export function untilAnswered(
  about: readonly Method[],
  answer: Promise<unknown>,
): Promise<unknown> {
  if (!about.every(({ waitsForBlock }) => waitsForBlock)) return answer
  return Promise.race([answer, wait(patienceMs, undefined, { ref: false })])
}
