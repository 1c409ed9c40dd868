import type { Readable, Writable } from 'node:stream'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { SvcError } from '../../clients/client/svcError.js'
import type { ScenarioReply } from '../../clients/scenarios/target.js'
import { type JsonSchema, type Operation, readOperations } from './documents.js'
import { operationTools } from './operations.js'
import { planTools } from './plans.js'
import { createResources, pageTemplate, prompts, type Resource } from './resources.js'
import type { Session } from './session.js'
import { createSession, type Keys } from './session.js'
import { simulatorTools } from './simulator.js'
import { callTool, listed, type Tool, type ToolOutcome } from './tool.js'

export interface AgentOptions {
  version: string
  /** The options of `start` that an agent may give; absent over HTTP, where a simulator is running. */
  startInputs?: Readonly<Record<string, JsonSchema>>
  log: (line: string) => void
}

const instructions = (begin: string) =>
  `A local simulator of a sub-account plan service, on five real chains. ${begin} create_account, fund_wallet, plan, execute; break things with add_fault, advance_clock and set_price; explain what happened. The resource svc-sim://skill tells how to test a client with it.`

/** Inputs, titles and annotations follow from the OpenAPI documents. */
export function createTools(
  operations: ReadonlyMap<string, Operation>,
  startInputs?: Readonly<Record<string, JsonSchema>>,
): Tool[] {
  return [
    ...(startInputs ? simulatorTools(startInputs) : []),
    ...planTools(operations),
    ...operationTools(operations),
  ]
}

export function agentServers({ version, startInputs, log }: AgentOptions) {
  const operations = readOperations()
  const toolbox = createTools(operations, startInputs)
  const resources = createResources(operations)
  const begin = startInputs ? 'start_simulator or attach_simulator; then' : 'It runs already:'
  return (session: Session): Server => {
    const server = new Server(
      { name: 'svc-sim', version },
      {
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions: instructions(begin),
      },
    )
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: toolbox.map(listed),
    }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
      const tool = toolbox.find(({ name }) => name === params.name)
      const names = toolbox.map(({ name }) => name).join(', ')
      if (!tool) return errorResult(`There is no tool ${params.name}. Existing tools: ${names}.`)
      try {
        const outcome = await callTool(tool, params.arguments ?? {}, session)
        return resultOf(outcome, session.url())
      } catch (error) {
        const { name, message, stack } = error as Error
        // Arguments are not in it: they may hold a key.
        if (name === 'TypeError') log(`${tool.name} failed: ${stack}`)
        return errorResult(error instanceof SvcError ? textOfRefusal(error) : message)
      }
    })
    serveResources(server, resources)
    servePrompts(server)
    // What it says may repeat a part of the message, and that may hold a key.
    server.onerror = ({ name }) => log(`a message of the client cannot be used (${name})`)
    return server
  }
}

function serveResources(server: Server, resources: readonly Resource[]): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.map(({ text: _, ...resource }) => resource),
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const resource = resources.find((each) => each.uri === uri)
    if (!resource)
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no ${uri}. resources/list has them all.`,
      )
    return { contents: [{ uri, mimeType: resource.mimeType, text: resource.text() }] }
  })
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [pageTemplate],
  }))
}

function servePrompts(server: Server): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ text: _, arguments: args, ...prompt }) => ({
      ...prompt,
      arguments: [...args],
    })),
  }))
  server.setRequestHandler(
    GetPromptRequestSchema,
    ({ params: { name, arguments: given = {} } }) => {
      const prompt = prompts.find((each) => each.name === name)
      const names = prompts.map((each) => each.name).join(', ')
      if (!prompt)
        throw new McpError(
          ErrorCode.InvalidParams,
          `There is no prompt ${name}. Existing prompts: ${names}.`,
        )
      const missing = prompt.arguments.filter((each) => given[each.name] === undefined)
      if (missing.length > 0)
        throw new McpError(
          ErrorCode.InvalidParams,
          `${name} needs ${missing.map((each) => each.name).join(', ')}.`,
        )
      const content = { type: 'text' as const, text: prompt.text(given) }
      return { description: prompt.description, messages: [{ role: 'user' as const, content }] }
    },
  )
}

/** Longer texts, above all calldata, are cut to save the agent's context. */
const textLimit = 400

const answerLimit = 40_000

/** The body, hints and fired faults of a response; of an error its code and hint. */
function resultOf(outcome: ToolOutcome, url: string): CallToolResult {
  if ('result' in outcome) return textResult([textOf(outcome.result)])
  const { status, body, headers, cut } = outcome
  if (cut) return textResult([cutText(outcome, url)], true)
  const hint = headers['x-svc-sim-hint']
  const fault = headers['x-svc-sim-fault']
  const beside = [
    hint === undefined ? [] : `hint: ${hint}`,
    fault === undefined ? [] : `fault rules that fired: ${fault}`,
  ].flat()
  if (status >= 200 && status < 300) return textResult([textOf(body), ...beside])
  const { error, message } = (body ?? {}) as { error?: string; message?: string }
  const what = error === undefined ? textOf(body) : `${error}: ${message}`
  return textResult([`${status} ${what}`, ...beside], true)
}

function textOfRefusal({ status, code, message, hint }: SvcError): string {
  return [`${status} ${code}: ${message}`, ...(hint === undefined ? [] : [`hint: ${hint}`])].join(
    '\n',
  )
}

function errorResult(message: string): CallToolResult {
  return textResult([message], true)
}

function cutText({ why }: ScenarioReply, url: string): string {
  return `No complete answer came from the simulator at ${url} (${why}). A fault that cuts connections does that; so does a simulator that is gone: see call with getReadiness.`
}

function textResult(texts: readonly string[], isError = false): CallToolResult {
  return {
    content: texts.map((text) => ({ type: 'text', text: shorten(text, answerLimit) })),
    ...(isError ? { isError } : {}),
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'string' ? shorten(member, textLimit) : member,
  )
}

function shorten(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : `${text.slice(0, limit)}... (cut here; ${text.length} characters)`
}

export interface ServeOptions extends AgentOptions {
  program: string
  keys: Keys
  /** A running simulator. Without it, the agent starts or finds one. */
  url: string | undefined
  input: Readable
  output: Writable
}

/** Serves the Model Context Protocol. Only its messages go to `output`. */
export async function serveAgents(options: ServeOptions) {
  const { program, keys, url, input, output } = options
  const session = createSession(program, keys, url)
  const server = agentServers(options)(session)
  const gone = new Promise<void>((resolve) => {
    for (const end of ['end', 'close', 'error']) input.once(end, () => resolve())
    output.once('error', () => resolve())
  })
  await server.connect(new StdioServerTransport(input, output))
  return {
    /** Resolves when the client has closed its end. */
    gone,
    async close(): Promise<void> {
      await session.stop()
      await server.close()
    },
  }
}
