import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Facts } from '../parts/panels.js'
import { pages } from './pages.js'

export function isTyping({ target }: Event): boolean {
  return target instanceof HTMLElement && !!target.closest('input, select, textarea, dialog')
}

/** A dialog that a button opens, and some keys. `children` get how to close it. */
export function KeyDialog({
  title,
  opensOn,
  children,
}: {
  title: string
  opensOn(event: KeyboardEvent): boolean
  children(close: () => void): ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const open = (): void => {
    if (!dialog.current?.open) dialog.current?.showModal()
    // The first key replaces the text of the last time.
    dialog.current?.querySelector('input')?.select()
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!opensOn(event)) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button type="button" class="quiet" onClick={open}>
        {title}
      </button>
      <dialog ref={dialog} aria-label={title}>
        {children(() => dialog.current?.close())}
      </dialog>
    </>
  )
}

export function Shortcuts() {
  const linked = pages.filter(({ isLinked }) => !isLinked)
  const keys = [
    ...linked.map(({ title }, index) => [`${(index + 1) % 10}`, title] as const),
    ['Ctrl-K', 'Search everything'],
    ['/', 'Go to the search field'],
    ['?', 'Show this list'],
  ] as const
  return (
    <KeyDialog title="Shortcuts" opensOn={(event) => event.key === '?' && !isTyping(event)}>
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
