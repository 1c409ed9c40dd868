import { z } from 'zod'
import { unixSeconds } from '../../time/clock.js'
import { defineEffect, type Effect } from '../rules/effect.js'
import { refill, takeOut, widenSpread } from './exchange.js'
import { culprit } from './planChanges.js'
import { waitOrGone } from './settings.js'

export const quoteEffects: readonly Effect[] = [
  defineEffect({
    on: 'quote',
    name: 'unavailable',
    summary: 'The aggregator closes the connection without a response: 422 `swap_quote_failed`.',
    apply: async () => 'hang up' as const,
  }),
  defineEffect({
    on: 'quote',
    name: 'http_error',
    summary: 'The aggregator returns `status` (503 when absent): 422 `swap_quote_failed`.',
    settings: z.strictObject({ status: z.int().min(400).max(599).default(503) }),
    apply: async ({ status }) => ({
      status,
      body: { code: 'NODE_UNAVAILABLE' as const, reason: 'a fault rule says so' },
    }),
  }),
  defineEffect({
    on: 'quote',
    name: 'timeout',
    lasts: 'holds',
    summary:
      'The aggregator does not respond. After 5 seconds the service gives up: 422 `swap_quote_failed`. Removing the rule makes the aggregator close the connection.',
    async apply(_, call, _proceed, { rule, wait }) {
      await waitOrGone(wait, undefined, [rule.signal, call.signal])
      return 'hang up' as const
    },
  }),
  defineEffect({
    on: 'quote',
    name: 'malformed',
    summary:
      'The aggregator returns only the first half of its JSON, as if it were complete: 422 `swap_quote_failed`.',
    hasChanged: (before, after) => before !== after,
    async apply(_, _call, proceed) {
      const reply = await proceed()
      if (reply === 'hang up') return reply
      const text = JSON.stringify(reply.body)
      return { status: reply.status, body: reply.body, text: text.slice(0, text.length >> 1) }
    },
  }),
  defineEffect({
    on: 'quote',
    name: 'expired',
    summary: 'The aggregator returns a quote that expired a second ago: 422 `swap_quote_failed`.',
    hasChanged: (before, after) => before !== after,
    async apply(_, _call, proceed, { clock }) {
      const reply = await proceed()
      if (reply === 'hang up' || reply.text !== undefined || !('expiresAt' in reply.body))
        return reply
      return { ...reply, body: { ...reply.body, expiresAt: unixSeconds(clock) - 1 } }
    },
  }),
  /**
   * The plan's tolerance is 1 % of the quote, which has a spread of 5 basis points; this spread is of the price without one. So 100 less is
   * just over 1 % less. For an exact amount the sold one grows by more than the price falls, and with it its impact: with 99 that is over 1 %,
   * for very large amounts with less.
   */
  defineEffect({
    on: 'quote',
    name: 'slippage',
    lasts: 'changes',
    summary:
      'From the first quote at which the rule fires until the rule is removed, the exchange of its network really settles `bps` basis points worse than quoted. Until that quote, earlier plans are executed as quoted. Up to 99 less arrives; if the bought amount is exact, up to 98 more is taken. Beyond that, new plans return 400 `plan_failed`, and earlier ones 409 `plan_stale`.',
    settings: z.strictObject({ bps: z.int().min(1).max(5_000).meta({ example: 50 }) }),
    async apply({ bps }, call, proceed, { rule, nodes, book, track, ledger }) {
      const { network } = call
      if (network === undefined) return proceed()
      const change = {
        name: `spread of ${network}`,
        node: nodes.get(network),
        onLeft: () => ledger.undo(rule.id, 'quote.slippage'),
      }
      const widen = (by: number) => widenSpread(change.node, book.on(network).exchange, by)
      await rule.change(change, async () => {
        const changed = await track(() => widen(bps), `widening the ${change.name}`)
        ledger.add(culprit(rule, 'quote.slippage'), [{ of: 'exchange', network, ...changed }])
        return async () => void (await widen(-bps))
      })
      call.hiddenBps += BigInt(bps)
      return proceed()
    },
  }),
  defineEffect({
    on: 'quote',
    name: 'drain',
    lasts: 'changes',
    summary:
      'From the first quote at which the rule fires, the exchange really holds none of the bought asset on that network. Quotes return 422 `swap_quote_failed`, and earlier plans 409 `plan_stale`. Until that quote, earlier plans are executed as quoted. Removing the rule restores the holdings.',
    async apply(_, call, proceed, { rule, nodes, book, track, ledger }) {
      const { network, buyToken } = call
      const place = network && book.on(network)
      const token = place?.tokens.find(({ address }) => address === buyToken)
      if (network && place && token) {
        const change = {
          name: `${token.symbol} of ${network}`,
          node: nodes.get(network),
          isJoint: true,
          onLeft: () => ledger.undo(rule.id, 'quote.drain'),
        }
        const of = [change.node, place.exchange, token] as const
        await rule.change(change, async () => {
          const changed = await track(() => takeOut(...of), `draining ${change.name}`)
          const { symbol } = token
          ledger.add(culprit(rule, 'quote.drain'), [
            { of: 'exchange', network, symbol, ...changed },
          ])
          return () => refill(...of)
        })
      }
      return proceed()
    },
  }),
]
