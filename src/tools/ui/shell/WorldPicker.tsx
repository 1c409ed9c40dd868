import { useEffect } from 'preact/hooks'
import { world } from '../api/session.js'
import { isReadOnly } from '../api/trace.js'
import { byFailure, hasFailed, loadWorlds, worlds } from '../api/worlds.js'
import { here, hrefIn } from './route.js'
import { leaseHere } from './WorldFrame.js'

/** Chooses the world that all pages show. It is looked for others when it is opened, and when this page has leased one. */
export function WorldPicker() {
  useEffect(() => {
    void loadWorlds().then(() => {
      const [worst] = byFailure(worlds.peek())
      // A trace that was opened without a place begins where something failed.
      if (isReadOnly.peek() && location.hash === '' && worst && hasFailed(worst))
        location.hash = hrefIn(worst.id, ['overview'])
    })
  }, [isReadOnly.value])
  const ids = worlds.value.map(({ id }) => id)
  const names = new Map(worlds.value.map(({ id, name }) => [id, name ? `${name} (${id})` : id]))
  const all = world.value === undefined || ids.includes(world.value) ? ids : [world.value, ...ids]
  return (
    <div class="world-choice stack tight">
      <label class="field inline world">
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
          {all.map((id) => (
            <option key={id} value={id}>
              {names.get(id) ?? id}
            </option>
          ))}
        </select>
      </label>
      {!isReadOnly.value && (
        <button type="button" onClick={leaseHere}>
          Lease a world
        </button>
      )}
    </div>
  )
}
