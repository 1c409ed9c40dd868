import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from '../../lib/files/packageFile.js'
import { loadScenario, ScenarioFileError } from './load.js'
import { placesOf } from './run.js'

export interface CatalogEntry {
  name: string
  file: string
  source: 'shipped' | 'own'
}

/** The shipped scenarios and those of the user's folder, by name. A user's scenario replaces a shipped one of its name. */
export function scenarioCatalog(ownFolder?: string): CatalogEntry[] {
  const entries = new Map<string, CatalogEntry>()
  const add = (folder: string, source: CatalogEntry['source']): void => {
    for (const file of readdirSync(folder)) {
      const name = /^(.+)\.ya?ml$/.exec(file)?.[1]
      if (name !== undefined) entries.set(name, { name, file: join(folder, file), source })
    }
  }
  add(packageFile('scenarios'), 'shipped')
  // It was there at the start, but may have been removed.
  if (ownFolder !== undefined && existsSync(ownFolder)) add(ownFolder, 'own')
  return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The title and parts of a scenario, or the problem of its file. */
export function aboutScenario({ file, ...listed }: CatalogEntry) {
  try {
    const scenario = loadScenario(file)
    const { name: title, description = null } = scenario
    return { ...listed, title, description, steps: placesOf(scenario), problem: null }
  } catch (error) {
    if (!(error instanceof ScenarioFileError)) throw error
    const problem = error.message
    return { ...listed, title: listed.name, description: null, steps: [], problem }
  }
}
