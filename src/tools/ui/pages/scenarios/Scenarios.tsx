import { useEffect, useState } from 'preact/hooks'
import { onMessage } from '../../api/live.js'
import { answered } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import { href } from '../../shell/route.js'
import '../../styles/forms.css'
import '../../styles/scenarios.css'
import { OneScenario } from './OneScenario.js'
import type { ListedScenario, Progress } from './progress.js'

/** Scenarios that can be played here: what they do, and how it goes. */
export default function Scenarios({ rest: [name] }: { rest: readonly string[] }) {
  const [search, setSearch] = useState('')
  const [scenarios, setScenarios] = useState<readonly ListedScenario[]>()
  const [progress, setProgress] = useState<Readonly<Record<string, Progress>>>({})
  useEffect(() => {
    void answered(controlApi.GET('/_sim/scenarios')).then((loaded) =>
      setScenarios(loaded.scenarios),
    )
    return onMessage(({ type, data }) => {
      if (type === 'scenario') setProgress((before) => ({ ...before, [data.name]: data }))
    })
  }, [])
  if (!scenarios) return <p aria-busy="true">Loading…</p>
  const wanted = search.toLowerCase()
  const found = scenarios.filter(({ name: id, title, description }) =>
    [id, title, description ?? ''].some((text) => text.toLowerCase().includes(wanted)),
  )
  const chosen = scenarios.find((each) => each.name === name) ?? found[0]
  return (
    <div class="scenarios-page">
      <section class="panel scenario-list" aria-labelledby="scenarios-title">
        <header>
          <h2 id="scenarios-title">Scenarios</h2>
          <span class="count">{found.length}</span>
        </header>
        <label class="field">
          <span>Search</span>
          <input
            type="search"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </label>
        {found.length === 0 && <p class="empty">No scenario matches “{search}”.</p>}
        <ul class="choices">
          {found.map((each) => (
            <li key={each.name}>
              <a
                href={href(['scenarios', each.name])}
                aria-current={each.name === chosen?.name ? 'true' : undefined}
              >
                <span>
                  <strong>{each.title}</strong>
                  <span class="small">
                    {each.name}
                    {each.source === 'own' ? ', your own' : ''}
                  </span>
                </span>
                <Mark progress={progress[each.name]} problem={each.problem} />
              </a>
            </li>
          ))}
        </ul>
      </section>
      {chosen && <OneScenario key={chosen.name} entry={chosen} progress={progress[chosen.name]} />}
    </div>
  )
}

function Mark({ progress, problem }: { progress: Progress | undefined; problem: string | null }) {
  if (problem !== null) return <span class="pill bad">broken</span>
  if (!progress) return null
  const kind = { running: 'warn', passed: 'good', failed: 'bad' }[progress.state]
  return <span class={`pill ${kind}`}>{progress.state}</span>
}
