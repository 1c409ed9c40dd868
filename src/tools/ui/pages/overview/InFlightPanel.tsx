import { overview } from '../../api/live.js'
import { now } from '../../api/now.js'
import { NetworkLabel } from '../../parts/labels.js'
import { Money } from '../../parts/Money.js'
import { Count, List, Panel } from '../../parts/panels.js'
import { shownClock, shownSpan } from '../../parts/text.js'
import { href } from '../../shell/route.js'

/** The bridges under way: how much, since when, and until when it can be filled. */
export function InFlightPanel() {
  const bridges = (overview.value?.bridges ?? []).filter(({ status }) => status === 'in flight')
  return (
    <Panel title="In flight" aside={<Count of={bridges} />}>
      <List empty="No bridge is under way.">
        {bridges.map(({ activity_id, from, to, asset, amount, since, until }, index) => (
          <li key={`${activity_id} ${index}`}>
            <Money raw={amount} symbol={asset} /> from <NetworkLabel network={from} /> to{' '}
            <NetworkLabel network={to} /> for{' '}
            {shownSpan(((now.value ?? 0) - Date.parse(since)) / 1000)}
            <p class="small">
              <a href={href(['timeline', activity_id])}>{activity_id}</a> waits for the fill
              {until !== null &&
                ` until ${shownClock(until)}; without one, the deposit is refunded on ${from}`}
              .
            </p>
          </li>
        ))}
      </List>
    </Panel>
  )
}
