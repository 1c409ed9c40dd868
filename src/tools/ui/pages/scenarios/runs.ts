import { effect, signal } from '@preact/signals'
import { SvcError } from '../../../../clients/client/svcError.js'
import { onMessage, restarts } from '../../api/live.js'
import { answered, controlApi, world } from '../../api/session.js'
import type { ScenarioRun, StreamData } from '../../api/types.js'

export type Progress = StreamData['scenario']

/** The results of scenarios that this page has run, by name. Kept across page changes. */
export const runs = signal<Readonly<Record<string, ScenarioRun | SvcError>>>({})

export const scenarioPlaying = signal<string | undefined>()

/** How many scenarios of `playAll` are still to be finished; undefined while it is not running. */
export const scenariosLeft = signal<number | undefined>()

export const progress = signal<Readonly<Record<string, Progress>>>({})

/** Changes when the page turns to another world or simulator run. */
let visit = 0

// Results belong to one world and one simulator run.
effect(() => {
  void [world.value, restarts.value]
  visit++
  runs.value = {}
  scenarioPlaying.value = undefined
  scenariosLeft.value = undefined
  progress.value = {}
})

onMessage(({ type, data }) => {
  if (type === 'scenario') progress.value = { ...progress.peek(), [data.name]: data }
})

/** Runs a scenario. Its result is dropped when the page has turned to another world meanwhile. */
export async function playScenario(name: string): Promise<void> {
  const began = visit
  scenarioPlaying.value = name
  const { [name]: _, ...others } = runs.peek()
  runs.value = others
  const params = { params: { path: { name } } }
  const run = answered(controlApi.POST('/_sim/scenarios/{name}/run', params))
  const end = await run.catch((error: Error) => error)
  if (visit !== began) return
  // Without a response the outcome is unknown.
  if (!(end instanceof Error) || end instanceof SvcError)
    runs.value = { ...runs.peek(), [name]: end }
  scenarioPlaying.value = undefined
}

/** Runs scenarios one after the other, until the last, `stop` or a switch to another world. */
export async function playAll(names: readonly string[]): Promise<void> {
  const began = visit
  scenariosLeft.value = names.length
  for (const name of names) {
    await playScenario(name)
    if (visit !== began || scenariosLeft.peek() === undefined) return
    scenariosLeft.value = scenariosLeft.peek()! - 1
  }
  scenariosLeft.value = undefined
}

export function stop(): void {
  scenariosLeft.value = undefined
}

/** `expected X, got Y`, apart; undefined for another message. */
export function expectedAndGot(message: string): { expected: string; got: string } | undefined {
  const [, expected, got] = /\bexpected (.*?), (?:got|but it is) (.*)$/s.exec(message) ?? []
  return expected === undefined || got === undefined ? undefined : { expected, got }
}
