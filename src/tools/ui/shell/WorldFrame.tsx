import { answered, controlApi, world } from '../api/session.js'
import { isReadOnly } from '../api/trace.js'
import { loadWorlds, worlds } from '../api/worlds.js'
import { AskTwice } from '../parts/controls.js'
import { shownTime } from '../parts/text.js'
import { attempt } from './notices.js'
import { hrefIn } from './route.js'

/** Leases a world and goes there. */
export async function leaseHere(): Promise<void> {
  await attempt('World leased', async () => {
    const { id } = await answered(controlApi.POST('/_sim/worlds', { body: {} }))
    await loadWorlds()
    location.hash = hrefIn(id, ['overview'])
  })
}

/** Which leased world all pages show, until when it is leased, and the way to release it. */
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
        <strong>World {known.name === null ? id : `${known.name} (${id})`}</strong>
        {known.failed_tests.map((test) => (
          <span key={test}>
            {' '}
            <span class="pill bad">failed</span> {test}
          </span>
        ))}
        {!isReadOnly.value &&
          `, leased until ${shownTime(known.lease_until)} by the machine’s clock`}
      </span>
      {isReadOnly.value ? (
        <a href={hrefIn(undefined, ['worlds'])}>All worlds</a>
      ) : (
        <AskTwice label="Release" really="Release this world" onSure={release} />
      )}
    </section>
  )
}
