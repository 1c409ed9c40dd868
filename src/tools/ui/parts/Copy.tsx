import { attempt } from '../shell/notices.js'

/** Puts a text into the clipboard. */
export function Copy({ label, text }: { label: string; text: () => string }) {
  return (
    <button
      type="button"
      onClick={() => attempt('Copied', () => navigator.clipboard.writeText(text()))}
    >
      {label}
    </button>
  )
}

/** Keeps a text as a file. */
export function Download({ label, file, text }: { label: string; file: string; text: string }) {
  return (
    <button
      type="button"
      onClick={() => {
        const link = document.createElement('a')
        link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
        link.download = file
        link.click()
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
      }}
    >
      {label}
    </button>
  )
}
