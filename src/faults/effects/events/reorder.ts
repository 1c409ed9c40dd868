import { AsyncLocalStorage } from 'node:async_hooks'
import { yieldFor } from '../../../time/backgroundTasks.js'
import { defineEffect } from '../../rules/effect.js'

/** An event and the next of its account change places. */
export const reorder = defineEffect({
  on: 'events',
  name: 'reorder',
  summary:
    'An event is delivered right after the next one of the account: `confirmed` before `pending`. Cursors follow the order of delivery; timestamps show the true order. Removing the rule delivers an event that still waits for the next one.',
  applies: (_, call) => !call.othersWait(),
  async apply(_, call, proceed, { rule }) {
    // Delivered in the moment of the next one, so that nothing comes in between; being held is no work.
    // It stays work of this event, whichever other one lets it go.
    const here = AsyncLocalStorage.snapshot()
    const delivered = new Promise<Promise<undefined>[]>((resolve) => {
      let out = false
      const deliver = (): void => {
        if (out) return
        // Before it is delivered: that lets go of all that wait, and this is one of them still.
        out = true
        resolve([here(proceed)])
      }
      call.afterNext(deliver)
      rule.signal.addEventListener('abort', deliver, { once: true })
    })
    const [delivery] = await yieldFor(delivered)
    return delivery
  },
})
