import { Fragment } from 'preact'
import { events, exchanges } from '../../api/live.js'
import { Status } from '../../parts/Status.js'
import { shownClock } from '../../parts/text.js'

const shownEntries = 14

/** The newest requests and events. */
export function Activity() {
  const newest = exchanges.value.slice(0, shownEntries)
  return (
    <Fragment>
      <section class="panel" aria-labelledby="events-title">
        <header>
          <h2 id="events-title">Newest events</h2>
        </header>
        {events.value.length === 0 && <p class="empty">None since this page was opened.</p>}
        <ol class="feed">
          {events.value.slice(0, shownEntries).map(({ account_id, cursor, data, timestamp }) => (
            <li key={`${account_id} ${cursor}`}>
              <time>{shownClock(timestamp * 1000)}</time>
              <code>{data.activity_id}</code>
              <span class="url">{account_id}</span>
              <span class={`pill ${data.activity_status}`}>{data.activity_status}</span>
            </li>
          ))}
        </ol>
      </section>
      <section class="panel wide" aria-labelledby="requests-title">
        <header>
          <h2 id="requests-title">Newest requests</h2>
        </header>
        {newest.length === 0 && <p class="empty">None yet.</p>}
        <ol class="feed">
          {newest.map(({ cursor, at, method, url, answer }) => (
            <li key={cursor}>
              <time>{shownClock(at)}</time>
              <span class="method">{method}</span>
              <span class="url">{url}</span>
              <Status answer={answer} />
            </li>
          ))}
        </ol>
      </section>
    </Fragment>
  )
}
