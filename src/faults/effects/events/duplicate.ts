import { z } from 'zod'
import { defineEffect } from '../../effect.js'

/** Delivered at least once: twice. */
export const eventDuplicate = defineEffect({
  on: 'events',
  name: 'duplicate',
  summary:
    'An event is delivered twice in a row: two equal elements of `events`, the second under the next cursor.',
  settings: z.strictObject({}),
  async apply(_, _call, proceed) {
    await proceed()
    return proceed()
  },
})
