import { events, exchanges, isJournalKnown } from '../../api/live.js'
import { Status } from '../../parts/Status.js'
import { shownClock } from '../../parts/text.js'
import { href } from '../../shell/route.js'

const shownEntries = 14

/** The newest events. */
export function NewestEvents() {
  return (
    <section class="panel double" aria-labelledby="events-title">
      <header>
        <h2 id="events-title">Newest events</h2>
      </header>
      {events.value.length === 0 && <p class="empty">None since this page was opened.</p>}
      <ol class="feed">
        {events.value.slice(0, shownEntries).map(({ account_id, cursor, data, timestamp }) => (
          <li key={`${account_id} ${cursor}`}>
            <time>{shownClock(timestamp * 1000)}</time>
            <a href={href(['timeline', data.activity_id])}>{data.activity_id}</a>
            <a class="url" href={href(['accounts', account_id])}>
              {account_id}
            </a>
            <span class={`pill ${data.activity_status}`}>{data.activity_status}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The newest requests. */
export function NewestRequests() {
  const newest = exchanges.value.slice(0, shownEntries)
  return (
    <section class="panel wide" aria-labelledby="requests-title">
      <header>
        <h2 id="requests-title">Newest requests</h2>
        <a href={href(['journal'])}>Journal</a>
      </header>
      {newest.length === 0 && (
        <p class="empty">{isJournalKnown.value ? 'None yet.' : 'Loading…'}</p>
      )}
      <ol class="feed">
        {newest.map(({ cursor, at, method, url, answer }) => (
          <li key={cursor}>
            <time>{shownClock(at)}</time>
            <span class="method">{method}</span>
            <a class="url" href={href(['journal', `${cursor}`])}>
              {url}
            </a>
            <Status answer={answer} />
          </li>
        ))}
      </ol>
    </section>
  )
}
