import { useState } from 'preact/hooks'
import { overview } from '../../api/live.js'
import { answered } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import { AskTwice } from '../../parts/AskTwice.js'
import { shownTime } from '../../parts/text.js'
import { attempt } from '../../shell/notices.js'

/** Snapshots of everything, and the way back to the start. */
export function SnapshotPanel() {
  const [name, setName] = useState('')
  const snapshots = overview.value?.snapshots ?? []
  const take = async (): Promise<void> => {
    const body = name.trim() === '' ? {} : { name: name.trim() }
    const isTaken = await attempt('Snapshot taken', () =>
      answered(controlApi.POST('/_sim/snapshots', { body })),
    )
    if (isTaken) setName('')
  }
  return (
    <section class="panel" aria-labelledby="snapshots-title">
      <header>
        <h2 id="snapshots-title">Snapshots</h2>
        <AskTwice
          label="Reset"
          really="Really reset everything?"
          onSure={() =>
            attempt('Reset to the start', () => answered(controlApi.POST('/_sim/reset')))
          }
        />
      </header>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          void take()
        }}
      >
        <label class="field inline">
          <span>Name</span>
          <input
            value={name}
            maxLength={64}
            placeholder="funded"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit">Take</button>
      </form>
      {snapshots.length === 0 ? (
        <p class="empty">None yet. A snapshot holds chains, accounts, plans, clock and faults.</p>
      ) : (
        <ul class="list">
          {snapshots.map((snapshot) => (
            <SnapshotItem key={snapshot.id} {...snapshot} />
          ))}
        </ul>
      )}
    </section>
  )
}

function SnapshotItem({ id, name, at }: { id: string; name: string | null; at: string }) {
  const params = { params: { path: { id } } }
  const shown = name ?? id
  return (
    <li class="snapshot">
      <span>
        <strong>{shown}</strong> <span class="small">{shownTime(Date.parse(at))}</span>
      </span>
      <button
        type="button"
        aria-label={`Restore ${shown}`}
        onClick={() =>
          attempt(`Restored ${shown}`, () =>
            answered(controlApi.POST('/_sim/snapshots/{id}/restore', params)),
          )
        }
      >
        Restore
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={`Delete ${shown}`}
        onClick={() =>
          attempt(`Deleted ${shown}`, () =>
            answered(controlApi.DELETE('/_sim/snapshots/{id}', params)),
          )
        }
      >
        Delete
      </button>
    </li>
  )
}
