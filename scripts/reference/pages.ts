import type { Command } from 'commander'
import { commandsOf } from '../../src/simulator/options/optionSpec.js'
import {
  flagOf,
  optionNames,
  optionSpecs,
  variableOf,
} from '../../src/tools/cli/options/optionTable.js'

/** The parts of an OpenAPI document that the reference shows. */
export interface Shown {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, ShownOperation>>
  components: { schemas: Record<string, ShownSchema> }
}

interface ShownOperation {
  tags: string[]
  summary: string
  description: string
  security?: object[]
  requestBody?: {
    content: Record<string, { schema: ShownSchema; example?: Record<string, unknown> }>
  }
  parameters?: { name: string; in: string; required?: boolean; description?: string }[]
  responses: Record<string, { description: string }>
}

interface ShownSchema {
  description?: string
  enum?: string[]
  type?: string | string[]
  $ref?: string
  properties?: Record<string, ShownSchema>
  required?: string[]
  items?: ShownSchema
  example?: unknown
  'x-extensible-enum'?: string[]
}

/** The end of each page. */
const made = '<!-- Generated: `npm run docs:reference` rewrites this page. -->'

/** Text in a cell of a table: no bar ends it, and nothing outside of code is taken for HTML. */
const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
    .replace(/`[^`]*`|</g, (found) => (found === '<' ? '&lt;' : found))

const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => '---'), ...rows]
    .map((row) => `| ${row.map(cell).join(' | ')} |`)
    .join('\n')

/** Every command with its arguments and options, as `--help` shows them. */
export function commandsPage(program: Command): string {
  const sections = program.commands.map((command) => {
    const { registeredArguments: given } = command
    const usage = `svc-sim ${command.name()} ${command.usage()}`
    const taken = given.map((each) => [`\`${each.name()}\``, each.description])
    const shown = command.options.filter(({ hidden }) => !hidden)
    const options = shown.map((option) => [`\`${option.flags}\``, option.description])
    return [
      `## svc-sim ${command.name()}`,
      sentence(command.description()),
      `\`\`\`text\n${usage.trim()}\n\`\`\``,
      ...(taken.length > 0 ? [table(['Argument', 'Is'], taken)] : []),
      ...(options.length > 0 ? [table(['Option', 'Is'], options)] : []),
    ].join('\n\n')
  })
  return `# Commands

Install the package and run \`npx svc-sim COMMAND\`. Each option is also an environment variable and a key of \`svc-sim.config.json\`;
see [Environment](environment.md).

${sections.join('\n\n')}

${made}
`
}

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`

/** What `exec` tells a command by its environment. */
export const clientVariables: Readonly<Record<string, string>> = {
  SVC_BASE_URL: 'the URL of the service API',
  SVC_API_KEY: 'the API key',
  SVC_CONTROL_URL: 'the URL of the control API, `SVC_BASE_URL` with `/_sim`',
  SVC_CONTROL_TOKEN: 'the bearer token of the control API, where there is one',
  'SVC_RPC_<NETWORK>': 'the JSON-RPC of a network, for example `SVC_RPC_BASE`',
  SVC_WORLD:
    '`shared` under `swarm` and `exec --scenario`: fixtures and `leaseWorld()` use this one world, in which the faults are, instead of leasing another',
  SVC_RUN_DIR:
    'an empty folder of the run, under `swarm` and `exec --scenario`: a client that they kill finds there what it has written when it is run again',
}

/** What the environment says to svc-sim, and what `exec` says to a command by it. */
export function environmentPage(): string {
  const rows = optionNames.map((name) => [
    `\`${variableOf(name)}\``,
    `\`${flagOf(name)}\``,
    optionSpecs[name].many ? 'list' : optionSpecs[name].takes ? 'text' : 'yes or no',
    commandsOf(optionSpecs[name]).join(', '),
  ])
  return `# Environment

## Variables for your client

\`svc-sim exec\` sets these for its command, \`svc-sim env\` prints them, and the fixtures of \`svc-sim/vitest\` read them. Commands that
ask a running simulator read \`SVC_BASE_URL\` and \`SVC_CONTROL_TOKEN\` if the option is given nowhere:

${table(
  ['Variable', 'Holds'],
  Object.entries(clientVariables).map(([name, holds]) => [`\`${name}\``, holds]),
)}

## Options as variables and in a file

The command line wins over the variable, and the variable over the file. The file is \`svc-sim.config.json\` in the folder where the
command is run, for example \`{ "port": 4000, "api-key": ["a", "b"] }\`. In a variable, commas separate the elements of a list, and an
empty variable counts as not set. A variable \`SVC_SIM_*\` that names no option is reported and ignored. [Commands](commands.md) says what each option does.

${table(['Variable', 'Key in the file', 'Value', 'Commands'], rows)}

${made}
`
}

/** Every route of both APIs, by group. */
export function routesPage(service: Shown, control: Shown): string {
  const part = (title: string, intro: string, document: Shown) => {
    const groups = document.tags.map(({ name, description }) => {
      const rows = operationsOf(document)
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ method, path, operation }) => [
          `\`${method} ${path}\``,
          `${operation.summary}. ${operation.description}`,
          parametersOf(operation),
        ])
      return `### ${name}\n\n${description}\n\n${table(['Route', 'Does', 'Takes in the query'], rows)}`
    })
    return `## ${title}\n\n${intro}\n\n${groups.join('\n\n')}`
  }
  return `# Routes

A running simulator serves the complete documents, with every field and example: \`/openapi.json\` (to try out at \`/docs\`) and
\`/_sim/openapi.json\` (at \`/_sim/openapi/\`).

${part('Service API', 'Send the API key as `Authorization: Bearer KEY`.', service)}

### Request bodies

The fields of each request, and an example. A field with \`?\` may be missing. Amounts are strings, in the smallest unit of the asset:
\`1000000\` is 1 USDC.

${bodiesOf(service)}

${part('Control API', 'Only the simulator has these routes. On loopback they need no token; see [Networks and access](../guides/access.md).', control)}

${made}
`
}

