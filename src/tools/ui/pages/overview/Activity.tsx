import { exchanges, isJournalKnown, overview } from '../../api/live.js'
import { Status } from '../../parts/labels.js'
import { List, Panel } from '../../parts/panels.js'
import { shownClock } from '../../parts/text.js'
import { href } from '../../shell/route.js'

const shownEntries = 14

export function NewestEvents() {
  return (
    <Panel title="Newest events" kind="double">
      <List kind="feed" empty="None yet.">
        {overview.value?.events.map(({ account_id, cursor, timestamp, ...event }) => (
          <li key={`${account_id} ${cursor}`}>
            <time>{shownClock(timestamp * 1000)}</time>
            <a href={href(['timeline', event.activity_id])}>{event.activity_id}</a>
            <a class="url" href={href(['accounts', account_id])}>
              {account_id}
            </a>
            <span class={`pill ${event.activity_status}`}>{event.activity_status}</span>
          </li>
        ))}
      </List>
    </Panel>
  )
}

export function NewestRequests() {
  return (
    <Panel title="Newest requests" kind="wide" aside={<a href={href(['journal'])}>Journal</a>}>
      <List kind="feed" empty={isJournalKnown.value ? 'None yet.' : 'Loading…'}>
        {exchanges.value.slice(0, shownEntries).map(({ cursor, at, method, url, answer }) => (
          <li key={cursor}>
            <time>{shownClock(at)}</time>
            <span class="method">{method}</span>
            <a class="url" href={href(['journal', `${cursor}`])}>
              {url}
            </a>
            <Status answer={answer} />
          </li>
        ))}
      </List>
    </Panel>
  )
}
