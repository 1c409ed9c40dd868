import { RpcError } from '../../../chain/rpc/rpc.js'
import { ServiceError } from '../../../lib/errors.js'
import { quoteOf } from '../../aggregator/client.js'
import type { QuoteRequest } from '../../aggregator/quote.js'
import { foreseenQuote, revertCode } from '../../aggregator/server.js'
import type { Shortfall } from '../../context/requestContext.js'
import type { AccountRecord, Store } from '../../store/store.js'
import { shortfallOf } from '../assembly/funding.js'
import { kindOf, type PlanKind } from '../model/kind.js'
import { assemble, type PlanSources, withinTimeout } from './assemble.js'
import { conflictOf, simulatePlan } from './simulate.js'

/** The longest that somebody who asks waits for the nodes. Milliseconds. */
const withinMs = 5_000

/**
 * Says whether a request for a plan would be refused now, and what the account would lack. It only reads: no rule meets its quotes, and no
 * rewards are posted. Neither is set where a node does not answer.
 */
export function planCheck(
  parts: PlanSources & {
    store: Pick<Store, 'nonceCounts' | 'executions'>
    kinds: readonly PlanKind[]
  },
) {
  const { store, clock } = parts
  const quote = async (request: QuoteRequest) => {
    const answer = await foreseenQuote(parts, request).catch((cause) => {
      const hasNone = cause instanceof RpcError && cause.code === revertCode
      throw hasNone ? new ServiceError('swap_quote_failed', cause.message, { cause }) : cause
    })
    return quoteOf(request, answer, clock)
  }
  const sources = {
    ...parts,
    quotes: { ...parts.quotes, quote },
    rewards: { ...parts.rewards, claim: async () => undefined },
    readTimeoutMs: Math.min(parts.readTimeoutMs, withinMs),
  }
  return async (
    account: AccountRecord,
    { kind: name, body }: { kind: string; body: unknown },
  ): Promise<{ short?: Shortfall; hasFunds?: boolean; isRefused: boolean }> => {
    const wallet = account.walletAddress
    try {
      const kind = kindOf(parts, name)
      const known = {
        nonceCounts: await store.nonceCounts(wallet),
        underWay: await store.executions(wallet),
      }
      const request = { kind, intent: kind.schema.parse(body), account, known }
      const { planned } = await assemble(sources, request)
      const simulating = Promise.all([
        simulatePlan(parts, wallet, planned),
        known.underWay.length > 0 ? conflictOf(parts, account, planned, known.underWay) : undefined,
      ])
      const [outcomes, broken] = await withinTimeout(simulating, sources.readTimeoutMs)
      const isRefused = broken !== undefined || outcomes.some((each) => each !== undefined)
      return { hasFunds: true, isRefused }
    } catch (error) {
      const short = shortfallOf(error, account.accountId)
      const isRefused =
        error instanceof ServiceError && /^(plan_failed|swap_quote_failed)$/.test(error.code)
      return { isRefused, ...(short && { short }) }
    }
  }
}
