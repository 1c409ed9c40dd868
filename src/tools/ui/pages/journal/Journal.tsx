import { useEffect, useMemo, useState } from 'preact/hooks'
import {
  type Filter,
  faultsOf,
  filterOf,
  isFound,
  isNarrowing,
  noFilter,
  queryOf,
} from '../../../../observe/journal/filter.js'
import { exchanges, isJournalKnown, loadWholeJournal } from '../../api/live.js'
import { ownReads } from '../../api/ownReads.js'
import { CheckField, Choice, Form, TextField } from '../../parts/controls.js'
import { Status } from '../../parts/labels.js'
import { Scroller } from '../../parts/panels.js'
import { shownClock, shownMs } from '../../parts/text.js'
import { goInstead, here } from '../../shell/route.js'
import { ExchangeDetails } from './ExchangeDetails.js'
import { ForkHere } from './ForkHere.js'
import { RequestList } from './RequestList.js'
import { SaveAsTest } from './SaveAsTest.js'

/** Everything that was asked and answered, as it comes; or what it would have come to with a change. */
export default function Journal({ rest }: { rest: readonly string[] }) {
  const [cursor, what] = rest
  if (what === 'fork') return <ForkHere key={cursor} cursor={Number(cursor)} />
  return <Exchanges rest={rest} />
}

function Exchanges({ rest: [place] }: { rest: readonly string[] }) {
  // The URL has both, so that a reload, a link and the way back find them again.
  const filter = filterOf(here.value.query)
  const cursor = place === undefined ? undefined : Number(place)
  const [hasOwn, setOwn] = useState(false)
  useEffect(() => loadWholeJournal(), [])
  const all = exchanges.value
  const matching = useMemo(
    () => (isNarrowing(filter) ? all.filter((each) => isFound(each, filter)) : all),
    [all, JSON.stringify(filter)],
  )
  const chosen = all.find((each) => each.cursor === cursor)
  // Not in the history of the browser: arrows go through many.
  const show = (at: number | undefined, narrowed: Filter): void =>
    goInstead(at === undefined ? ['journal'] : ['journal', `${at}`], queryOf(narrowed))
  return (
    <div class={`journal stack ${chosen ? 'with-details' : ''}`}>
      <section class="panel list-panel" aria-label="Requests">
        <FilterBar filter={filter} onChange={(narrowed) => show(cursor, narrowed)} />
        <div class="row between">
          <span class="small" role="status">
            {matching.length === all.length ? all.length : `${matching.length} of ${all.length}`}{' '}
            requests
          </span>
          <CheckField label="The page’s own requests" isOn={hasOwn} onChange={setOwn} />
          {matching.length > 0 && <SaveAsTest filter={filter} count={matching.length} />}
        </div>
        {hasOwn && <OwnReads />}
        {matching.length === 0 ? (
          <p class="empty">
            {!isJournalKnown.value
              ? 'Loading…'
              : all.length === 0
                ? 'No requests yet.'
                : 'No request matches these filters.'}
          </p>
        ) : (
          <RequestList
            exchanges={matching}
            selected={cursor}
            isNarrow={chosen !== undefined}
            onSelect={(at) => show(at, filter)}
          />
        )}
      </section>
      {chosen && <ExchangeDetails exchange={chosen} onClose={() => show(undefined, filter)} />}
    </div>
  )
}

const statuses = [
  ['', 'any'],
  ['2', '2xx'],
  ['3', '3xx'],
  ['4', '4xx'],
  ['5', '5xx'],
  ['cut', 'cut off'],
  ['open', 'no response yet'],
  ['failed', 'activity failed'],
  ['problem', 'refused or failed'],
] as const

const apis = [
  ['', 'both'],
  ['service', 'service'],
  ['control', 'control (/_sim)'],
] as const

function FilterBar({ filter, onChange }: { filter: Filter; onChange(filter: Filter): void }) {
  const all = exchanges.value
  const rules = useMemo(() => [...new Set(all.flatMap(faultsOf))].sort(), [all])
  const faults = [['', 'all requests'], ['any', 'any fault'], ...rules] as const
  const change = (name: keyof Filter) => (value: string) => onChange({ ...filter, [name]: value })
  return (
    <Form class="filters" aria-label="Filters" onSubmit={() => {}}>
      <TextField
        label="Path or method"
        type="search"
        value={filter.path}
        placeholder="plan/execute"
        onInput={change('path')}
      />
      <TextField
        label="Account"
        value={filter.account}
        placeholder="acc_…"
        onInput={(account) => change('account')(account.trim())}
      />
      <Choice label="Status" of={statuses} value={filter.status} onChange={change('status')} />
      <Choice label="Fault" of={faults} value={filter.fault} onChange={change('fault')} />
      <Choice label="API" of={apis} value={filter.api} onChange={change('api')} />
      <button type="button" disabled={!isNarrowing(filter)} onClick={() => onChange(noFilter)}>
        Clear
      </button>
    </Form>
  )
}

function OwnReads() {
  return (
    <Scroller kind="own-reads" label="Reads of this page, newest first">
      <p class="small">
        The last {ownReads.value.length} reads of this page since it was loaded. Faults ignore them,
        and the journal omits them.
      </p>
      <ol class="feed">
        {ownReads.value.map(({ id, at, url, answer, tookMs }) => (
          <li key={id}>
            <time>{at === null ? '' : shownClock(at)}</time>
            <span class="method">GET</span>
            <span class="url">{url}</span>
            {answer ? <Status answer={answer} /> : <span class="pill">no response</span>}
            <span class="size">{shownMs(Math.round(tookMs))}</span>
          </li>
        ))}
      </ol>
    </Scroller>
  )
}
