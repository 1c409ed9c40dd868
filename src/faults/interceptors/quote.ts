import { AsyncLocalStorage } from 'node:async_hooks'
import type { Address } from 'viem'
import type { AddressBook } from '../../deployments/addressBook.js'
import { networks } from '../../deployments/networks.js'
import type { AskedQuote, QuoteReply } from '../../service/aggregator/server.js'
import type { FaultSeams } from '../engine/seams.js'
import type { QuoteCall } from '../rules/effect.js'

/** Tells the aggregator on whose behalf a quote is asked. */
const callerHeader = 'x-caller'

/** The seam `quote`, on both sides of the aggregator's HTTP API. */
export function quoteFaults(faults: FaultSeams, book: AddressBook) {
  const callers = new Map<string, <T>(work: () => T) => T>()
  let made = 0
  return {
    /** What the client sends along, so that the request's own rule and what it can be told by are known over there. */
    headers(): Record<string, string> {
      if (!faults.hasRules) return {}
      const id = String(++made)
      callers.set(id, AsyncLocalStorage.snapshot())
      return { [callerHeader]: id }
    },
    /** What the aggregator runs its answers through. */
    intercept(
      { req, res }: AskedQuote,
      proceed: (hiddenBps?: bigint) => Promise<QuoteReply>,
    ): Promise<QuoteReply> {
      const id = String(req.headers[callerHeader])
      const caller = callers.get(id)
      callers.delete(id)
      if (!faults.hasRules) return proceed()
      const call = callOf({ req, res }, book)
      const run = () => faults.intercept('quote', call, () => proceed(call.hiddenBps))
      return caller ? caller(run) : run()
    },
  }
}

function callOf({ req, res }: AskedQuote, book: AddressBook): QuoteCall {
  const query = new URLSearchParams(req.url?.split('?')[1])
  const network = networks.find(({ chainId }) => String(chainId) === query.get('chainId'))?.name
  const tokens = [query.get('sellToken'), query.get('buyToken')].map((address) =>
    network
      ? book.on(network).tokens.find((token) => token.address === address?.toLowerCase())
      : undefined,
  )
  const left = new AbortController()
  // Of this answer: the connection is kept, and would gather a listener per quote.
  res.once('close', () => left.abort())
  const buyToken = tokens[1]?.address as Address | undefined
  return {
    facts: {
      asset: tokens.flatMap((token) => token?.symbol ?? []),
      ...(network ? { network } : {}),
    },
    network,
    buyToken,
    signal: left.signal,
    hiddenBps: 0n,
  }
}
