import { effect, signal } from '@preact/signals'
import { onMessage, restarts } from '../../api/live.js'
import { answered, controlApi, Refused, world } from '../../api/session.js'
import type { StreamData } from '../../api/stream.js'
import type { ScenarioRun } from '../../api/types.js'

/** What the stream told last of a scenario. */
export type Progress = StreamData['scenario']

/** How scenarios ended that this page has played, by name. They stay when one goes to another page. */
export const runs = signal<Readonly<Record<string, ScenarioRun | Refused>>>({})

/** The scenario that this page plays. */
export const scenarioPlaying = signal<string | undefined>()

/** What the stream told last of each scenario. */
export const progress = signal<Readonly<Record<string, Progress>>>({})

// Of another world, or of another start, nothing of this is true.
effect(() => {
  void [world.value, restarts.value]
  runs.value = {}
  progress.value = {}
})

onMessage(({ type, data }) => {
  if (type === 'scenario') progress.value = { ...progress.peek(), [data.name]: data }
})

/** How many of those that play all are still to come; undefined while nobody does. */
export const left = signal<number | undefined>()

/** Plays a scenario. */
export async function playScenario(name: string): Promise<void> {
  scenarioPlaying.value = name
  const { [name]: _, ...others } = runs.peek()
  runs.value = others
  const params = { params: { path: { name } } }
  const asked = answered(controlApi.POST('/_sim/scenarios/{name}/run', params))
  const end = await asked.catch((error: Error) => error)
  // Without an answer nothing is known of it.
  if (!(end instanceof Error) || end instanceof Refused)
    runs.value = { ...runs.peek(), [name]: end }
  scenarioPlaying.value = undefined
}

/** Plays them one after the other, until `stop` or the last. */
export async function playAll(names: readonly string[]): Promise<void> {
  left.value = names.length
  for (const name of names) {
    if (left.peek() === undefined) return
    await playScenario(name)
    if (left.peek() !== undefined) left.value = left.peek()! - 1
  }
  left.value = undefined
}

/** Plays no more after the scenario that is being played. */
export function stop(): void {
  left.value = undefined
}
