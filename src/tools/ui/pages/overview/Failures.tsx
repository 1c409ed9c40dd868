import { exchanges, isJournalKnown, overview } from '../../api/live.js'
import { Linked } from '../../parts/Linked.js'
import { shownClock } from '../../parts/text.js'
import { href } from '../../shell/route.js'
import { failuresOf } from './failures.js'

const mostFailures = 6

/** What failed lately, and why. */
export function Failures() {
  const failures = failuresOf(exchanges.value, overview.value?.failed ?? [], mostFailures)
  return (
    <section class="panel" aria-labelledby="failures-title">
      <header>
        <h2 id="failures-title">Failed lately</h2>
        <a href={href(['journal'], { status: '4' })}>All refusals</a>
      </header>
      {failures.length === 0 && (
        <p class="empty">{isJournalKnown.value ? 'Nothing.' : 'Loading…'}</p>
      )}
      <ul class="list failures">
        {failures.map(({ at, title, cause, of }) => (
          <li key={`${at} ${of} ${title}`}>
            <time class="small">{shownClock(at)}</time>{' '}
            <a href={href(['timeline', of])}>
              <strong>{title}</strong>
            </a>
            {cause !== undefined && (
              <p class="small">
                <Linked text={cause} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
