import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { faultsOf } from '../../../../observe/journal/filter.js'
import type { ExchangeView } from '../../api/types.js'
import { Status } from '../../parts/labels.js'
import { shownBytes, shownClock, shownMs } from '../../parts/text.js'

/** The height of each row in px. */
const rowHeight = 34

/** Rows that are drawn above and below the visible ones. */
const spare = 8

/** Of these rows, only those are drawn that may be seen: ten thousand cost as much as thirty. */
export function RequestList({
  exchanges,
  selected,
  isNarrow,
  onSelect,
}: {
  exchanges: readonly ExchangeView[]
  /** A cursor. */
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
  const { at, method, url, headers, answer } = exchange
  const fired = faultsOf(exchange)
  const agent = headers['user-agent']
  return (
    <>
      <time>{shownClock(at)}</time>
      <span class="method">{method}</span>
      <span class="asked">
        <span class="url">{isNarrow ? withShortIds(url) : url}</span>
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
