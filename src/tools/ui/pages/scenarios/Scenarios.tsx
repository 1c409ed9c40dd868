import { SvcError } from '../../../../clients/client/svcError.js'
import { answered, controlApi } from '../../api/session.js'
import type { ListedScenario } from '../../api/types.js'
import { useLoaded } from '../../api/useLoaded.js'
import { TextField } from '../../parts/controls.js'
import { Count, Panel } from '../../parts/panels.js'
import { href, useQuery } from '../../shell/route.js'
import { OneScenario } from './OneScenario.js'
import { playAll, progress, runs, scenarioPlaying, scenariosLeft, stop } from './runs.js'

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
