import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from '../../lib/files/packageFile.js'
import { loadScenario, ScenarioFileError } from './load.js'
import { placesOf } from './run.js'

/** A scenario file, by its name without `.yaml`. */
export interface CatalogEntry {
  name: string
  file: string
  source: 'shipped' | 'own'
}

/** The shipped scenarios, and those of a folder of one's own, by name; an own one stands in for a shipped one of its name. */
export function scenarioCatalog(ownFolder?: string): CatalogEntry[] {
  const found = new Map<string, CatalogEntry>()
  const add = (folder: string, source: CatalogEntry['source']): void => {
    for (const file of readdirSync(folder)) {
      const name = /^(.+)\.ya?ml$/.exec(file)?.[1]
      if (name !== undefined) found.set(name, { name, file: join(folder, file), source })
    }
  }
  add(packageFile('scenarios'), 'shipped')
  // It was there at the start; whoever takes it away has no scenarios of their own any more.
  if (ownFolder !== undefined && existsSync(ownFolder)) add(ownFolder, 'own')
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** What a scenario is about, and its parts in the order in which they are played; or what is wrong with its file. */
export function aboutScenario({ file, ...shelved }: CatalogEntry) {
  try {
    const scenario = loadScenario(file)
    const { name: title, description = null } = scenario
    return { ...shelved, title, description, steps: placesOf(scenario), problem: null }
  } catch (error) {
    if (!(error instanceof ScenarioFileError)) throw error
    const problem = error.message
    return { ...shelved, title: shelved.name, description: null, steps: [], problem }
  }
}
