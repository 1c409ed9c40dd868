import type { ScenarioReply } from '../../clients/scenarios/target.js'
import type { JsonSchema } from './documents.js'
import { type Session, ToolError } from './session.js'

/** Their names are checked here, their values by the simulator. */
export type Arguments = Readonly<Record<string, unknown>>

export type ToolOutcome = ScenarioReply | { result: unknown }

export interface Tool {
  name: string
  /** For the list of tools in a client. */
  title: string
  description: string
  inputs: Readonly<Record<string, JsonSchema>>
  required: readonly string[]
  /** Clients call it without asking their user. */
  isReadOnly?: boolean
  isDestructive?: boolean
  run(args: Arguments, session: Session): Promise<ToolOutcome>
}

export async function callTool(tool: Tool, args: Arguments, session: Session) {
  checkArguments(tool, args)
  return tool.run(args, session)
}

export function checkArguments(
  { name, inputs, required }: Pick<Tool, 'name' | 'inputs' | 'required'>,
  args: Arguments,
): void {
  const unknown = Object.keys(args).filter((each) => !Object.hasOwn(inputs, each))
  if (unknown.length > 0)
    throw new ToolError(
      `${name} has no argument ${unknown.join(', ')}. It takes: ${Object.keys(inputs).join(', ') || 'nothing'}.`,
    )
  const missing = required.filter((each) => args[each] === undefined)
  if (missing.length > 0)
    throw new ToolError(
      `${name} needs ${missing.join(', ')}. ${missing.map((each) => `${each}: ${inputs[each]?.description ?? JSON.stringify(inputs[each])}`).join(' ')}`,
    )
  for (const [argument, value] of Object.entries(args))
    if (inputs[argument]?.type === 'object' && !isObject(value))
      throw new ToolError(
        `${argument} is ${typeof value === 'string' ? 'text' : JSON.stringify(value)}, but must be an object${fieldsOf(inputs[argument]!)}. Send it as JSON, not as a string.`,
      )
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldsOf({ properties }: JsonSchema): string {
  const names = Object.keys((properties ?? {}) as object)
  // The intent of a plan has all fields of all kinds: no help.
  return names.length > 0 && names.length <= 12 ? ` with ${names.join(', ')}` : ''
}

export function listed({
  name,
  title,
  description,
  inputs,
  required,
  isReadOnly = false,
  isDestructive = false,
}: Tool) {
  return {
    name,
    title,
    description,
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: isDestructive,
      openWorldHint: false,
    },
    inputSchema: {
      type: 'object' as const,
      properties: brief(inputs) as Record<string, object>,
      required: [...required],
      additionalProperties: false,
    },
  }
}

/** Keywords that do not help to write a value: the simulator checks it and says what is allowed. */
const leftOut = [
  ...['example', 'pattern', 'discriminator', 'title', 'format', 'default'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
]

/**
 * A schema shortened for agents, which read the whole list in each session: the first sentence of a description, and of alternatives their
 * types. The resources have the rest. A property may have the name of a keyword; its value is an object then.
 */
export function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(brief)
  if (typeof value !== 'object' || value === null) return value
  const { anyOf, ...others } = value as { anyOf?: { type?: string }[] }
  if (Array.isArray(anyOf) && anyOf.every(({ type }) => typeof type === 'string'))
    return { type: [...new Set(anyOf.map(({ type }) => type))], ...(brief(others) as object) }
  const entries = Object.entries(value).filter(
    ([name, member]) => typeof member === 'object' || !leftOut.includes(name),
  )
  return Object.fromEntries(
    entries.map(([name, member]) => [
      name,
      name === 'description' && typeof member === 'string' ? firstSentence(member) : brief(member),
    ]),
  )
}

export function firstSentence(text: string): string {
  const plain = text.replace(/ \(default[^)]*\)/g, '')
  return /^.*?[.;:](?=\s)/s.exec(plain)?.[0].replace(/[;:]$/, '.') ?? plain
}
