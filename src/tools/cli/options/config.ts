import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OptionNaming, optionConflict } from '../../../simulator/options/checkOptions.js'
import {
  anyText,
  type CommandName,
  type OptionSpec,
  yesOrNo,
} from '../../../simulator/options/optionSpec.js'
import { say } from '../process/output.js'
import {
  flagOf,
  type OptionName,
  type OptionValues,
  optionTable,
  simulatorOptionsOf,
  variableOf,
} from './optionTable.js'
import { strayVariables } from './strayVariables.js'

/** The file in the working directory whose keys are the flags: `{ "port": 4000, "api-key": ["a", "b"] }`. */
export const configFileName = 'svc-sim.config.json'

/** What was written on the command line: text, `true` for a yes-or-no flag, a list for a repeated one. */
type Flag = string | boolean | readonly string[]
export type Flags = Partial<Record<OptionName, Flag>>

/** Where settings are looked for besides the command line. */
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

const specs: Record<OptionName, OptionSpec> = optionTable
const optionNames = Object.keys(optionTable) as OptionName[]

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
  for (const line of strayVariables(env)) say(line)
  const file = readConfigFile(cwd)
  const values = Object.fromEntries(
    optionNames
      .filter((name) => specs[name].commands.includes(command))
      .map((name) => {
        const spellings = [name, specs[name].alias ?? []].flat()
        const given =
          firstOf(spellings, (each) => fromFlags(each, flags)) ??
          firstOf(spellings, (each) => fromEnv(each, specs[name], env)) ??
          file.get(name)
        return [name, given ? parse(command, name, given) : fallbackOf(specs[name])]
      }),
  ) as OptionValues
  checkTogether(command, values)
  return values
}

function firstOf(names: readonly string[], find: (name: string) => Given | undefined) {
  for (const name of names) {
    const given = find(name)
    if (given) return given
  }
  return undefined
}

function fallbackOf({ value, fallback }: OptionSpec): unknown {
  return value === undefined ? false : fallback
}

function parse(command: CommandName, name: OptionName, { texts, place }: Given): unknown {
  const spec = specs[name]
  const { value, parseOf, parse: usual = value === undefined ? yesOrNo : anyText } = spec
  const parseText = parseOf?.[command] ?? usual
  const values = texts.map((text) => {
    try {
      return parseText(text)
    } catch (error) {
      const why = (error as Error).message
      if (spec.isSecret) throw new ConfigError(`${place} cannot be used: ${why}.`)
      throw new ConfigError(`${place} is ${JSON.stringify(text)}, but ${why}.`)
    }
  })
  return spec.many ? values : values[0]
}

function fromFlags(name: string, flags: Readonly<Record<string, Flag | undefined>>) {
  const value = flags[name]
  if (value === undefined) return undefined
  return { texts: [value].flat().map(String), place: `--${flagOf(name)}` }
}

function fromEnv(
  name: string,
  { many, split = splitAtCommas }: OptionSpec,
  env: NodeJS.ProcessEnv,
): Given | undefined {
  const text = env[variableOf(name)]?.trim()
  if (!text) return undefined
  if (isServiceLink(text)) {
    say(
      `${variableOf(name)} is ${text}, which Kubernetes sets for a Service called svc-sim. It is ignored. To avoid this message, rename the Service or set enableServiceLinks: false.`,
    )
    return undefined
  }
  const texts = many ? split(text) : [text]
  return { texts, place: `the environment variable ${variableOf(name)}` }
}

/** Kubernetes and Docker links set `<SERVICE>_PORT` to an address of the service, for example `tcp://10.96.0.1:4477`. */
function isServiceLink(text: string): boolean {
  return /^(tcp|udp|sctp):\/\/\S+:\d+$/.test(text)
}

function splitAtCommas(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

/** What the file in the folder says; nothing when there is none. */
function readConfigFile(cwd: string): Map<OptionName, Given> {
  const path = join(cwd, configFileName)
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw new ConfigError(`${path} cannot be read as JSON: ${(error as Error).message}`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new ConfigError(`${path} must hold one JSON object, for example { "port": 4000 }.`)
  }
  return new Map(
    Object.entries(content).map(([key, value]) => {
      const name = optionNames.find((each) =>
        [each, specs[each].alias].some((known) => known !== undefined && flagOf(known) === key),
      )
      if (!name) {
        const known = optionNames.map(flagOf).join(', ')
        throw new ConfigError(
          `${path} has the unknown key ${JSON.stringify(key)}. Known: ${known}.`,
        )
      }
      const place = `"${key}" in ${path}`
      return [name, { texts: textsOf(value, specs[name], place), place }]
    }),
  )
}

/** Numbers and booleans may stand in the file as such. */
function textsOf(value: unknown, spec: OptionSpec, place: string): string[] {
  const items = spec.many && Array.isArray(value) ? value : [value]
  return items.map((item: unknown) => {
    if (typeof item === 'number' && !Number.isSafeInteger(item)) {
      throw new ConfigError(
        `${place} is ${item}, which JSON numbers cannot hold exactly; write it in quotes.`,
      )
    }
    if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
      return String(item)
    const list = spec.many ? ', or a list of them' : ''
    throw new ConfigError(
      `${place} is ${JSON.stringify(item)}, but must be text, a number, true or false${list}.`,
    )
  })
}

/** An option of the library as it is written on the command line. */
const named: OptionNaming = (name) => {
  if (name === 'controlToken')
    return '--control-token (better: SVC_SIM_CONTROL_TOKEN, which does not show in process lists)'
  return `--${flagOf(optionNames.find((each) => specs[each].library === name) ?? name)}`
}

const withConflicts: readonly CommandName[] = ['start', 'exec', 'bundle']

function checkTogether(command: CommandName, values: OptionValues): void {
  if (!withConflicts.includes(command)) return
  const forked = (values.fork ?? []).map(({ network }) => network)
  const twice = forked.find((network, index) => forked.indexOf(network) !== index)
  if (twice !== undefined)
    throw new ConfigError(`--fork names ${twice} twice; a network has one fork.`)
  const conflict = optionConflict(simulatorOptionsOf(values), named)
  if (conflict !== undefined) throw new ConfigError(conflict)
}

/** A setting cannot be used; the message says which, where it was given, and what is allowed. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The reporter of a command by its name; not every command has every one. */
export function reporterOf<T>(
  { reporter: named, json }: Pick<OptionValues, 'reporter' | 'json'>,
  reporters: Readonly<Record<string, T>>,
): T {
  const reporter = json ? 'json' : named
  const found = reporters[reporter]
  if (found !== undefined) return found
  throw new ConfigError(
    `--reporter is "${reporter}", but this command has ${Object.keys(reporters).join(', ')}.`,
  )
}
