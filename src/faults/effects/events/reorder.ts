import { z } from 'zod'
import { defineEffect } from '../../rules/effect.js'

/** An event and the next of its account change places. */
export const reorder = defineEffect({
  on: 'events',
  name: 'reorder',
  summary:
    'An event is delivered right after the next one of the account: `confirmed` before `pending`. Cursors grow in the order of delivery, timestamps tell the true one. Removing the rule delivers what still waits for a next one.',
  settings: z.strictObject({}),
  applies: (_, call) => !call.othersWait(),
  apply: (_, call, proceed, { rule }) =>
    new Promise((resolve) => {
      let out = false
      const deliver = (): void => {
        if (out) return
        // Before it is delivered: that lets go of all that wait, and this is one of them still.
        out = true
        resolve(proceed())
      }
      call.afterNext(deliver)
      rule.signal.addEventListener('abort', deliver, { once: true })
    }),
})
