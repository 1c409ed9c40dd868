import { toldClock } from '../api/live.js'
import { now } from '../api/now.js'
import { isReadOnly } from '../api/trace.js'
import { shownTime } from './text.js'

export function ClockFace() {
  if (now.value === undefined) return null
  return (
    <span class="time" title="The simulator’s clock">
      {shownTime(now.value)}
      <span
        class={`pill ${toldClock.value?.mode === 'real' && !isReadOnly.value ? 'good' : 'frozen'}`}
      >
        {isReadOnly.value ? 'ended' : toldClock.value?.mode}
      </span>
    </span>
  )
}
