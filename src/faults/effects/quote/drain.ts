import { defineEffect } from '../../rules/effect.js'
import { refill, takeOut } from '../exchange.js'
import { culprit } from '../expirePlan.js'

/** The exchange's inventory of the asset that somebody wants to buy is taken out on chain, and put back when the rule goes. */
export const drain = defineEffect({
  on: 'quote',
  name: 'drain',
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
      }
      const of = [change.node, place.exchange, token] as const
      await rule.change(change, async () => {
        await track(() => takeOut(...of), `draining ${change.name}`)
        const address = place.exchange.toLowerCase()
        ledger.add(culprit(rule, 'quote.drain'), [{ of: 'state', network, address }])
        return () => refill(...of)
      })
    }
    return proceed()
  },
})
