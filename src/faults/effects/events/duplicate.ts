import { defineEffect } from '../../rules/effect.js'

/** Delivered at least once: twice. */
export const eventDuplicate = defineEffect({
  on: 'events',
  name: 'duplicate',
  summary:
    'An event is delivered twice in a row: two equal elements of `events`, the second under the next cursor.',
  async apply(_, _call, proceed) {
    // In the same moment, so that nothing comes between them.
    const [delivered] = await Promise.all([proceed(), proceed()])
    return delivered
  },
})
