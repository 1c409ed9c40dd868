import { computed, signal } from '@preact/signals'
import { isReadOnly, toldClock } from './live.js'

const tick = signal(performance.now())
setInterval(() => {
  if (!document.hidden) tick.value = performance.now()
}, 1000)

/** The simulator's time in milliseconds, updated each second; undefined before it is known. */
export const now = computed(() => {
  const clock = toldClock.value
  // A trace stands at its end.
  if (clock?.mode !== 'real' || isReadOnly.value) return clock?.unix_ms
  return clock.unix_ms + Math.max(0, tick.value - clock.toldAt)
})
