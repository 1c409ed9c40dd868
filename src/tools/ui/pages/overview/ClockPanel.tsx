import { useState } from 'preact/hooks'
import { toldClock } from '../../api/live.js'
import { now } from '../../api/now.js'
import { answered, controlApi } from '../../api/session.js'
import { Form, TextField } from '../../parts/controls.js'
import { Panel } from '../../parts/panels.js'
import { advanceOf, shownSpan, shownTime } from '../../parts/text.js'
import { attempt } from '../../shell/notices.js'

/** Plans live for 120 seconds. */
const spans = [10, 60, 121, 600, 3_600, 86_400]

/** What switches to the modes of the clock. */
const modes = [
  { mode: 'real', label: 'Resume', done: 'The clock runs', path: '/_sim/clock/resume' },
  { mode: 'frozen', label: 'Freeze', done: 'The clock is frozen', path: '/_sim/clock/freeze' },
  { mode: 'auto', label: 'Auto', done: 'The clock skips waiting times', path: '/_sim/clock/auto' },
] as const

/** The one clock of the API and the chains. */
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
          placeholder="1d 2h, 5m, 90, 2026-01-31 09:00"
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