/** The fields of each request with a body, and an example. */
function bodiesOf(document: Shown): string {
  return operationsOf(document)
    .flatMap(({ method, path, operation }) => {
      const body = operation.requestBody?.content['application/json']
      if (!body) return []
      const { properties = {}, required = [] } = resolved(document, body.schema)
      const rows = Object.entries(properties).map(([name, field]) => [
        `\`${name}\`${required.includes(name) ? '' : '?'}`,
        valuesOf(resolved(document, field)),
        field.description ?? resolved(document, field).description ?? '-',
      ])
      const example = `\`\`\`json\n${JSON.stringify(body.example)}\n\`\`\``
      const head = `#### ${method} ${path}`
      return [`${head}\n\n${table(['Field', 'Value', 'Is'], rows)}\n\n${example}`]
    })
    .join('\n\n')
}

function resolved({ components }: Shown, schema: ShownSchema): ShownSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : components.schemas[name]!
}

/** What a field may be: the words of a list, otherwise its type. */
function valuesOf({ enum: words, type = 'object', items }: ShownSchema): string {
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  const types = [type].flat().join(' or ')
  return items ? `list of ${[items.type ?? 'object'].flat().join(' or ')}s` : types
}

function parametersOf({ parameters = [] }: ShownOperation): string {
  const named = parameters.filter((each) => each.in === 'query')
  return named.map(({ name, required }) => `\`${name}\`${required ? '' : '?'}`).join(', ') || '-'
}

function operationsOf({ paths }: Shown) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, ':$1'),
      operation,
    })),
  )
}

/** Every error code: with which status, what it means, and which routes document it. */
export function errorsPage(service: Shown, control: Shown): string {
  const codes = new Map<string, { statuses: Set<string>; means: Map<string, string[]> }>()
  const all = [...operationsOf(service), ...operationsOf(control)]
  for (const { method, path, operation } of all)
    for (const [status, { description }] of Object.entries(operation.responses))
      for (const [, code, meaning] of description.matchAll(/^`(\w+)`: (.*)$/gm)) {
        const { statuses, means } = codes.get(code!) ?? { statuses: new Set(), means: new Map() }
        statuses.add(status)
        means.set(meaning!, [...(means.get(meaning!) ?? []), `${method} ${path}`])
        codes.set(code!, { statuses, means })
      }
  const named = service.components.schemas.Error!.properties!.error!['x-extensible-enum']!
  const sections = [...codes].sort(byStatus).map(([code, { statuses, means }]) => {
    const rows = [...means].map(([meaning, routes]) => [meaning, routesOf(routes)])
    return `## ${code}\n\nStatus ${[...statuses].join(', ')}.\n\n${table(['Means', 'Routes'], rows)}`
  })
  const others = named.filter((code) => !codes.has(code)).map((code) => `\`${code}\``)
  return `# Error codes

Every error has a body of \`{"error": CODE, "message": TEXT}\`. The header \`x-svc-sim-hint\` adds what to do; only the simulator sends it.
[Faults](../faults.md#every-documented-error-on-purpose) has a way to cause each documented error. Not tied to a documented route:
${others.join(', ')}.

${sections.join('\n\n')}

${made}
`
}

type Coded = [string, { statuses: Set<string> }]

const byStatus = ([a, { statuses: x }]: Coded, [b, { statuses: y }]: Coded) =>
  `${[...x][0]} ${a}`.localeCompare(`${[...y][0]} ${b}`)

const routesOf = (routes: readonly string[]) =>
  routes.length > 4 ? `${routes.length} routes` : routes.map((route) => `\`${route}\``).join(', ')

/** Events of an account, and what the items of an activity report. */
export function eventsPage({ components: { schemas } }: Shown): string {
  const event = schemas.Event!.properties!
  const data = Object.entries(event.data!.properties!).map(([name, schema]) => [
    `\`data.${name}\``,
    schema.enum?.map((word) => `\`${word}\``).join(', ') ?? '-',
    schema.description ?? '-',
  ])
  const reported = Object.entries(schemas)
    .filter(([, { properties }]) => properties?.event_metadata && properties.event_type?.enum)
    .map(([, { properties }]) => [
      `\`${properties!.event_type!.enum!.join('`, `')}\``,
      fieldsOf(properties!.event_metadata!),
    ])
  return `# Events

\`GET /accounts/:account_id/events?since=CURSOR\` returns the events after a cursor, oldest first, and the next cursor. With \`poll=true\`
it waits for the first one, up to 25 seconds.

## Events of an account

Every event has \`event_type\` (\`${event.event_type!.enum!.join('`, `')}\`), \`timestamp\` (Unix seconds) and \`data\`:

${table(['Field', 'Values', 'Note'], data)}

## What an activity reports

\`GET /activities/:activity_id\` has one item per operation. Its \`semantic_events\` are decoded from the logs of the transaction. A field
with \`?\` may be missing.

${table(['event_type', 'event_metadata'], reported)}

${made}
`
}

function fieldsOf({ properties = {}, required = [] }: ShownSchema): string {
  const names = Object.keys(properties)
  return names.map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``).join(', ') || '-'
}
