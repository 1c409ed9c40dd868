import { z } from 'zod'
import { defineEffect } from '../../rules/effect.js'
import { secondsField, waitOrGone } from '../settings.js'

/** The event is delivered late; those after it may come before it. Its timestamp stays, its cursor is that of its delivery. */
export const eventDelay = defineEffect({
  on: 'events',
  name: 'delay',
  summary:
    'An event is delivered `seconds` of the clock after it happened. It keeps its timestamp and gets its cursor at delivery, so others may overtake it. Removing the rule delivers it.',
  settings: z.strictObject({ seconds: secondsField }),
  async apply({ seconds }, _call, proceed, { rule, wait }) {
    await waitOrGone(wait, seconds, [rule.signal])
    return proceed()
  },
})
