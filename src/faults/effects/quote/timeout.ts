import { defineEffect } from '../../rules/effect.js'
import { waitOrGone } from '../settings.js'

/** The aggregator takes the request and is silent until the service gives up (5 s of the machine). */
export const quoteTimeout = defineEffect({
  on: 'quote',
  name: 'timeout',
  summary:
    'The aggregator does not respond. After 5 seconds the service gives up: 422 `swap_quote_failed`. Removing the rule makes the aggregator close the connection.',
  async apply(_, call, _proceed, { rule, wait }) {
    await waitOrGone(wait, undefined, [rule.signal, call.signal])
    return 'hang up' as const
  },
})
