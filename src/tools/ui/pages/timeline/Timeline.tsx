import { useEffect, useState } from 'preact/hooks'
import { exchanges, isJournalKnown, loadWholeJournal } from '../../api/live.js'
import { useWhy } from '../../api/useWhy.js'
import { Form, TextField } from '../../parts/controls.js'
import { List, Panel } from '../../parts/panels.js'
import { RefusalBox } from '../../parts/RefusalBox.js'
import { shownClock } from '../../parts/text.js'
import { go, href } from '../../shell/route.js'
import { OneTimeline } from './OneTimeline.js'

/** Everything that happened to one id: who did what when, over all networks. */
export default function Timeline({ rest: [id] }: { rest: readonly string[] }) {
  const { data: why, refusal } = useWhy(id)
  return (
    <div class="timeline stack">
      <Search key={id} id={id} />
      {id === undefined && <Recent />}
      {refusal && <RefusalBox refusal={refusal} />}
      {id !== undefined && !why && !refusal && <p aria-busy="true">Loading…</p>}
      {why && !refusal && <OneTimeline key={why.id} why={why} isPage />}
    </div>
  )
}

function Search({ id }: { id: string | undefined }) {
  const [text, setText] = useState(id ?? '')
  return (
    <Form class="row search" onSubmit={() => text.trim() !== '' && go(['timeline', text.trim()])}>
      <TextField
        label="Id"
        kind="inline"
        type="search"
        value={text}
        maxLength={64}
        placeholder="id of an account, plan, activity, intent or request"
        onInput={setText}
      />
      <button type="submit">Show</button>
    </Form>
  )
}

const most = 20

/** The newest plans of the journal, to begin with one of them. */
function Recent() {
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
