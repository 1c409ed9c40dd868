import { useState } from 'preact/hooks'

/** A button for what cannot be taken back: the second press does it. */
export function AskTwice({
  label,
  really,
  disabled = false,
  onSure,
}: {
  label: string
  /** What the button says after the first press. */
  really: string
  disabled?: boolean
  onSure(): void
}) {
  const [isAsked, setAsked] = useState(false)
  return (
    <button
      type="button"
      class={isAsked ? 'danger sure' : 'danger'}
      disabled={disabled}
      onBlur={() => setAsked(false)}
      onClick={() => {
        setAsked(!isAsked)
        if (isAsked) onSure()
      }}
    >
      {isAsked ? really : label}
    </button>
  )
}
