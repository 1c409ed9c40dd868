import { z } from 'zod'
import { defineEffect } from '../../rules/effect.js'
import { widenSpread } from '../exchange.js'
import { culprit } from '../expirePlan.js'

/**
 * The exchange settles worse than it quotes: its spread on chain is wider by `bps` from the first quote until the rule goes,
 * while quotes use the usual one. Up to the plan's tolerance (1 %) a swap gives less than quoted; beyond it the swap would
 * revert: a new plan is 400 `plan_failed`, and one that was made before is 409 `plan_stale`. The spread is of the price without
 * one, the tolerance of the quote, which has 5: 100 less is just over 1 % less. For an exact amount the sold one grows by more
 * than the price falls, and with it its impact: with 99 that is over 1 %, for very large amounts with less.
 */
export const slippage = defineEffect({
  on: 'quote',
  name: 'slippage',
  summary:
    'From the first quote at which the rule fires until the rule is removed, the exchange of its network really settles `bps` basis points worse than quoted. Until that quote, earlier plans are executed as quoted. Up to 99 less arrives; if the bought amount is exact, up to 98 more is taken. Beyond that, new plans return 400 `plan_failed`, and earlier ones 409 `plan_stale`.',
  settings: z.strictObject({ bps: z.int().min(1).max(5_000).meta({ example: 50 }) }),
  async apply({ bps }, call, proceed, { rule, nodes, book, track, ledger }) {
    const { network } = call
    if (network === undefined) return proceed()
    const change = { name: `spread of ${network}`, node: nodes.get(network) }
    const widen = (by: number) => widenSpread(change.node, book.on(network).exchange, by)
    await rule.change(change, async () => {
      await track(() => widen(bps), `widening the ${change.name}`)
      const address = book.on(network).exchange.toLowerCase()
      ledger.add(culprit(rule, 'quote.slippage'), [{ of: 'state', network, address }])
      return () => widen(-bps)
    })
    call.hiddenBps += BigInt(bps)
    return proceed()
  },
})
