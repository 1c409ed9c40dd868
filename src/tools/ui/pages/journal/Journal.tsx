import { useEffect, useMemo, useState } from 'preact/hooks'
import {
  type Filter,
  faultsOf,
  filterOf,
  isFound,
  isNarrowing,
  queryOf,
} from '../../../../observe/journal/filter.js'
import { exchanges, isJournalKnown, loadWholeJournal } from '../../api/live.js'
import type { ExchangeView } from '../../api/types.js'
import { CheckField } from '../../parts/controls.js'
import { Status } from '../../parts/labels.js'
import { shownBytes, shownClock, shownMs } from '../../parts/text.js'
import { VirtualList } from '../../parts/VirtualList.js'
import { goInstead, here } from '../../shell/route.js'
import { ExchangeDetails } from './ExchangeDetails.js'
import { FilterBar } from './FilterBar.js'
import { ForkHere } from './ForkHere.js'
import { OwnReads } from './OwnReads.js'
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
  const found = useMemo(
    () => (isNarrowing(filter) ? all.filter((each) => isFound(each, filter)) : all),
    [all, JSON.stringify(filter)],
  )
  const chosen = useMemo(
    () => (cursor === undefined ? undefined : all.find((each) => each.cursor === cursor)),
    [all, cursor],
  )
  // Not in the history of the browser: arrows go through many.
  const show = (at: number | undefined, narrowed: Filter): void =>
    goInstead(at === undefined ? ['journal'] : ['journal', `${at}`], queryOf(narrowed))
  const select = (exchange: ExchangeView): void => show(exchange.cursor, filter)
  return (
    <div class={`journal ${chosen ? 'with-details' : ''}`}>
      <section class="panel list-panel" aria-label="Requests">
        <FilterBar filter={filter} onChange={(narrowed) => show(cursor, narrowed)} />
        <div class="row between">
          <span class="small" role="status">
            {found.length === all.length ? all.length : `${found.length} of ${all.length}`} requests
          </span>
          <CheckField label="The page’s own requests" isOn={hasOwn} onChange={setOwn} />
          <SaveAsTest filter={filter} />
        </div>
        {hasOwn && <OwnReads />}
        {found.length === 0 ? (
          <p class="empty">
            {!isJournalKnown.value
              ? 'Loading…'
              : all.length === 0
                ? 'No requests yet.'
                : 'No request matches these filters.'}
          </p>
        ) : (
          <VirtualList
            items={found}
            keyOf={(exchange) => exchange.cursor}
            rowHeight={34}
            label="Requests, newest first"
            selected={cursor}
            onSelect={select}
            row={(exchange) => <Row exchange={exchange} isNarrow={chosen !== undefined} />}
          />
        )}
      </section>
      {chosen && <ExchangeDetails exchange={chosen} onClose={() => show(undefined, filter)} />}
    </div>
  )
}

function Row({ exchange, isNarrow }: { exchange: ExchangeView; isNarrow: boolean }) {
  const { at, method, url, headers, answer } = exchange
  const fired = faultsOf(exchange)
  const agent = headers['user-agent']
  return (
    <>
      <time>{shownClock(at)}</time>
      <span class="method">{method}</span>
      <span class="url">{isNarrow ? withShortIds(url) : url}</span>
      {fired.length > 0 && (
        <span class="pill warn fault-pill" title={`Fault rules that fired: ${fired.join(', ')}`}>
          <span aria-hidden="true">⚡</span>{' '}
          <span class={isNarrow ? 'visually-hidden' : undefined}>{fired.join(', ')}</span>
        </span>
      )}
      <Status answer={answer} />
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
