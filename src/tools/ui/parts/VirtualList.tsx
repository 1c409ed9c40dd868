import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useSize } from './useSize.js'

/** Rows that are drawn above and below the visible ones. */
const spare = 8

/** A list of rows of one height, of which only those are drawn that are seen: ten thousand cost as much as thirty. */
export function VirtualList<Item>({
  items,
  keyOf,
  rowHeight,
  label,
  selected,
  onSelect,
  row,
}: {
  items: readonly Item[]
  keyOf(item: Item): number
  rowHeight: number
  label: string
  selected: number | undefined
  onSelect(item: Item): void
  row(item: Item): ComponentChildren
}) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const height = useSize(box, 'clientHeight', 600)
  useSteadyScroll(box, items, keyOf, rowHeight)
  const first = Math.max(0, Math.floor(top / rowHeight) - spare)
  const shown = items.slice(first, Math.ceil((top + height) / rowHeight) + spare)
  const at = selected === undefined ? -1 : items.findIndex((item) => keyOf(item) === selected)
  const move = (to: number): void => {
    const index = Math.max(0, Math.min(items.length - 1, to))
    const item = items[index]
    if (!item) return
    onSelect(item)
    bringIntoView(box.current!, index * rowHeight, rowHeight)
  }
  const page = Math.max(1, Math.floor(height / rowHeight) - 1)
  const leads: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: items.length - 1,
  }
  return (
    <div
      ref={box}
      class="virtual"
      role="listbox"
      aria-label={label}
      aria-activedescendant={at < first || at >= first + shown.length ? undefined : rowId(selected)}
      tabIndex={0}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      onKeyDown={(event) => {
        const to = leads[event.key]
        if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        move(to)
      }}
    >
      <div
        class="virtual-all"
        role="presentation"
        style={{ height: `${items.length * rowHeight}px` }}
      >
        {shown.map((item, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, as aria-activedescendant says
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
          <div
            key={keyOf(item)}
            id={rowId(keyOf(item))}
            class="virtual-row"
            role="option"
            aria-selected={keyOf(item) === selected}
            aria-posinset={first + index + 1}
            aria-setsize={items.length}
            style={{ top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
            onClick={() => onSelect(item)}
          >
            {row(item)}
          </div>
        ))}
      </div>
    </div>
  )
}

const rowId = (key: number | undefined): string => `row-${key}`

function bringIntoView(box: HTMLElement, top: number, rowHeight: number): void {
  if (top < box.scrollTop) box.scrollTop = top
  const bottom = top + rowHeight - box.clientHeight
  if (bottom > box.scrollTop) box.scrollTop = bottom
}

/** New items come in above; a reader who has scrolled down keeps seeing the same ones. */
function useSteadyScroll<Item>(
  box: { current: HTMLDivElement | null },
  items: readonly Item[],
  keyOf: (item: Item) => number,
  rowHeight: number,
): void {
  const firstKey = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    const before = firstKey.current
    firstKey.current = items[0] && keyOf(items[0])
    if (before === undefined || before === firstKey.current || !box.current?.scrollTop) return
    const moved = items.findIndex((item) => keyOf(item) === before)
    if (moved > 0) box.current.scrollTop += moved * rowHeight
  }, [items])
}
