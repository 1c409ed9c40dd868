import { defineEffect } from '../../rules/effect.js'

/** The aggregator's answer is 200 and no JSON: its text ends in the middle. */
export const malformed = defineEffect({
  on: 'quote',
  name: 'malformed',
  summary:
    'The aggregator returns only the first half of its JSON, as if it were complete: 422 `swap_quote_failed`.',
  async apply(_, _call, proceed) {
    const reply = await proceed()
    if (reply === 'hang up') return reply
    const text = JSON.stringify(reply.body)
    return { status: reply.status, body: reply.body, text: text.slice(0, text.length >> 1) }
  },
})
