import { computed, effect, signal } from '@preact/signals'
import type { components } from '../../../clients/control/controlApi.js'
import { connection } from './live.js'
import { answered } from './refusal.js'
import { controlApi } from './session.js'

/** The trace that is looked at; null for a simulator that runs, undefined before it is known. */
export const trace = signal<components['schemas']['TraceInfo']['trace'] | undefined>()

/** Whether nothing can be changed. */
export const isReadOnly = computed(() => !!trace.value)

effect(() => {
  // After each break: something else may answer then.
  if (connection.value !== 'live') return
  void answered(controlApi.GET('/_sim/trace')).then(
    (told) => {
      trace.value = told.trace
    },
    () => {},
  )
})
