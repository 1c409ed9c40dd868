import { symbolAt } from '../../api/assets.js'
import { networkOfChain } from '../../api/live.js'
import { now } from '../../api/now.js'
import type { Moment } from '../../api/types.js'
import { NetworkLabel } from '../../parts/labels.js'
import { Money } from '../../parts/Money.js'
import { shownClock, shownSpan } from '../../parts/text.js'
import { flightsOf } from './flights.js'

/** The bridges under way: how much, since when, what each waits for, and what happens if that never comes. */
export function Flights({ moments }: { moments: readonly Moment[] }) {
  const flights = flightsOf(moments, networkOfChain)
  if (flights.length === 0) return null
  return (
    <section class="callout" aria-label="In flight">
      {flights.map(({ moment, from, to, token, raw, deadline }, index) => (
        <p key={index}>
          <strong>In flight</strong> for{' '}
          {shownSpan(((now.value ?? 0) - Date.parse(moment.at)) / 1000)}:{' '}
          <Money raw={raw} symbol={symbolAt(to, token) ?? token} /> from{' '}
          <NetworkLabel network={from} /> to <NetworkLabel network={to} />. It waits for the fill
          until {shownClock(deadline * 1000)}; without one, the deposit is refunded on{' '}
          <NetworkLabel network={from} />.
        </p>
      ))}
    </section>
  )
}
