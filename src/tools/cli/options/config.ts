import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { optionConflict } from '../../../simulator/options/checkOptions.js'
import { type CommandName, commandsOf, yesOrNo } from '../../../simulator/options/optionSpec.js'
import { say } from '../process/output.js'
import {
  flagOf,
  type OptionName,
  type OptionValues,
  optionNames,
  optionSpecs,
  simulatorOptionsOf,
  variableOf,
} from './optionTable.js'

// Commander's own `env`, `choices` and `conflicts` are not used: they do not know the file, take any variable for a yes-or-no option as yes,
// and word their errors otherwise than `createSimulator` does.

/** The file in the working directory whose keys are the flags: `{ "port": 4000, "api-key": ["a", "b"] }`. */
export const configFileName = 'svc-sim.config.json'

/** What was written on the command line: text, `true` for a yes-or-no flag, a list for a repeated one. */
type Flag = string | boolean | readonly string[]
export type Flags = Partial<Record<OptionName, Flag>>

/** Sources of settings besides the command line. */
export interface Surroundings {
  env: NodeJS.ProcessEnv
  /** Folder that may have a `svc-sim.config.json`. */
  cwd: string
}

/** An option as it was given, and where: errors name the place. */
interface Given {
  texts: readonly string[]
  place: string
}

/** The names by which an option is given: its own, and its alias. */
const spellingsOf = (name: OptionName): string[] => [name, optionSpecs[name].alias ?? []].flat()

/**
 * The values of a command's options: flag before environment (`SVC_SIM_<FLAG>`, lists with commas, empty means not set)
 * before file before default. The file may hold the options of other commands too. A variable that names no option is reported
 * and ignored, since the environment is shared with other programs.
 *
 * @throws `ConfigError` for a bad value, naming its place, and for an unknown key in the file.
 */
export function readOptions(
  command: CommandName,
  flags: Flags,
  { env, cwd }: Surroundings = { env: process.env, cwd: process.cwd() },
): OptionValues {
  sayStrayVariables(env)
  const file = readConfigFile(cwd)
  const own = optionNames.filter((name) => commandsOf(optionSpecs[name]).includes(command))
  const values = Object.fromEntries(
    own.map((name) => {
      const given =
        firstOf(name, (each) => fromFlags(each, flags)) ??
        firstOf(name, (each) => fromEnv(name, variableOf(each), env)) ??
        file.get(name)
      return [name, given ? parse(command, name, given) : fallbackOf(name)]
    }),
  ) as OptionValues
  checkTogether(command, values)
  return values
}

function firstOf(name: OptionName, find: (spelling: string) => Given | undefined) {
  for (const spelling of spellingsOf(name)) {
    const given = find(spelling)
    if (given) return given
  }
  return undefined
}

function fallbackOf(name: OptionName): unknown {
  const { takes, many, fallback } = optionSpecs[name]
  if (!takes) return false
  return many ? (fallback ?? []) : fallback
}

function parse(command: CommandName, name: OptionName, { texts, place }: Given): unknown {
  const { takes, takesOf, many, isSecret } = optionSpecs[name]
  const kind = takesOf?.[command] ?? takes ?? yesOrNo
  const values = texts.map((text) => {
    try {
      return kind.parse(text)
    } catch (error) {
      const why = (error as Error).message
      if (isSecret) throw new ConfigError(`${place} cannot be used: ${why}.`)
      throw new ConfigError(`${place} is ${JSON.stringify(text)}, but ${why}.`)
    }
  })
  return many ? values : values[0]
}

function fromFlags(name: string, flags: Readonly<Record<string, Flag | undefined>>) {
  const value = flags[name]
  if (value === undefined) return undefined
  return { texts: [value].flat().map(String), place: `--${flagOf(name)}` }
}

function fromEnv(name: OptionName, variable: string, env: NodeJS.ProcessEnv): Given | undefined {
  const { many, takes } = optionSpecs[name]
  const text = env[variable]?.trim()
  if (!text) return undefined
  // Kubernetes and Docker links set `<SERVICE>_PORT` to an address of the service, for example `tcp://10.96.0.1:4477`.
  if (/^(tcp|udp|sctp):\/\/\S+:\d+$/.test(text)) {
    say(
      `${variable} is ${text}, which Kubernetes sets for a Service called svc-sim. It is ignored. To avoid this message, rename the Service or set enableServiceLinks: false.`,
    )
    return undefined
  }
  const split = takes?.split ?? ((list) => list.split(',').map((part) => part.trim()))
  return { texts: many ? split(text) : [text], place: `the environment variable ${variable}` }
}

