import { defineEffect } from '../../rules/effect.js'

/** The aggregator closes the connection without an answer. */
export const unavailable = defineEffect({
  on: 'quote',
  name: 'unavailable',
  summary: 'The aggregator closes the connection without a response: 422 `swap_quote_failed`.',
  apply: async () => 'hang up' as const,
})
