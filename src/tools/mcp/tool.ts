import type { ScenarioReply } from '../../clients/scenarios/target.js'
import { inputNames, type JsonSchema, type Operation } from './documents.js'
import type { Session } from './session.js'
import { ToolError } from './toolError.js'

/** Arguments as an agent sent them; checked for their names, and by the simulator for their values. */
export type Arguments = Readonly<Record<string, unknown>>

/** What a tool is given to work with. */
export interface Tools {
  session: Session
  operations: ReadonlyMap<string, Operation>
}

/** One thing that a tool does. */
export interface ToolAction {
  /** `POST /_sim/fund`: the operation that gives it arguments, text and, without `run`, what it does. */
  operation?: string
  /** What it does, when there is no operation or more is to be said. */
  text?: string
  /** Arguments beside those of the operation. */
  more?: Readonly<Record<string, JsonSchema>>
  /** Those without which it cannot be, when they are not those of the operation. */
  required?: readonly string[]
  /** It changes nothing; so does what stands for a GET. */
  reads?: boolean
  /** What an agent gets to see of the body of a success. */
  view?: (body: unknown, args: Arguments) => unknown
  /** What it does instead of sending its operation. */
  run?: (args: Arguments, tools: Tools) => Promise<ToolOutcome>
}

/** What came of a call: an answer of the simulator, or what a tool has to tell itself. */
export type ToolOutcome = ScenarioReply | ToolResult

/** Text as it is, anything else as JSON. */
export interface ToolResult {
  result: unknown
}

/** A tool of the agent: one action, or several between which the argument `action` chooses. */
export interface Tool {
  name: string
  /** For people, where a client lists its tools. */
  title: string
  description: string
  /** It can end or take back what there is, not only add to it. */
  destroys?: boolean
  actions: Readonly<Record<string, ToolAction>>
}

/**
 * Divides a tool into one that only reads, `read_NAME`, and one that changes something: clients ask their user before the latter, and need
 * not before the former.
 */
export function divided(tool: Tool): Tool[] {
  const actions = Object.entries(tool.actions)
  const reading = actions.filter(([, action]) => isReading(action))
  if (reading.length === 0 || reading.length === actions.length) return [tool]
  const { name, title, description } = tool
  return [
    { ...tool, actions: Object.fromEntries(actions.filter(([, action]) => !isReading(action))) },
    {
      name: `read_${name}`,
      title: `Read: ${title}`,
      description: `Changes nothing. ${description}`,
      actions: Object.fromEntries(reading),
    },
  ]
}

function isReading({ operation, reads }: ToolAction): boolean {
  return reads ?? operation?.startsWith('GET ') ?? false
}

/** The one action of a tool that has no choice. */
export const only = ''

/** The operation that an action stands for. A document without it is a defect: the two are made together. */
function operationNamed({ operations }: Pick<Tools, 'operations'>, name: string): Operation {
  const operation = operations.get(name)
  if (operation === undefined) throw new TypeError(`no OpenAPI document has ${name}`)
  return operation
}

/** Sends an operation, by its name, with its arguments as path, query and body want them; to the current world unless a wire is given. */
export function send(
  tools: Tools,
  name: string,
  args: Arguments,
  wire = tools.session.wire(),
): Promise<ScenarioReply> {
  const operation = operationNamed(tools, name)
  const { method, path, isControl, pathParameters, queryParameters } = operation
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(args[name])),
  )
  const query = new URLSearchParams()
  for (const name of queryParameters) if (name in args) query.set(name, String(args[name]))
  const asked = query.size > 0 ? `${filled}?${query}` : filled
  const rest = Object.entries(args).filter(
    ([name]) => !pathParameters.includes(name) && !queryParameters.includes(name),
  )
  const body = method === 'GET' || method === 'DELETE' ? undefined : Object.fromEntries(rest)
  if (isControl) return wire.ask(method, asked, body)
  return wire.send({ method, path: asked, body })
}

