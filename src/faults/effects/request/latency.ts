import { z } from 'zod'
import { defineEffect } from '../../rules/effect.js'
import { msField, waitOrGone } from '../settings.js'

/** The request is slow: it waits before anything is done for it. A frozen clock has to be advanced for it to go on. */
export const latency = defineEffect({
  on: 'request',
  name: 'latency',
  summary:
    'The request waits `ms` milliseconds of the clock before anything is done. With a frozen clock, it waits until the clock is advanced. Removing the rule ends the wait.',
  settings: z.strictObject({ ms: msField }),
  outcome: ({ ms }) => ({ text: `delayed the request by ${ms} ms of the clock` }),
  async apply({ ms }, call, proceed, { rule, wait }) {
    await waitOrGone(wait, ms / 1000, [rule.signal, call.signal])
    return proceed()
  },
})
