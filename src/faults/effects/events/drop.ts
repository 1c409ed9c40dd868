import { defineEffect } from '../../rules/effect.js'

/** The event is never delivered; what it told of has happened all the same. */
export const drop = defineEffect({
  on: 'events',
  name: 'drop',
  summary:
    'An event is never delivered. The activity still changes, as `GET /activities/:id` shows.',
  apply: async () => undefined,
})
