import { useEffect } from 'preact/hooks'
import { isReadOnly } from '../api/live.js'
import { answered, controlApi, world } from '../api/session.js'
import type { EndedView, WorldFacts, WorldView } from '../api/types.js'
import { byFailure, endedWorlds, entryOf, hasFailed, loadWorlds, worlds } from '../api/worlds.js'
import { quoted } from '../pages/journal/curl.js'
import { Act, AskTwice } from '../parts/controls.js'
import { counted, shownSpan, shownTime } from '../parts/text.js'
import { attempt } from './notices.js'
import { here, hrefIn } from './route.js'

const labelOf = ({ id, name }: { id: string; name: string | null }): string =>
  name === null ? id : `${name} (${id})`

export const worldName = ({ id, name }: Pick<WorldView, 'id' | 'name'>): string => name ?? id

export function leasedText(world: EndedView | WorldView): string {
  const { leased_at, test_of } = world
  if (leased_at === null) return test_of === null ? 'its lease is not in this trace' : ''
  const at = 'ended_at' in world ? world.ended_at : leased_at
  const age = shownSpan((Date.now() - Date.parse(at)) / 1000)
  if ('ended_at' in world) return `${age} ago`
  return `leased ${isReadOnly.value ? shownTime(leased_at) : `${age} ago`}`
}

/** The tests that failed in a world. A trace has an entry for each, named like the test. */
function FailedTests({ of }: { of: WorldFacts }) {
  const { id, name, failed_tests, flaky_tests, failure, failures } = of
  return [...failed_tests, ...flaky_tests].map((test) => {
    const isFlaky = flaky_tests.includes(test)
    const own = entryOf(id, test)
    return (
      <span key={test} class="words">
        <span class={`pill ${isFlaky ? 'warn' : 'bad'}`}>{isFlaky ? 'flaky' : 'failed'}</span>{' '}
        {test === name ? failure : own ? <a href={hrefIn(own.id, ['overview'])}>{test}</a> : test}
        {test !== name && <span class="small"> {failures[test]?.split('\n')[0]}</span>}
        {isFlaky && <span class="small"> It passed when it was retried.</span>}
      </span>
    )
  })
}

export function Failed(world: EndedView | WorldView) {
  if ('ended_at' in world)
    return (
      <>
        <FailedTests of={world} /> <span class="refused-text">{world.lost}</span>
        {world.verdicts.map(({ id, now }) => (
          <span key={id} class="small words">
            {now}
          </span>
        ))}
      </>
    )
  const { failed_tests, flaky_tests, passed_tests, failed_activities } = world
  const { refused, cut, lost, leased_at, test_of } = world
  if (lost !== null) return <span class="refused-text">{lost}</span>
  if (failed_activities === null) return <span class="small">The world does not respond.</span>
  const counts = [
    failed_activities > 0 &&
      `${failed_activities} failed ${failed_activities === 1 ? 'activity' : 'activities'}`,
    refused !== cut && counted(refused! - cut!, 'refused request'),
    cut !== null && cut > 0 && counted(cut, 'lost response'),
    passed_tests.length > 0 && `${counted(passed_tests.length, 'test')} passed`,
    leased_at === null && test_of === null && 'failed tests unknown',
  ].filter((text) => text !== false)
  return (
    <>
      <FailedTests of={world} />
      <span class="small">
        {counts.join(', ') || ([...failed_tests, ...flaky_tests].length > 0 ? '' : 'none')}
      </span>
    </>
  )
}

export function EndedWorlds() {
  const { ended_with_failures: failed = 0, default_world, trace } = endedWorlds.value ?? {}
  if (isReadOnly.value || (failed === 0 && !default_world)) return null
  return (
    <div class="callout warn">
      {default_world && <p>In the default world:</p>}
      {default_world && <FailedTests of={default_world} />}
      {failed > 0 && (
        <p>
          {counted(failed, 'world')} with failed tests ended.{' '}
          <a href={hrefIn(undefined, ['worlds'])}>Worlds</a> lists what was recorded of the last{' '}
          {endedWorlds.value?.ended_worlds.length}; their content is gone.{' '}
          {trace ? 'See what happened there with ' : 'To keep it, start svc-sim with '}
          <code>{trace ? `svc-sim ui ${quoted(trace)}` : '--trace run.trace'}</code>
          {!trace && ' and run the tests again, then open the file with svc-sim ui run.trace'}.
        </p>
      )}
    </div>
  )
}

async function leaseHere(): Promise<void> {
  const { id } = await answered(controlApi.POST('/_sim/worlds', { body: {} }))
  await loadWorlds()
  location.hash = hrefIn(id, ['overview'])
}

export function WorldFrame() {
  const id = world.value
  const known = worlds.value.find((each) => each.id === id)
  if (id === undefined || !known) return null
  const release = (): void =>
    void attempt('World released', async () => {
      const params = { params: { path: { id } } }
      await answered(controlApi.DELETE('/_sim/worlds/{id}', params))
      location.hash = hrefIn(undefined, ['overview'])
      await loadWorlds()
    })
  return (
    <section class="banner callout frozen spread" aria-label="Leased world">
      <span>
        <strong>World {labelOf(known)}</strong>
        {!isReadOnly.value &&
          `, leased until ${shownTime(known.lease_until)} by the machine’s clock.`}{' '}
        <FailedTests of={known} />
      </span>
      {isReadOnly.value ? (
        <a href={hrefIn(undefined, ['worlds'])}>All worlds</a>
      ) : (
        <AskTwice label="Release" really="Release this world" onSure={release} />
      )}
    </section>
  )
}

export function WorldPicker() {
  useEffect(() => {
    void loadWorlds().then(() => {
      const first = byFailure(worlds.peek()).find(hasFailed)
      // A trace that was opened without a place begins where something failed.
      if (isReadOnly.peek() && location.hash === '' && first)
        location.hash = hrefIn(first.id, ['overview'])
    })
  }, [isReadOnly.value])
  const isListed = worlds.value.some(({ id }) => id === world.value)
  const all = [
    ...(world.value && !isListed ? [{ id: world.value, name: null }] : []),
    ...byFailure(worlds.value),
  ]
  return (
    <div class="world-choice stack tight">
      <label class="field">
        <span>World</span>
        <select
          value={world.value ?? ''}
          onFocus={() => void loadWorlds()}
          onPointerDown={() => void loadWorlds()}
          onChange={({ currentTarget }) => {
            const [page = 'overview'] = here.value.path
            location.hash = hrefIn(currentTarget.value || undefined, [page])
          }}
        >
          <option value="">default world</option>
          {all.map((world) => (
            <option key={world.id} value={world.id}>
              {labelOf(world)}
            </option>
          ))}
        </select>
      </label>
      {!isReadOnly.value && (
        <Act done="World leased" work={leaseHere}>
          Lease a world
        </Act>
      )}
    </div>
  )
}
