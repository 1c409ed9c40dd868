import { Facts } from '../parts/panels.js'
import { isTyping, KeyDialog } from './KeyDialog.js'
import { pages } from './pages.js'

/** What the keys do, on `?`. */
export function Shortcuts() {
  const linked = pages.filter(({ isLinked }) => !isLinked)
  const keys = [
    ...linked.map(({ title }, index) => [`${index + 1}`, title] as const),
    ['Ctrl-K', 'Search everything'],
    ['/', 'Go to the search field'],
    ['?', 'Show this list'],
  ] as const
  return (
    <KeyDialog
      title="Shortcuts"
      kind="keys"
      opensOn={(event) => event.key === '?' && !isTyping(event)}
    >
      {() => (
        <>
          <h2>Shortcuts</h2>
          <Facts of={keys.map(([key, does]) => [<kbd key={key}>{key}</kbd>, does])} />
          <form method="dialog">
            <button type="submit">Close</button>
          </form>
        </>
      )}
    </KeyDialog>
  )
}
