import { z } from 'zod'
import { ServiceError } from '../../lib/errors.js'
import { defineEffect, type Effect, pastRule } from '../rules/effect.js'
import { msField, secondsField, waitOrGone } from './settings.js'

/** Faults of folios that are computed, for their own endpoint or for a plan. */
export const folioEffects: readonly Effect[] = [
  defineEffect({
    on: 'folio',
    name: 'latency',
    lasts: 'holds',
    summary:
      'Computing a folio, for its own endpoint or for a plan, takes `ms` milliseconds of the clock longer. Removing the rule ends the wait.',
    settings: z.strictObject({ ms: msField }),
    async apply({ ms }, _call, proceed, { rule, wait }) {
      await waitOrGone(wait, ms / 1000, [rule.signal])
      return proceed()
    },
  }),
  /** The computation takes too long. A cached folio is no computation: `cached=true` helps, as interface.md suggests. */
  defineEffect({
    on: 'folio',
    name: 'timeout',
    lasts: 'holds',
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
  }),
  /** The answer of a replica that lags behind. */
  defineEffect({
    on: 'folio.read',
    name: 'serve_stale',
    summary:
      'The folio endpoint returns the account’s most recent folio even when a fresh one is requested. The first one is computed.',
    firesLater: true,
    async apply(_, call, proceed, { fired }) {
      const previous = call.previous()
      if (previous === undefined) return proceed()
      fired()
      return previous
    },
  }),
]
