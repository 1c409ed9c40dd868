import { useState } from 'preact/hooks'
import { SvcError } from '../../../../clients/client/svcError.js'
import { answered, controlApi } from '../../api/session.js'
import type { ListedScenario, ScenarioRun } from '../../api/types.js'
import { useLoaded } from '../../api/useLoaded.js'
import { TextField } from '../../parts/controls.js'
import { Count, Facts, Panel } from '../../parts/panels.js'
import { counted } from '../../parts/text.js'
import { RefusalBox } from '../../parts/verdicts.js'
import { href, useQuery } from '../../shell/route.js'
import {
  expectedAndGot,
  playAll,
  playScenario,
  progress,
  runs,
  scenarioPlaying,
  scenariosLeft,
  stop,
} from './runs.js'

export default function Scenarios({ rest: [name] }: { rest: readonly string[] }) {
  const [search, setSearch] = useQuery('q')
  const { data } = useLoaded('scenarios', () => answered(controlApi.GET('/_sim/scenarios')))
  if (!data) return <p aria-busy="true">Loading…</p>
  const { scenarios } = data
  const wanted = search.toLowerCase()
  const matching = scenarios.filter(({ name: id, title, description }) =>
    [id, title, description ?? ''].some((text) => text.toLowerCase().includes(wanted)),
  )
  const chosen = scenarios.find((each) => each.name === name) ?? matching[0]
  return (
    <div class="scenarios-page stack">
      <Panel title="Scenarios" aside={<Count of={matching} />}>
        <TextField label="Search" type="search" value={search} onInput={setSearch} />
        <RunAll scenarios={matching} />
        {matching.length === 0 && <p class="empty">No scenario matches “{search}”.</p>}
        <ul class="choices links">
          {matching.map((entry) => (
            <li key={entry.name}>
              <a
                class="spread"
                href={href(['scenarios', entry.name], { q: search })}
                aria-current={entry.name === chosen?.name ? 'true' : undefined}
              >
                <span>
                  <strong>{entry.title}</strong>
                  <span class="small">
                    {entry.name}
                    {entry.source === 'own' ? ', your own' : ''}
                  </span>
                </span>
                <Mark {...entry} />
              </a>
            </li>
          ))}
        </ul>
      </Panel>
      {chosen && <OneScenario key={chosen.name} entry={chosen} />}
    </div>
  )
}

function RunAll({ scenarios }: { scenarios: readonly ListedScenario[] }) {
  const names = scenarios.filter(({ problem }) => problem === null).map(({ name }) => name)
  const ends = names.flatMap((name) => runs.value[name] ?? [])
  const failed = ends.filter((end) => end instanceof SvcError || !end.passed).length
  const isAll = scenariosLeft.value !== undefined
  return (
    <div class="row">
      <button
        type="button"
        disabled={names.length === 0 || (!isAll && scenarioPlaying.value !== undefined)}
        onClick={() => (isAll ? stop() : void playAll(names))}
      >
        {isAll ? `Stop, ${scenariosLeft.value} left` : `Run all ${names.length}`}
      </button>
      <span class="small" role="status">
        {ends.length > 0 && `${ends.length - failed} passed, ${failed} failed`}
      </span>
    </div>
  )
}

function Mark({ name, problem }: ListedScenario) {
  const state = problem === null ? progress.value[name]?.state : 'broken'
  return state === undefined ? null : <span class={`pill ${state}`}>{state}</span>
}

function OneScenario({ entry }: { entry: ListedScenario }) {
  const { name, title, description, problem } = entry
  const end = runs.value[name]
  const run = end instanceof SvcError ? undefined : end
  return (
    <Panel
      title={title}
      kind="scenario"
      aside={
        <button
          type="button"
          class="primary"
          disabled={scenarioPlaying.value !== undefined || problem !== null}
          onClick={() => playScenario(name)}
        >
          {scenarioPlaying.value === name ? 'Running…' : 'Run'}
        </button>
      }
    >
      {description !== null && <p>{description}</p>}
      <p class="small">
        The run takes a snapshot first and restores it at the end. Its requests stay in the journal.
      </p>
      {problem !== null && <p class="refused-text">{problem}</p>}
      {end instanceof SvcError && <RefusalBox refusal={end} />}
      <Steps entry={entry} run={run} />
      {run && <Outcome run={run} />}
      <File name={name} />
    </Panel>
  )
}

type StepState = 'waiting' | 'running' | 'passed' | 'failed' | 'not run'

function Steps({ entry, run }: { entry: ListedScenario; run: ScenarioRun | undefined }) {
  const last = progress.value[entry.name]
  const steps = run?.steps ?? last?.steps ?? entry.steps
  const state = run ? (run.passed ? 'passed' : 'failed') : last?.state
  const where = run?.failure?.where ?? last?.where
  const at = steps.findIndex((step) => step === where || (where ?? '').startsWith(`${step}.`))
  const stateOf = (i: number): StepState => {
    if (state === undefined) return 'waiting'
    if (state === 'passed') return 'passed'
    if (i === at) return state
    if (i < at) return 'passed'
    return state === 'failed' ? 'not run' : 'waiting'
  }
  return (
    <ol class="steps" aria-label="Steps">
      {steps.map((step, i) => (
        <li key={`${i} ${step}`} class={`spread ${stateOf(i).replace(' ', '-')}`}>
          <span>{step}</span>
          <span class="small">{stateOf(i)}</span>
        </li>
      ))}
    </ol>
  )
}

function Outcome({ run }: { run: ScenarioRun }) {
  const { passed, is_prepared, failure, requests, duration_ms, account_ids } = run
  return (
    <div class={`callout marked ${passed ? 'passed' : 'failed'}`} role="status">
      <p>
        <strong>
          {!passed ? 'Failed.' : is_prepared ? 'Passed; it only prepares a world.' : 'Passed.'}
        </strong>{' '}
        {counted(requests, 'request')} in {(duration_ms / 1000).toFixed(1)} s.
      </p>
      {failure && <Failure {...failure} />}
      {account_ids.length > 0 && (
        <p class="small">
          Timelines:{' '}
          {account_ids.map((id) => (
            <a key={id} href={href(['timeline', id])}>
              {id}{' '}
            </a>
          ))}
        </p>
      )}
    </div>
  )
}

function Failure({ where, message }: NonNullable<ScenarioRun['failure']>) {
  const apart = expectedAndGot(message)
  if (!apart)
    return (
      <p class="refused-text">
        {where}: {message}
      </p>
    )
  return (
    <Facts
      of={[
        ['Failed at', where],
        ['Expected', apart.expected],
        ['Got', <span class="refused-text">{apart.got}</span>],
      ]}
    />
  )
}

function File({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false)
  const { data, refusal } = useLoaded(isOpen ? name : undefined, () =>
    answered(controlApi.GET('/_sim/scenarios/{name}', { params: { path: { name } } })),
  )
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Show {name}.yaml</summary>
      <textarea
        class="yaml"
        readOnly
        rows={20}
        spellcheck={false}
        aria-label={`The file ${name}.yaml`}
        value={data?.yaml ?? refusal?.message ?? ''}
      />
    </details>
  )
}
