import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Whether something is being typed, or chosen in a dialog. */
export function isTyping({ target }: Event): boolean {
  return target instanceof HTMLElement && !!target.closest('input, select, textarea, dialog')
}

/** A dialog that a button opens, and some keys. `children` get how to close it. */
export function KeyDialog({
  title,
  kind,
  opensOn,
  children,
}: {
  title: string
  kind: string
  opensOn(event: KeyboardEvent): boolean
  children(close: () => void): ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const open = (): void => {
    if (!dialog.current?.open) dialog.current?.showModal()
    // What was typed the last time goes with the first key.
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
      <dialog ref={dialog} class={kind} aria-label={title}>
        {children(() => dialog.current?.close())}
      </dialog>
    </>
  )
}
