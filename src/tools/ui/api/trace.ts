import { computed, effect, signal } from '@preact/signals'
import { connection } from './live.js'
import { answered, controlApi } from './session.js'
import type { TraceInfo } from './types.js'

/** The trace that the page shows; null for a running simulator, undefined before it is known. */
export const trace = signal<TraceInfo['trace'] | undefined>()

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
