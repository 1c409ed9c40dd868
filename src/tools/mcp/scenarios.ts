import { readFileSync } from 'node:fs'
import {
  aboutScenario,
  type CatalogEntry,
  scenarioCatalog,
} from '../../clients/scenarios/catalog.js'
import { playAsGuest } from '../../clients/scenarios/guest.js'
import { loadScenario, parseScenario } from '../../clients/scenarios/load.js'
import type { Named } from '../../clients/scenarios/run.js'
import type { Arguments, Tool } from './tool.js'
import { ToolError } from './toolError.js'

const nameInput = { type: 'string', description: 'A shipped scenario, as list names them.' }

/** Scenarios: the shipped ones, and those that an agent writes. */
export const scenariosTool: Tool = {
  name: 'scenarios',
  title: 'Scenarios',
  description:
    'Scripted failures as YAML: accounts and funds, faults, steps, and what must hold. A run takes a snapshot first and goes back to it.',
  actions: {
    list: {
      reads: true,
      text: 'The shipped ones, with what each is about.',
      run: async () => ({ result: scenarioCatalog().map(describeShipped) }),
    },
    read: {
      reads: true,
      text: 'The YAML of a shipped one: copy from it.',
      more: { name: nameInput },
      required: ['name'],
      run: async ({ name }) => ({ result: readFileSync(shipped(name).file, 'utf8') }),
    },
    run: {
      text: 'Plays a shipped one by name, or your own yaml, and tells where it failed and why.',
      more: { name: nameInput, yaml: { type: 'string', description: 'A scenario of your own.' } },
      async run(args, { session }) {
        const named = namedOf(args)
        const { exchanges, failure, ...result } = await playAsGuest(session.target(), named)
        const requests = exchanges.length
        return { result: { passed: failure === undefined, failure, requests, ...result } }
      },
    },
  },
}

/** Only what is listed: a name is no path. */
function shipped(name: unknown): CatalogEntry {
  const all = scenarioCatalog()
  const found = all.find((each) => each.name === name)
  if (found !== undefined) return found
  throw new ToolError(
    `There is no scenario ${JSON.stringify(name)}. Give one of: ${all.map((each) => each.name).join(', ')}.`,
  )
}

function describeShipped(shelved: CatalogEntry): { name: string; about: string } {
  const { name, title, description } = aboutScenario(shelved)
  return { name, about: description === null ? title : `${title}. ${description}` }
}

function namedOf({ name, yaml }: Arguments): Named {
  if ((name === undefined) === (yaml === undefined))
    throw new ToolError('scenarios with action run needs either name or yaml, not both.')
  if (yaml !== undefined) return { file: 'yaml', scenario: parseScenario(String(yaml), 'yaml') }
  const { file } = shipped(name)
  return { file, scenario: loadScenario(file) }
}
