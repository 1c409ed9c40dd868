import { useState } from 'preact/hooks'
import { overview } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import { Act, AskTwice, Form, TextField } from '../../parts/controls.js'
import { List, Panel } from '../../parts/panels.js'
import { shownTime } from '../../parts/text.js'
import { attempt } from '../../shell/notices.js'

/** Snapshots of everything, and the way back to the start. */
export function SnapshotPanel() {
  const [name, setName] = useState('')
  const take = async (): Promise<void> => {
    const body = name.trim() === '' ? {} : { name: name.trim() }
    const isTaken = await attempt('Snapshot taken', () =>
      answered(controlApi.POST('/_sim/snapshots', { body })),
    )
    if (isTaken) setName('')
  }
  const reset = () => attempt('Reset to the start', () => answered(controlApi.POST('/_sim/reset')))
  return (
    <Panel
      title="Snapshots"
      aside={<AskTwice label="Reset" really="Really reset everything?" onSure={reset} />}
    >
      <Form class="row" onSubmit={take}>
        <TextField
          label="Name"
          kind="inline"
          value={name}
          maxLength={64}
          placeholder="funded"
          onInput={setName}
        />
        <button type="submit">Take</button>
      </Form>
      <List empty="None yet. A snapshot holds chains, accounts, plans, clock and faults.">
        {overview.value?.snapshots.map((snapshot) => (
          <SnapshotItem key={snapshot.id} {...snapshot} />
        ))}
      </List>
    </Panel>
  )
}

function SnapshotItem({ id, name, at }: { id: string; name: string | null; at: string }) {
  const params = { params: { path: { id } } }
  const shown = name ?? id
  return (
    <li class="spread">
      <span>
        <strong>{shown}</strong> <span class="small">{shownTime(at)}</span>
      </span>
      <Act
        aria-label={`Restore ${shown}`}
        done={`Restored ${shown}`}
        work={() => answered(controlApi.POST('/_sim/snapshots/{id}/restore', params))}
      >
        Restore
      </Act>
      <Act
        class="quiet"
        aria-label={`Delete ${shown}`}
        done={`Deleted ${shown}`}
        work={() => answered(controlApi.DELETE('/_sim/snapshots/{id}', params))}
      >
        Delete
      </Act>
    </li>
  )
}
