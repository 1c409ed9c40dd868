import { useContext } from 'preact/hooks'
import { now, overview, toldClock } from '../api/live.js'
import { answered, controlApi } from '../api/session.js'
import type { Bridge } from '../api/types.js'
import { href } from '../shell/route.js'
import { Act } from './controls.js'
import { OtherWorld } from './Linked.js'
import { NetworkLabel } from './labels.js'
import { Money } from './Money.js'
import { secondsUntil, shownClock } from './text.js'

/** When something is due, with a button that advances the clock to then: to the first whole second in which it has happened. */
export function Due({
  at,
  what,
  early = 0,
}: {
  /** ISO 8601. */
  at: string
  /** What is due: `when this bridge fills`; without it there is no button. */
  what?: string | undefined
  /** The button stops so many seconds earlier. */
  early?: number
}) {
  const dueMs = Math.ceil(Date.parse(at) / 1000) * 1000
  const ms = dueMs - early * 1000
  const advance = () => {
    const seconds = secondsUntil(ms, now.peek() ?? ms)
    return answered(controlApi.POST('/_sim/clock/advance', { body: { seconds } }))
  }
  return (
    <>
      at {shownClock(dueMs)}
      {what !== undefined && toldClock.value && ms > (now.value ?? ms) && (
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

export function bridgesUnderWay(of: Partial<Bridge> = {}): Bridge[] {
  return (overview.value?.bridges ?? []).filter(
    ({ status, account_id, activity_id }) =>
      status === 'in flight' &&
      (of.account_id ?? account_id) === account_id &&
      (of.activity_id ?? activity_id) === activity_id,
  )
}

export function Flights({ of }: { of?: Partial<Bridge> }) {
  // The overview is that of the world that all pages show.
  if (useContext(OtherWorld) !== undefined) return null
  return bridgesUnderWay(of).map((bridge, index) => (
    <Flight key={`${bridge.activity_id} ${index}`} bridge={bridge} hasLink={!of?.activity_id} />
  ))
}

function Flight({ bridge, hasLink }: { bridge: Bridge; hasLink: boolean }) {
  const { activity_id, from, to, asset, sent, since, fills_at, waits_for, deadline, until } = bridge
  const isClosed = deadline !== null && (now.value ?? 0) >= Date.parse(deadline) + 1000
  const isComing = fills_at === null && until !== null
  const by = shownClock(deadline ?? since)
  const open = isComing
    ? `Its deadline is ${by}. If nothing changes, the`
    : `If nothing has arrived by ${by}, the`
  const closed = until === null && waits_for !== null ? 'After that, the' : 'The'
  return (
    <p class="in-flight">
      <span class="pill warn">in flight</span> <Money raw={sent} symbol={asset} /> sent from{' '}
      <NetworkLabel network={from} /> to <NetworkLabel network={to} /> at {shownClock(since)}
      {hasLink && (
        <>
          {' '}
          (<a href={href(['timeline', activity_id])}>{activity_id}</a>)
        </>
      )}
      . {!isClosed && <Arrival {...bridge} />}
      {isClosed && `It cannot be filled any more: its deadline was ${by}. `}
      {waits_for !== null && `It waits for ${waits_for}. `}
      {deadline !== null && (
        <>
          {isClosed ? closed : open} deposit is refunded on <NetworkLabel network={from} />
          {until !== null && ' '}
          {until !== null && <Due at={until} what={isComing ? 'the refund' : undefined} />}.
        </>
      )}
    </p>
  )
}

function Arrival({ asset, amount, delivers, fills_at }: Bridge) {
  const all = <Money raw={amount} symbol={asset} />
  const due = fills_at !== null && <Due at={fills_at} what="the fill" />
  if (delivers === null || delivers === amount)
    return (
      due && (
        <>
          {all} arrives {due}.{' '}
        </>
      )
    )
  return (
    <>
      Only <Money raw={delivers} symbol={asset} /> of {all} {due ? 'arrives ' : 'would arrive'}
      {due}. If an operation needs the missing{' '}
      <Money raw={`${BigInt(amount) - BigInt(delivers)}`} symbol={asset} />, it reverts and the
      activity fails.{' '}
    </>
  )
}
