import { useEffect, useState } from 'preact/hooks'
import { isJournalKnown, loadWholeJournal } from '../../api/live.js'
import { TextField } from '../../parts/controls.js'
import { List, Panel } from '../../parts/panels.js'
import { knownPlans, stateOf } from '../../parts/plans.js'
import { counted, shownTime } from '../../parts/text.js'
import { href, useQuery } from '../../shell/route.js'

const atOnce = 50

/** `pending` and the like are those of the execution. */
const tones: Readonly<Record<string, string>> = { open: 'good', stale: 'bad' }

export default function Plans() {
  const [search, setSearch] = useQuery('q')
  const [most, setMost] = useState(atOnce)
  useEffect(() => loadWholeJournal(), [])
  const wanted = search.trim().toLowerCase()
  const found = knownPlans.value.flatMap((plan) => {
    const state = stateOf(plan)
    const text = [plan.title, plan.plan_id, plan.account_id, state, plan.execution?.activity_id]
    return text.join(' ').toLowerCase().includes(wanted) ? [{ ...plan, state }] : []
  })
  const shown = found.slice(0, most)
  return (
    <Panel
      title={counted(found.length, 'plan')}
      aside={
        <TextField
          label="Search"
          kind="inline"
          type="search"
          value={search}
          placeholder="kind, amount, state or id"
          onInput={setSearch}
        />
      }
    >
      <List empty={isJournalKnown.value ? 'None since the start.' : 'Loading…'}>
        {shown.map(({ cursor, plan_id, account_id, title, at, state, execution }) => (
          <li key={cursor || plan_id} class="activity spread">
            <span class="words">
              <a href={href(['timeline', plan_id], cursor ? { cursor: `${cursor}` } : {})}>
                <strong>{title}</strong>
              </a>
              <code>{plan_id}</code>
              <a href={href(['accounts', account_id])}>{account_id}</a>
              <span class="small">{shownTime(at)}</span>
            </span>
            {execution && state === 'executed' && (
              <a
                class={`pill ${execution.status}`}
                href={href(['timeline', execution.activity_id])}
              >
                {execution.status}
              </a>
            )}
            {state === 'gone' && <span class="small">a restore or reset has undone it</span>}
            <span class={`pill ${tones[state] ?? ''}`}>{state}</span>
          </li>
        ))}
      </List>
      {found.length > most && (
        <button type="button" onClick={() => setMost(most + atOnce)}>
          Show {Math.min(atOnce, found.length - most)} more
        </button>
      )}
    </Panel>
  )
}
