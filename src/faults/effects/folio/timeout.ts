import { z } from 'zod'
import { ServiceError } from '../../../lib/errors.js'
import { defineEffect, pastRule } from '../../rules/effect.js'
import { secondsField, waitOrGone } from '../settings.js'

/** The computation takes too long. A cached folio is no computation: `cached=true` helps, as interface.md suggests. */
export const folioTimeout = defineEffect({
  on: 'folio',
  name: 'timeout',
  summary:
    '408 `timeout` on the folio and on plan endpoints, after `seconds` of the clock or at once. `cached=true` still works.',
  synthetic: '`chain.slow` and `chain.down` cause it, because nodes then respond late',
  settings: z.strictObject({ seconds: secondsField.optional() }),
  async apply({ seconds }, _call, _proceed, { rule, wait }) {
    if (seconds !== undefined) await waitOrGone(wait, seconds, [rule.signal])
    throw new ServiceError('timeout', 'Folio computation timed out', {
      hint: `Fault rule ${rule.id} (folio.timeout) returned this error instead of a folio. ${pastRule(rule)} Meanwhile cached=true returns the last computed folio.`,
    })
  },
})
