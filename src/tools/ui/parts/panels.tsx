import { type ComponentChild, type ComponentChildren, toChildArray } from 'preact'
import { useId, useState } from 'preact/hooks'
import { href } from '../shell/route.js'
import { Copy } from './controls.js'
import { asText, counted, shownClock } from './text.js'

/** A part of a page with a title; `aside` stands at the other end of the title's line. */
export function Panel({
  title,
  aside,
  kind = '',
  children,
}: {
  title: ComponentChildren
  aside?: ComponentChildren
  /** Further classes: `steers` leaves the panel out where nothing can be changed. */
  kind?: string
  children?: ComponentChildren
}) {
  const id = useId()
  return (
    <section class={`panel ${kind}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

export function Count({ of }: { of: { length: number } }) {
  return <span class="count">{of.length}</span>
}

export function List({
  empty,
  kind = 'list',
  children,
}: {
  empty?: ComponentChildren
  kind?: string
  children: ComponentChildren
}) {
  if (toChildArray(children).length === 0) return empty ? <p class="empty">{empty}</p> : null
  return <ul class={kind}>{children}</ul>
}

interface ListedEvent {
  cursor: number
  activity_id: string
  activity_status: string
  timestamp: number
  /** Absent on the page of its account. */
  account_id?: string
}

export function EventFeed({ of }: { of: readonly ListedEvent[] }) {
  return (
    <List kind="feed" empty="None yet.">
      {of.map(({ cursor, activity_id, activity_status, timestamp, account_id }) => (
        <li key={`${account_id} ${cursor}`}>
          <time>{shownClock(timestamp * 1000)}</time>
          <a href={href(['timeline', activity_id])}>{activity_id}</a>
          <span class="url">
            {account_id && <a href={href(['accounts', account_id])}>{account_id}</a>}
          </span>
          <span class={`pill ${activity_status}`}>{activity_status}</span>
        </li>
      ))}
    </List>
  )
}

export function Scroller({
  label,
  kind = 'scroller',
  children,
}: {
  label: string
  kind?: string
  children: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section class={kind} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}

interface TableRow {
  key: string | number
  kind?: string | undefined
  cells: readonly ComponentChild[]
}

export function Table({
  heads,
  rows,
  numbersFrom = heads.length,
}: {
  heads: readonly string[]
  rows: readonly TableRow[]
  numbersFrom?: number
}) {
  const kindOf = (column: number) => (column < numbersFrom ? undefined : 'number')
  return (
    <table>
      <thead>
        <tr>
          {heads.map((head, column) => (
            <th key={head} class={kindOf(column)}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, kind, cells }) => (
          <tr key={key} class={kind}>
            {cells.map((cell, column) => (
              <td key={column} class={kindOf(column)}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function Facts({
  of,
  kind = 'facts',
}: {
  of: readonly (readonly [name: ComponentChild, what: ComponentChildren])[]
  kind?: 'facts' | 'fact-table'
}) {
  return (
    <dl class={kind}>
      {of.map(([name, what], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  )
}

export function CopiedFacts({ of }: { of: object }) {
  const rows = Object.entries(of).map(([name, value]) => {
    const text = asText(value)
    const what = (
      <>
        <code>{text}</code>
        <Copy label={`Copy ${name}`} text={() => text} />
      </>
    )
    return [name, what] as const
  })
  return <Facts of={rows} />
}

/** Whether the first entries of a list are shown, at first not, and the button that shows or hides them. */
export function useBeginning(before: number, one: string, which: string) {
  const [hasAll, setAll] = useState(false)
  const button = before > 0 && (
    <button type="button" class="quiet" onClick={() => setAll(!hasAll)}>
      {hasAll ? 'Hide' : 'Show'} {counted(before, one)} {which}
    </button>
  )
  return { hasAll, button }
}

/** A list that unfolds below its count, such as `2 requests left out`; nothing for an empty list. */
export function FoldedList(props: { one: string; what: string; of: readonly string[] }) {
  const { one, what, of } = props
  if (of.length === 0) return null
  return (
    <details>
      <summary>{`${counted(of.length, one)} ${what}`}</summary>
      <ul class="bullets">
        {of.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </details>
  )
}
