import { exchanges, isJournalKnown, overview } from '../../api/live.js'
import { List, Panel } from '../../parts/panels.js'
import { shownClock } from '../../parts/text.js'
import { WhyVerdict } from '../../parts/WhyVerdict.js'
import { href } from '../../shell/route.js'
import { failuresOf } from './failures.js'

const maxFailures = 6

export function Failures() {
  const failures = failuresOf(exchanges.value, overview.value?.failed ?? [], maxFailures)
  return (
    <Panel
      title="Failed lately"
      aside={<a href={href(['journal'], { status: '4' })}>All refusals</a>}
    >
      <List kind="list failures" empty={isJournalKnown.value ? 'Nothing.' : 'Loading…'}>
        {failures.map(({ at, title, of, about }) => (
          <li key={`${at} ${of} ${title}`}>
            <time class="small">{shownClock(at)}</time>{' '}
            <a href={href(['timeline', of])}>
              <strong>{title}</strong>
            </a>
            <WhyVerdict of={about} />
          </li>
        ))}
      </List>
    </Panel>
  )
}
