import { useContext } from 'preact/hooks'
import { now, overview, toldClock } from '../api/live.js'
import { answered, controlApi } from '../api/session.js'
import type { Bridge } from '../api/types.js'
import { href } from '../shell/route.js'
import { Act } from './controls.js'
import { OtherWorld } from './Linked.js'
import { NetworkLabel } from './labels.js'
import { Money } from './Money.js'
import { secondsUntil, shownClock, shownSpan } from './text.js'

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

/** The bridges under way: of everybody, of an account or of an activity. */
export function bridgesUnderWay(of: Partial<Bridge> = {}): Bridge[] {
  return (overview.value?.bridges ?? []).filter(
    ({ status, account_id, activity_id }) =>
      status === 'in flight' &&
      (of.account_id ?? account_id) === account_id &&
      (of.activity_id ?? activity_id) === activity_id,
  )
}

/** How much is in flight, since when, when it arrives, and what happens if it does not. */
export function Flights({ of }: { of?: Partial<Bridge> }) {
  // The overview is that of the world that all pages show.
  if (useContext(OtherWorld) !== undefined) return null
  return bridgesUnderWay(of).map((bridge, index) => (
    <Flight key={`${bridge.activity_id} ${index}`} bridge={bridge} hasLink={!of?.activity_id} />
  ))
}

function Flight({ bridge, hasLink }: { bridge: Bridge; hasLink: boolean }) {
  const { activity_id, from, to, asset, amount, delivers, since, fills_at, waits_for, until } =
    bridge
  const seconds = ((now.value ?? 0) - Date.parse(since)) / 1000
  return (
    <p class="in-flight">
      <span class="pill warn">in flight</span> <Money raw={amount} symbol={asset} /> sent from{' '}
      <NetworkLabel network={from} /> to <NetworkLabel network={to} /> {shownSpan(seconds)} ago
      {hasLink && (
        <>
          {' '}
          (<a href={href(['timeline', activity_id])}>{activity_id}</a>)
        </>
      )}
      .{' '}
      {fills_at !== null && (
        <>
          {delivers !== null && delivers !== amount ? (
            <>
              Only <Money raw={delivers} symbol={asset} /> of it arrives
            </>
          ) : (
            'It arrives'
          )}{' '}
          <Due at={fills_at} what="the fill" />.{' '}
        </>
      )}
      {waits_for !== null && `It waits for ${waits_for}. `}
      {until !== null && (
        <>
          Without a fill, the deposit is refunded on <NetworkLabel network={from} />{' '}
          {/* A deposit is refunded in the second after its deadline. */}
          <Due at={until} what="the deadline" early={-1} />.
        </>
      )}
    </p>
  )
}
