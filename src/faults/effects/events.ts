import { AsyncLocalStorage } from 'node:async_hooks'
import { z } from 'zod'
import { yieldFor } from '../../time/backgroundTasks.js'
import { defineEffect, type Effect } from '../rules/effect.js'
import { secondsField, waitOrGone } from './settings.js'

export const eventEffects: readonly Effect[] = [
  defineEffect({
    on: 'events',
    name: 'delay',
    lasts: 'holds',
    summary:
      'An event is delivered `seconds` of the clock after it happened. It keeps its timestamp and gets its cursor at delivery, so others may overtake it. Removing the rule delivers it.',
    settings: z.strictObject({ seconds: secondsField }),
    async apply({ seconds }, _call, proceed, { rule, wait }) {
      await waitOrGone(wait, seconds, [rule.signal])
      return proceed()
    },
  }),
  defineEffect({
    on: 'events',
    name: 'duplicate',
    summary:
      'An event is delivered twice in a row: two equal elements of `events`, the second under the next cursor.',
    async apply(_, _call, proceed) {
      // In the same moment, so that nothing comes between them.
      const [delivered] = await Promise.all([proceed(), proceed()])
      return delivered
    },
  }),
  defineEffect({
    on: 'events',
    name: 'drop',
    summary:
      'An event is never delivered. The activity still changes, as `GET /activities/:id` shows.',
    apply: async () => undefined,
  }),
  defineEffect({
    on: 'events',
    name: 'reorder',
    lasts: 'holds',
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
  }),
]