/** Reads the folder's configuration file; empty without one. */
function readConfigFile(cwd: string): Map<OptionName, Given> {
  const path = join(cwd, configFileName)
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw new ConfigError(`${path} cannot be read as JSON: ${(error as Error).message}`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new ConfigError(`${path} must hold one JSON object, for example { "port": 4000 }.`)
  return new Map(
    Object.entries(content).map(([key, value]) => {
      const name = optionNames.find((each) => spellingsOf(each).map(flagOf).includes(key))
      if (!name)
        throw new ConfigError(
          `${path} has the unknown key ${JSON.stringify(key)}. Known: ${optionNames.map(flagOf).join(', ')}.`,
        )
      const place = `"${key}" in ${path}`
      return [name, { texts: textsOf(value, optionSpecs[name].many, place), place }]
    }),
  )
}

/** Numbers and booleans may stand in the file as such. */
function textsOf(value: unknown, many: boolean | undefined, place: string): string[] {
  const items: unknown[] = many && Array.isArray(value) ? value : [value]
  return items.map((item) => {
    if (typeof item === 'number' && !Number.isSafeInteger(item))
      throw new ConfigError(
        `${place} is ${item}, which JSON numbers cannot hold exactly; write it in quotes.`,
      )
    if (['string', 'number', 'boolean'].includes(typeof item)) return String(item)
    const list = many ? ', or a list of them' : ''
    throw new ConfigError(
      `${place} is ${JSON.stringify(item)}, but must be text, a number, true or false${list}.`,
    )
  })
}

const withConflicts: readonly CommandName[] = ['start', 'exec', 'bundle']

function checkTogether(command: CommandName, values: OptionValues): void {
  if (!withConflicts.includes(command)) return
  const forked = (values.fork ?? []).map(({ network }) => network)
  const twice = forked.find((network, index) => forked.indexOf(network) !== index)
  if (twice !== undefined)
    throw new ConfigError(`--fork names ${twice} twice; a network has one fork.`)
  const conflict = optionConflict(simulatorOptionsOf(values), (option) => {
    const name = optionNames.find((each) => optionSpecs[each].library === option) ?? option
    const better = ' (better: SVC_SIM_CONTROL_TOKEN, which does not show in process lists)'
    return `--${flagOf(name)}${name === 'controlToken' ? better : ''}`
  })
  if (conflict !== undefined) throw new ConfigError(conflict)
}

const variables: readonly string[] = optionNames.flatMap(spellingsOf).map(variableOf)

/** What Kubernetes and Docker links set for a Service or container whose name begins with `svc-sim`. */
const ofLinks = /_(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/

/** Reports each variable `SVC_SIM_*` that names no option: nothing reads it, so it is probably misspelled. */
function sayStrayVariables(env: NodeJS.ProcessEnv): void {
  const stray = Object.keys(env).filter(
    (name) => name.startsWith('SVC_SIM_') && !variables.includes(name) && !ofLinks.test(name),
  )
  for (const name of stray.sort()) {
    const meant = variables.filter((each) => isTypo(name, each)).join(' or ')
    const next = meant
      ? `Did you mean ${meant}?`
      : 'Every option has a variable of its name: see "svc-sim COMMAND --help".'
    say(`the environment variable ${name} is ignored, because no option has this name. ${next}`)
  }
}

/** Whether one text becomes the other by one letter more, less or other, or by two neighbours that swap places. */
function isTypo(given: string, meant: string): boolean {
  let from = 0
  while (from < given.length && given[from] === meant[from]) from++
  const [rest, wanted] = [given.slice(from), meant.slice(from)]
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    rest === wanted.slice(1) ||
    (rest.slice(2) === wanted.slice(2) && rest[0] === wanted[1] && rest[1] === wanted[0])
  )
}

/** A setting cannot be used; the message says which, where it was given, and what is allowed. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The reporter of a command that was chosen. */
export function reporterOf<T>(
  { reporter, json }: Pick<OptionValues, 'reporter' | 'json'>,
  reporters: Readonly<Record<string, T>>,
): T {
  return reporters[json ? 'json' : reporter]!
}
