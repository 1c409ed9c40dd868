import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { ServiceError } from '../../lib/errors.js'
import type { RunProgress } from '../../observe/stream/messages.js'
import type { Named, Result } from './run.js'
import type { ScenarioTarget } from './target.js'

/** A scenario in the list, or the problem of its file. */
export interface ScenarioEntry {
  name: string
  source: 'shipped' | 'own'
  title: string
  description: string | null
  /** The parts of a run, in their order. */
  steps: string[]
  problem: string | null
}

/** Plays scenarios in this world, one at a time, and restores the world after each. */
export interface ScenarioRuns {
  list(): Promise<ScenarioEntry[]>
  /** Rejects with `not_found`. */
  read(name: string): Promise<ScenarioEntry & { yaml: string }>
  /** Rejects with `not_found`, `invalid_params` for a file that is wrong, or `conflict` when it cannot be played now. */
  run(name: string): Promise<PlayedScenario>
  /** Plays one that is given as text; `invalid_params` when it is none. */
  play(yaml: string): Promise<PlayedScenario>
}

export interface PlayedScenario extends Result {
  run: number
  steps: string[]
}

interface RunsOptions {
  target: ScenarioTarget
  /** `--scenarios`. */
  ownFolder: string | undefined
  publish(progress: RunProgress): void
}

/** Reads files, and loads the modules for that, on demand. */
export function createScenarioRuns({ target, ownFolder, publish }: RunsOptions): ScenarioRuns {
  let running: string | undefined
  let runs = 0
  const find = async (name: string) => {
    const catalog = await import('./catalog.js')
    const all = catalog.scenarioCatalog(ownFolder)
    const entry = all.find((each) => each.name === name)
    if (entry) return { file: entry.file, about: catalog.aboutScenario(entry) }
    throw new ServiceError('not_found', `There is no scenario ${name.slice(0, 80)}`, {
      hint: `Existing scenarios: ${all.map((each) => each.name).join(', ')}.`,
    })
  }
  const playNow = async (name: string, named: Named, steps: string[]): Promise<PlayedScenario> => {
    const run = ++runs
    const { playAsGuest } = await import('./run.js')
    const progress = { name, run, steps, message: null }
    const onPart = (where: string): void => publish({ ...progress, where, state: 'running' })
    const result = await playAsGuest(target, named, onPart).catch((error: Error) => {
      const message = `The scenario ${name} cannot be played now: ${error.message}`
      publish({ ...progress, where: null, state: 'failed', message })
      throw new ServiceError('conflict', message)
    })
    const { where = null, message = null } = result.failure ?? {}
    publish({ ...progress, where, message, state: result.failure ? 'failed' : 'passed' })
    return { ...result, name, run, steps }
  }
  const alone = async (name: string, play: () => Promise<PlayedScenario>) => {
    if (running !== undefined)
      throw new ServiceError('conflict', `The scenario ${running} is being played`, {
        hint: 'One is played at a time in a world. Wait for its end, or lease a world and play there.',
      })
    running = name
    try {
      return await play()
    } finally {
      running = undefined
    }
  }
  return {
    async list() {
      const { scenarioCatalog, aboutScenario } = await import('./catalog.js')
      return scenarioCatalog(ownFolder).map(aboutScenario)
    },
    async read(name) {
      const { file, about } = await find(name)
      return { ...about, yaml: await readFile(file, 'utf8') }
    },
    async run(name) {
      const { file, about } = await find(name)
      if (about.problem !== null) throw new ServiceError('invalid_params', about.problem)
      const { loadScenario } = await import('./load.js')
      const named = { file, scenario: loadScenario(file) }
      return alone(name, () => playNow(name, named, about.steps))
    },
    async play(yaml) {
      const [{ parseScenario, ScenarioFileError }, { placesOf }] = await Promise.all([
        import('./load.js'),
        import('./run.js'),
      ])
      try {
        const scenario = parseScenario(yaml, 'yaml')
        const { name } = scenario
        return await alone(name, () =>
          playNow(name, { file: 'yaml', scenario }, placesOf(scenario)),
        )
      } catch (error) {
        if (!(error instanceof ScenarioFileError)) throw error
        throw new ServiceError('invalid_params', error.message)
      }
    },
  }
}

export function checkScenarioFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(
      `${folder} is no folder of scenarios. Make it, put YAML files in it, or leave it out`,
    )
}
