import { signal } from '@preact/signals'
import { answered, controlApi } from './session.js'
import type { WorldView } from './types.js'

/** The leased worlds, as they were when they were last looked for: no stream tells of leases. */
export const worlds = signal<readonly WorldView[]>([])

/** Looks which worlds there are; without an answer, those of before stand. */
export async function loadWorlds(): Promise<void> {
  await answered(controlApi.GET('/_sim/worlds')).then(
    (found) => {
      worlds.value = found.worlds
    },
    () => {},
  )
}
