import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import {
  type Filter,
  faultsOf,
  filterOf,
  isFound,
  isNarrowing,
  noFilter,
  queryOf,
} from '../../../../observe/journal/filter.js'
import { isUndoable } from '../../../../observe/journal/lives.js'
import { exchanges, isJournalKnown, isPresent, loadWholeJournal } from '../../api/live.js'
import { ownReads } from '../../api/ownReads.js'
import type { ExchangeView } from '../../api/types.js'
import { CheckField, Choice, Form, TextField } from '../../parts/controls.js'
import { Status } from '../../parts/labels.js'
import { Scroller } from '../../parts/panels.js'
import { shownBytes, shownClock, shownMs } from '../../parts/text.js'
import { goInstead, here } from '../../shell/route.js'
import { ExchangeDetails } from './ExchangeDetails.js'
import { ForkHere } from './ForkHere.js'
import { SaveAsTest } from './SaveAsTest.js'

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
          {matching.length > 0 && <SaveAsTest of={matching} filter={filter} />}
        </div>
        {hasOwn && <OwnReads />}
        {matching.length === 0 ? (
          <p class="empty">
            {!isJournalKnown.value
              ? 'Loading…'
              : all.length === 0
                ? 'No requests since the start.'
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

const rowHeight = 34

const spare = 8

/** Of these rows, only those are drawn that may be seen: ten thousand cost as much as thirty. */
function RequestList({
  exchanges,
  selected,
  isNarrow,
  onSelect,
}: {
  exchanges: readonly ExchangeView[]
  selected: number | undefined
  isNarrow: boolean
  onSelect(cursor: number): void
}) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useSteadyScroll(box, exchanges)
  const first = Math.max(0, Math.floor(top / rowHeight) - spare)
  const shown = exchanges.slice(first, Math.ceil((top + innerHeight) / rowHeight) + spare)
  const at = exchanges.findIndex(({ cursor }) => cursor === selected)
  const move = (event: KeyboardEvent): void => {
    const { scrollTop, clientHeight } = box.current!
    const page = Math.max(1, Math.floor(clientHeight / rowHeight) - 1)
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: exchanges.length - 1,
    }[event.key]
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const index = Math.max(0, Math.min(exchanges.length - 1, to))
    onSelect(exchanges[index]!.cursor)
    const rowTop = index * rowHeight
    const least = rowTop + rowHeight - clientHeight
    box.current!.scrollTop = Math.max(least, Math.min(rowTop, scrollTop))
  }
  return (
    <>
      <div class="virtual-row heads">
        <span>Time</span>
        <span>Method</span>
        <span>Path</span>
        <span>Status</span>
        <span class="size">Size</span>
        <span class="size">Took</span>
        <span class="client">Client</span>
      </div>
      <div
        ref={box}
        class="virtual"
        role="listbox"
        aria-label="Requests, newest first"
        aria-activedescendant={shown.includes(exchanges[at]!) ? rowId(selected) : undefined}
        tabIndex={0}
        onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
        onKeyDown={move}
      >
        <div
          class="virtual-all"
          role="presentation"
          style={{ height: `${exchanges.length * rowHeight}px` }}
        >
          {shown.map((exchange, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, as aria-activedescendant says
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
            <div
              key={exchange.cursor}
              id={rowId(exchange.cursor)}
              class="virtual-row"
              role="option"
              aria-selected={exchange.cursor === selected}
              aria-posinset={first + index + 1}
              aria-setsize={exchanges.length}
              style={{ top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
              onClick={() => onSelect(exchange.cursor)}
            >
              <Row exchange={exchange} isNarrow={isNarrow} />
            </div>
          ))}
        </div>
      </div>
    </>
  )
}

const rowId = (cursor: number | undefined): string => `row-${cursor}`

/** New requests come in above; a reader who has scrolled down keeps seeing the same ones. */
function useSteadyScroll(
  box: { current: HTMLDivElement | null },
  exchanges: readonly ExchangeView[],
): void {
  const newest = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    const before = newest.current
    newest.current = exchanges[0]?.cursor
    if (!box.current?.scrollTop) return
    const moved = exchanges.findIndex(({ cursor }) => cursor === before)
    if (moved > 0) box.current.scrollTop += moved * rowHeight
  }, [exchanges])
}

function Row({ exchange, isNarrow }: { exchange: ExchangeView; isNarrow: boolean }) {
  const { cursor, at, method, url, headers, answer } = exchange
  const fired = faultsOf(exchange)
  const agent = headers['user-agent']
  return (
    <>
      <time>{shownClock(at)}</time>
      <span class="method">{method}</span>
      <span class="asked">
        <span class="url">{isNarrow ? withShortIds(url) : url}</span>
        {!isPresent(cursor) && isUndoable(exchange) && (
          <span class="pill" title="A restore or reset has undone it">
            undone
          </span>
        )}
        {fired.length > 0 && (
          <span class="pill warn fault-pill" title={`Fault rules that fired: ${fired.join(', ')}`}>
            <span aria-hidden="true">⚡</span>{' '}
            <span class={isNarrow ? 'visually-hidden' : undefined}>{fired.join(', ')}</span>
          </span>
        )}
      </span>
      <span class="answer">
        <Status answer={answer} notes={exchange.notes} isShort={isNarrow} />
      </span>
      <span class="size">{answer && shownBytes(answer.bytes)}</span>
      <span class="size">{shownMs(answer?.took_ms)}</span>
      <span class="client" title={agent}>
        {agent?.split(' ')[0]}
      </span>
    </>
  )
}

/** Where there is little room, the end of a path says more than the whole of an id. */
const withShortIds = (url: string): string =>
  url.replace(/\b([a-z]{3}_[0-9A-Za-z]{3})[0-9A-Za-z]{9,29}\b/g, '$1…')
