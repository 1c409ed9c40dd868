import { useEffect } from 'preact/hooks'
import { exchanges, isJournalKnown, loadWholeJournal } from '../../api/live.js'
import { List, Panel } from '../../parts/panels.js'
import { shownClock } from '../../parts/text.js'
import { href } from '../../shell/route.js'

const most = 20

/** The newest plans of the journal, to begin with one of them. */
export function Recent() {
  useEffect(() => loadWholeJournal(), [])
  const plans = exchanges.value
    .flatMap(({ notes }) => notes.filter(({ type }) => type === 'plan'))
    .slice(0, most)
  return (
    <Panel title="Newest plans">
      <List
        empty={
          isJournalKnown.value ? 'None yet. You can also open any id from the journal.' : 'Loading…'
        }
      >
        {plans.map(({ at, plan_id, kind, account_id }) => (
          <li key={`${plan_id}`} class="words">
            <time>{shownClock(at)}</time>
            <strong>{`${kind}`}</strong>
            <a href={href(['timeline', `${plan_id}`])}>{`${plan_id}`}</a>
            <span class="small">
              of <a href={href(['timeline', `${account_id}`])}>{`${account_id}`}</a>
            </span>
          </li>
        ))}
      </List>
    </Panel>
  )
}
