import { now, toldClock } from '../api/live.js'
import { answered, controlApi } from '../api/session.js'
import { Act } from './controls.js'
import { secondsUntil, shownClock } from './text.js'

/** When something is due, with a button that advances the clock to then. */
export function Due({
  at,
  what,
  early = 0,
}: {
  /** ISO 8601. */
  at: string
  /** What is due: `when this bridge fills`. */
  what: string
  /** The button stops so many seconds earlier; later if it is negative. */
  early?: number
}) {
  const ms = Date.parse(at) - early * 1000
  const advance = () => {
    const seconds = secondsUntil(ms, now.peek() ?? ms)
    return answered(controlApi.POST('/_sim/clock/advance', { body: { seconds } }))
  }
  return (
    <>
      at {shownClock(at)}
      {toldClock.value && ms > (now.value ?? ms) && (
        <>
          {' '}
          <Act class="due steers" done={`The clock is at ${shownClock(ms)}`} work={advance}>
            Go to {what}
          </Act>
        </>
      )}
    </>
  )
}
