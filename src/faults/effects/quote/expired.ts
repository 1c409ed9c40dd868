import { unixSeconds } from '../../../time/clock.js'
import { defineEffect } from '../../rules/effect.js'

/** The aggregator answers an offer from its cache that has run out. */
export const expired = defineEffect({
  on: 'quote',
  name: 'expired',
  summary: 'The aggregator returns a quote that expired a second ago: 422 `swap_quote_failed`.',
  async apply(_, _call, proceed, { clock }) {
    const reply = await proceed()
    if (reply === 'hang up' || !('expiresAt' in reply.body)) return reply
    return { ...reply, body: { ...reply.body, expiresAt: unixSeconds(clock) - 1 } }
  },
})
