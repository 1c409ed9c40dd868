import { z } from 'zod'
import { defineEffect } from '../../rules/effect.js'
import { msField, waitOrGone } from '../settings.js'

/** The computation takes long, within what the service allows. A frozen clock has to be advanced for it to go on. */
export const folioLatency = defineEffect({
  on: 'folio',
  name: 'latency',
  summary:
    'Computing a folio, for its own endpoint or for a plan, takes `ms` milliseconds of the clock longer. Removing the rule ends the wait.',
  settings: z.strictObject({ ms: msField }),
  async apply({ ms }, _call, proceed, { rule, wait }) {
    await waitOrGone(wait, ms / 1000, [rule.signal])
    return proceed()
  },
})
