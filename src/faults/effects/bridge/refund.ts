import { defineEffect } from '../../rules/effect.js'

/** The bridge's hub sends the deposit back at once, long before its deadline. */
export const bridgeRefund = defineEffect({
  on: 'bridge',
  name: 'refund',
  summary:
    'The deposit is not filled and is refunded on its origin network at once. The activity fails, and the full amount is returned.',
  outcome: () => ({ text: 'had the deposit refunded at once', ends: ['failed'] }),
  apply: (_, call) => call.refund('the bridge refused the deposit', { early: true }),
})
