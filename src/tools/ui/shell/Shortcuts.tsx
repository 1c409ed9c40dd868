import { Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { pages } from './pages.js'

/** What the keys do, on `?`. */
export function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const open = ({ key, target }: KeyboardEvent): void => {
      const isTyping = target instanceof HTMLElement && target.closest('input, select, textarea')
      if (key === '?' && !isTyping && !dialog.current?.open) dialog.current?.showModal()
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  return (
    <Fragment>
      <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
        Shortcuts
      </button>
      <dialog ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">Shortcuts</h2>
        <dl class="keys">
          {pages
            .filter(({ isLinked }) => !isLinked)
            .map(({ name, title }, index) => (
              <div key={name}>
                <dt>
                  <kbd>{index + 1}</kbd>
                </dt>
                <dd>{title}</dd>
              </div>
            ))}
          <div>
            <dt>
              <kbd>Ctrl-K</kbd>
            </dt>
            <dd>Search everything</dd>
          </div>
          <div>
            <dt>
              <kbd>/</kbd>
            </dt>
            <dd>Go to the search field</dd>
          </div>
          <div>
            <dt>
              <kbd>?</kbd>
            </dt>
            <dd>Show this list</dd>
          </div>
        </dl>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </Fragment>
  )
}
