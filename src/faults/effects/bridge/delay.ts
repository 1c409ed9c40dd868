import { z } from 'zod'
import { defineEffect } from '../../rules/effect.js'
import { secondsField, waitOrGone } from '../settings.js'

/** The relayer is slow. Later than the deadline, the deposit goes back instead. Removing the rule ends the wait. */
export const delay = defineEffect({
  on: 'bridge',
  name: 'delay',
  summary:
    'The fill comes `seconds` of the clock later, and the activity is pending meanwhile. If the deposit’s deadline (10 minutes after its plan was made) has passed by then, the deposit is refunded on its origin network instead, also after `seconds`, and the activity fails.',
  settings: z.strictObject({ seconds: secondsField }),
  outcome: ({ seconds }) => ({
    text: `delayed the fill by ${seconds} s`,
    ends: ['failed', 'pending'],
  }),
  async apply({ seconds }, call, proceed, { rule, wait }) {
    await waitOrGone(wait, seconds, [rule.signal, call.signal])
    return call.signal.aborted ? { status: 'interrupted' as const } : proceed()
  },
})
