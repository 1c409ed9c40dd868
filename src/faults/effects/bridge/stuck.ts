import { defineEffect } from '../../rules/effect.js'

/**
 * No relayer takes the deposit. After its deadline it goes back on its origin network; when the rule is removed before, it is
 * filled after all.
 */
export const bridgeStuck = defineEffect({
  on: 'bridge',
  name: 'stuck',
  summary:
    'The deposit is never filled: it is debited on one network, nothing arrives on the other, and the activity is pending. After the deadline (10 minutes of the clock) it is refunded on its origin network and the activity fails. Removing the rule before that fills it.',
  outcome: () => ({ text: 'kept relayers from filling the deposit', ends: ['failed', 'pending'] }),
  async apply(_, call, proceed, { rule }) {
    const signal = AbortSignal.any([call.signal, rule.signal])
    const outcome = await call.refund('no relayer filled the deposit', { signal })
    const healed = outcome.status === 'interrupted' && !call.signal.aborted
    return healed ? proceed() : outcome
  },
})
