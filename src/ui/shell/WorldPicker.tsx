import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { components } from '../api/controlApi.js'
import { answered } from '../api/refusal.js'
import { controlApi, world } from '../api/session.js'
import { here, hrefIn } from './route.js'

const worlds = signal<readonly components['schemas']['World'][]>([])

async function load(): Promise<void> {
  worlds.value = (await answered(controlApi.GET('/_sim/worlds'))).worlds
}

/** Chooses the world that all pages show. It is looked for others when it is opened: no stream tells of leases. */
export function WorldPicker() {
  useEffect(() => void load().catch(() => {}), [])
  const ids = worlds.value.map(({ id }) => id)
  const all = world.value === undefined || ids.includes(world.value) ? ids : [world.value, ...ids]
  return (
    <label class="field inline world">
      <span>World</span>
      <select
        value={world.value ?? ''}
        onFocus={() => void load().catch(() => {})}
        onPointerDown={() => void load().catch(() => {})}
        onChange={({ currentTarget }) => {
          const [page = 'overview'] = here.value.path
          location.hash = hrefIn(currentTarget.value || undefined, [page])
        }}
      >
        <option value="">the simulator itself</option>
        {all.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </label>
  )
}
