import { useState } from 'preact/hooks'
import { isReadOnly, now, overview, toldClock } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import type { Overview } from '../../api/types.js'
import { Act, AskTwice, Form, TextField } from '../../parts/controls.js'
import { List, Panel } from '../../parts/panels.js'
import { advanceOf, shownSpan, shownTime } from '../../parts/text.js'
import { attempt } from '../../shell/notices.js'

/** Seconds. A plan lives for 120. */
const spans = [10, 60, 121, 600, 3_600, 86_400]

const modes = [
  { mode: 'real', label: 'Resume', done: 'The clock runs', path: '/_sim/clock/resume' },
  { mode: 'frozen', label: 'Freeze', done: 'The clock is frozen', path: '/_sim/clock/freeze' },
  { mode: 'auto', label: 'Auto', done: 'The clock skips waiting times', path: '/_sim/clock/auto' },
] as const

export function ClockPanel() {
  const [span, setSpan] = useState('')
  const [isMoving, setMoving] = useState(false)
  const mode = toldClock.value?.mode
  const seconds = span.trim() === '' ? undefined : advanceOf(span, now.value ?? 0)
  const move = async (done: string, work: () => Promise<unknown>): Promise<void> => {
    setMoving(true)
    await attempt(done, work)
    setMoving(false)
  }
  const advance = (by: number): Promise<void> =>
    move(`The clock advanced by ${shownSpan(by)}`, () =>
      answered(controlApi.POST('/_sim/clock/advance', { body: { seconds: by } })),
    )
  const levers = [
    ...modes
      .filter((each) => each.mode !== mode)
      .map(({ label, done, path }) => ({
        label,
        pull: () => move(done, () => answered(controlApi.POST(path))),
      })),
    ...spans.map((by) => ({ label: `+${shownSpan(by)}`, pull: () => advance(by) })),
  ]
  return (
    <Panel
      title="Clock"
      aside={<span class={`pill ${mode === 'real' ? 'good' : 'frozen'}`}>{mode}</span>}
    >
      <p class="figure">{now.value === undefined ? '' : shownTime(now.value)}</p>
      <div class="row">
        {levers.map(({ label, pull }) => (
          <button key={label} type="button" disabled={isMoving} onClick={pull}>
            {label}
          </button>
        ))}
      </div>
      <Form class="row" onSubmit={() => typeof seconds === 'number' && advance(seconds)}>
        <TextField
          label="Advance by or to"
          kind="inline"
          placeholder="5m or 2026-01-31"
          value={span}
          aria-invalid={typeof seconds === 'string'}
          onInput={setSpan}
        />
        <button type="submit" disabled={isMoving || typeof seconds !== 'number'}>
          Advance
        </button>
      </Form>
      <p class="refused-text" role="status">
        {typeof seconds === 'string' && seconds}
      </p>
    </Panel>
  )
}

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

function SnapshotItem({ id, name, at }: Overview['snapshots'][number]) {
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

export function Prices() {
  const prices = overview.value?.prices
  return (
    <Panel title="Prices" aside={<span class="small">USD, on all networks</span>}>
      {prices ? (
        <div class="prices columns">
          {Object.entries(prices).map(([asset, usd]) =>
            isReadOnly.value ? (
              <p key={asset} class="price">
                <span>{asset}</span> <span>{usd}</span>
              </p>
            ) : (
              <PriceField key={asset} asset={asset} usd={usd} />
            ),
          )}
        </div>
      ) : (
        <p class="empty">
          {isReadOnly.value ? 'This trace has no prices.' : 'Unavailable: no node responds.'}
        </p>
      )}
    </Panel>
  )
}

function PriceField({ asset, usd }: { asset: string; usd: string }) {
  const [typed, setTyped] = useState<string>()
  const isOther = typed !== undefined && typed !== usd
  const set = async (): Promise<void> => {
    if (!isOther) return setTyped(undefined)
    const params = { params: { path: { asset } }, body: { usd: typed.trim() } }
    const isMoved = await attempt(`Price of ${asset} set to ${typed}`, () =>
      answered(controlApi.PUT('/_sim/prices/{asset}', params)),
    )
    if (isMoved) setTyped(undefined)
  }
  return (
    <Form class="price" onSubmit={set}>
      <label>
        <span>{asset}</span>
        <input
          inputMode="decimal"
          value={typed ?? usd}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && setTyped(undefined)}
        />
      </label>
      {isOther && (
        <button type="submit" aria-label={`Set the price of ${asset}`}>
          Set
        </button>
      )}
    </Form>
  )
}
