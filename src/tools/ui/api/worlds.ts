import { signal } from '@preact/signals'
import type { components } from '../../../clients/control/controlApi.js'
import { answered } from './refusal.js'
import { controlApi } from './session.js'

/** The leased worlds, as they were when they were last looked for: no stream tells of leases. */
export const worlds = signal<readonly components['schemas']['World'][]>([])

/** Looks which worlds there are; without an answer, those of before stand. */
export async function loadWorlds(): Promise<void> {
  await answered(controlApi.GET('/_sim/worlds')).then(
    (found) => {
      worlds.value = found.worlds
    },
    () => {},
  )
}
