import { useEffect } from 'preact/hooks'
import type { AccountView } from '../../api/accounts.js'
import { needAssets } from '../../api/assets.js'
import { Sentence } from '../../parts/Sentence.js'
import { shownClock, shownTime } from '../../parts/text.js'
import { href } from '../../shell/route.js'

/** What happened to an account: activities, and the events that told of them. */
export function History({ view: { activities, events } }: { view: AccountView }) {
  useEffect(needAssets, [])
  return (
    <div class="account-columns">
      <section class="panel" aria-labelledby="activities-title">
        <header>
          <h2 id="activities-title">Activities</h2>
          <span class="count">{activities.length}</span>
        </header>
        {activities.length === 0 && <p class="empty">None yet.</p>}
        <ul class="list">
          {activities.map((activity) => (
            <li key={activity.activity_id} class="activity">
              <span class="activity-what">
                <a href={href(['timeline', activity.activity_id])}>{activity.activity_id}</a>
                <span class="small">
                  {shownTime(Date.parse(activity.occurred_at))}
                  {activity.activity_type === 'exogenous' ? ', from outside' : ''}
                </span>
                {activity.items.map(({ action_type, action_context }, i) => (
                  <Sentence key={i} type={action_type} context={action_context} />
                ))}
              </span>
              <span class={`pill ${activity.activity_status}`}>{activity.activity_status}</span>
            </li>
          ))}
        </ul>
      </section>
      <section class="panel" aria-labelledby="account-events-title">
        <header>
          <h2 id="account-events-title">Events</h2>
          <span class="count">{events.length}</span>
        </header>
        {events.length === 0 && <p class="empty">None yet.</p>}
        <ol class="feed">
          {events.map(({ cursor, activity_id, activity_status, timestamp }) => (
            <li key={cursor}>
              <time>{shownClock(timestamp * 1000)}</time>
              <span class="url">
                <a href={href(['timeline', activity_id])}>{activity_id}</a>
              </span>
              <span class={`pill ${activity_status}`}>{activity_status}</span>
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}