/** Carries out a call of a tool. Throws `ToolError` for arguments that it cannot have. */
export async function callTool(tool: Tool, args: Arguments, tools: Tools): Promise<ToolOutcome> {
  const { action: chosen = only, ...rest } = args
  const action = Object.hasOwn(tool.actions, String(chosen))
    ? tool.actions[String(chosen)]
    : undefined
  const names = Object.keys(tool.actions)
  const isSingle = names[0] === only
  if (action === undefined || (isSingle && 'action' in args))
    throw new ToolError(
      isSingle
        ? `${tool.name} has no actions; leave the argument action out.`
        : `${tool.name} has no action ${JSON.stringify(chosen)}. Give one of: ${names.join(', ')}.`,
    )
  const { inputs, required } = inputsOf(action, tools)
  const called = isSingle ? tool.name : `${tool.name} with action ${chosen}`
  const unknown = Object.keys(rest).filter((name) => !Object.hasOwn(inputs, name))
  if (unknown.length > 0)
    throw new ToolError(
      `${called} knows no ${unknown.join(', ')}. It takes: ${Object.keys(inputs).join(', ') || 'nothing'}.`,
    )
  const missing = required.filter((name) => rest[name] === undefined)
  if (missing.length > 0)
    throw new ToolError(
      `${called} needs ${missing.join(', ')}. ${missing.map((name) => descriptionOf(name, inputs[name])).join(' ')}`,
    )
  if (action.run) return action.run(rest, tools)
  const reply = await send(tools, action.operation!, rest)
  const isSuccess = reply.status >= 200 && reply.status < 300
  return action.view && isSuccess ? { ...reply, body: action.view(reply.body, rest) } : reply
}

function descriptionOf(name: string, schema: JsonSchema | undefined): string {
  return `${name}: ${schema?.description ?? JSON.stringify(schema)}`
}

function inputsOf(
  { operation, more = {}, required }: ToolAction,
  tools: Pick<Tools, 'operations'>,
): Pick<Operation, 'inputs' | 'required'> {
  const from = operation === undefined ? undefined : operationNamed(tools, operation)
  return {
    inputs: { ...from?.inputs, ...more },
    required: required ?? from?.required ?? [],
  }
}

/** The tool as it is listed. All actions' arguments stand side by side: many clients take no schema with alternatives at its top. */
export function listed(tool: Tool, tools: Pick<Tools, 'operations'>) {
  const actions = Object.entries(tool.actions)
  const each = actions.map(([, action]) => inputsOf(action, tools))
  const isSingle = actions[0]?.[0] === only
  const choice = { type: 'string', enum: actions.map(([name]) => name) }
  const lines = isSingle ? [] : actions.map(([name, action]) => lineOf(name, action, tools))
  const isReadOnly = actions.every(([, action]) => isReading(action))
  return {
    name: tool.name,
    title: tool.title,
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: tool.destroys ?? false,
      openWorldHint: false,
    },
    description: [tool.description, ...lines].join('\n'),
    inputSchema: {
      type: 'object' as const,
      properties: {
        ...(isSingle ? {} : { action: choice }),
        ...(brief(Object.assign({}, ...each.map(({ inputs }) => inputs))) as object),
      },
      required: isSingle ? [...(each[0]?.required ?? [])] : ['action'],
      additionalProperties: false,
    },
  }
}

/** Parts of a schema that help nobody who writes a value: the simulator checks it and says what is allowed. */
const leftOut = [
  ...['example', 'pattern', 'discriminator', 'title', 'format', 'default'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
]

/**
 * A schema as an agent needs it, who reads every word of the list at the beginning of each session: of a description its first sentence. The
 * whole is in the resources. Of alternatives only their types stay. A property may have the name of a keyword; its value is an object then.
 */
export function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(brief)
  if (typeof value !== 'object' || value === null) return value
  const { anyOf, ...others } = value as { anyOf?: { type?: string }[] }
  if (Array.isArray(anyOf) && anyOf.every(({ type }) => typeof type === 'string'))
    return { type: [...new Set(anyOf.map(({ type }) => type))], ...(brief(others) as object) }
  const kept = Object.entries(value).filter(
    ([name, each]) => typeof each === 'object' || !leftOut.includes(name),
  )
  return Object.fromEntries(
    kept.map(([name, each]) => [
      name,
      name === 'description' && typeof each === 'string' ? firstSentence(each) : brief(each),
    ]),
  )
}

function firstSentence(text: string): string {
  const plain = text.replace(/ \(default[^)]*\)/g, '')
  return /^.*?[.;:](?=\s)/s.exec(plain)?.[0].replace(/[;:]$/, '.') ?? plain
}

/** More arguments than these are not named in the line of an action: they stand in the schema. */
const maxNamed = 8

/** `- advance (seconds): Let time pass.`. What else is to be said of it is in the resource `interface`. */
function lineOf(name: string, action: ToolAction, tools: Pick<Tools, 'operations'>): string {
  const names = inputNames(inputsOf(action, tools))
  const named = names.length > maxNamed ? [...names.slice(0, maxNamed - 1), '...'] : names
  const takes = named.length > 0 ? ` (${named.join(', ')})` : ''
  const said = action.operation && operationNamed(tools, action.operation)
  const text = [said && `${said.summary}.`, action.text].filter(Boolean)
  return `- ${name}${takes}: ${text.join(' ')}`
}
