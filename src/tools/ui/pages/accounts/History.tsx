import type { AccountView } from '../../api/types.js'
import { Count, List, Panel } from '../../parts/panels.js'
import { Sentence } from '../../parts/Sentence.js'
import { shownClock, shownTime } from '../../parts/text.js'
import { href } from '../../shell/route.js'

/** What happened to an account: activities, and the events that told of them. */
export function History({ view: { activities, events } }: { view: AccountView }) {
  return (
    <div class="account-columns">
      <Panel title="Activities" aside={<Count of={activities} />}>
        <List empty="None yet.">
          {activities.map((activity) => (
            <li key={activity.activity_id} class="activity spread">
              <span class="words">
                <a href={href(['timeline', activity.activity_id])}>{activity.activity_id}</a>
                <span class="small">
                  {shownTime(activity.occurred_at)}
                  {activity.activity_type === 'exogenous' ? ', from outside' : ''}
                </span>
                {activity.items.map(({ action_type, action_context }, i) => (
                  <Sentence key={i} type={action_type} context={action_context} />
                ))}
              </span>
              <span class={`pill ${activity.activity_status}`}>{activity.activity_status}</span>
            </li>
          ))}
        </List>
      </Panel>
      <Panel title="Events" aside={<Count of={events} />}>
        <List kind="feed" empty="None yet.">
          {events.map(({ cursor, activity_id, activity_status, timestamp }) => (
            <li key={cursor}>
              <time>{shownClock(timestamp * 1000)}</time>
              <span class="url">
                <a href={href(['timeline', activity_id])}>{activity_id}</a>
              </span>
              <span class={`pill ${activity_status}`}>{activity_status}</span>
            </li>
          ))}
        </List>
      </Panel>
    </div>
  )
}
