import { signal } from '@preact/signals'
import { SvcError } from '../../../clients/client/svcError.js'

interface Notice {
  id: number
  kind: 'done' | 'refused' | 'news'
  text: string
  hint?: string | undefined
}

const notices = signal<readonly Notice[]>([])
let lastId = 0

export function tell(notice: Omit<Notice, 'id'>): void {
  const id = ++lastId
  notices.value = [...notices.value, { ...notice, id }].slice(-4)
  // Anything else stays until somebody has read it.
  if (notice.kind === 'done') setTimeout(() => dismiss(id), 5_000)
}

function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id)
}

/** Runs `work` and shows its outcome. True on success. */
export async function attempt(done: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    tell({ kind: 'done', text: done })
    return true
  } catch (error) {
    // A browser says only `Failed to fetch`.
    const text =
      error instanceof TypeError ? 'The simulator does not respond' : (error as Error).message
    tell({ kind: 'refused', text, hint: error instanceof SvcError ? error.hint : undefined })
    return false
  }
}

export function Notices() {
  return (
    <div class="notices list" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, text, hint }) => (
        <div key={id} class={`callout marked spread ${kind}`}>
          <div>
            <p>{text}</p>
            {hint && <p class="hint">{hint}</p>}
          </div>
          <button type="button" class="quiet" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  )
}
