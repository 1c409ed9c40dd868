import { ServiceError } from '../../../lib/errors.js'
import type { Shortfall } from '../../context/requestContext.js'
import type { AccountRecord, Store } from '../../store/store.js'
import { shortfallOf } from '../assembly/funding.js'
import { kindOf, type PlanKind } from '../model/kind.js'
import { assemble, type PlanSources } from './assemble.js'

/** The longest that somebody who asks waits for the nodes. Milliseconds. */
const withinMs = 5_000

/**
 * Says what an account would lack for a plan now. It only reads: no quote is asked for and no rewards are posted. Undefined for nothing, and
 * where a node does not answer.
 */
export function shortCheck(
  parts: PlanSources & {
    store: Pick<Store, 'nonceCounts' | 'executions'>
    kinds: readonly PlanKind[]
  },
) {
  const { store } = parts
  const noQuote = () =>
    Promise.reject(new ServiceError('swap_quote_failed', 'no quote is asked for'))
  const sources = {
    ...parts,
    quotes: { ...parts.quotes, quote: noQuote },
    rewards: { ...parts.rewards, claim: async () => undefined },
    readTimeoutMs: Math.min(parts.readTimeoutMs, withinMs),
  }
  return async (
    account: AccountRecord,
    { kind: name, body }: { kind: string; body: unknown },
  ): Promise<Shortfall | undefined> => {
    const wallet = account.walletAddress
    try {
      const kind = kindOf(parts, name)
      const known = {
        nonceCounts: await store.nonceCounts(wallet),
        underWay: await store.executions(wallet),
      }
      await assemble(sources, { kind, intent: kind.schema.parse(body), account, known })
      return undefined
    } catch (error) {
      return shortfallOf(error, account.accountId)
    }
  }
}
