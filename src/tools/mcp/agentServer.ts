import { Server } from '@modelcontextprotocol/sdk/server/index.js'
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
import { errorResult, resultOf } from './answer.js'
import { type JsonSchema, readOperations } from './documents.js'
import { prompts } from './prompts.js'
import { createResources, pageTemplate, type Resource } from './resources.js'
import type { Session } from './session.js'
import { callTool, listed, type Tools } from './tool.js'
import { createToolbox } from './toolbox.js'

/** What every session's server has in common. */
export interface AgentOptions {
  version: string
  /** The options of `start` that an agent may give; absent where the session stays with the simulator that serves it. */
  startInputs?: Readonly<Record<string, JsonSchema>>
  log: (line: string) => void
}

const instructions = (begin: string) =>
  `A local simulator of a sub-account plan service, on five real chains. ${begin} create an account (accounts), fund it, plan, execute; break things with faults, clock and prices; ask why. The resource svc-sim://skill tells how to test a client with it.`

/** Reads the documents once; makes the server of each session. It talks when it is connected to a transport. */
export function agentServers({ version, startInputs, log }: AgentOptions) {
  const operations = readOperations()
  const toolbox = createToolbox(operations, startInputs)
  const resources = createResources(operations)
  const begin = startInputs ? 'Start or attach with simulator; then' : 'It runs already:'
  return (session: Session): Server => {
    const tools: Tools = { session, operations }
    const server = new Server(
      { name: 'svc-sim', version },
      {
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions: instructions(begin),
      },
    )
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: toolbox.map((tool) => listed(tool, tools)),
    }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
      const tool = toolbox.find(({ name }) => name === params.name)
      const names = toolbox.map(({ name }) => name).join(', ')
      if (!tool) return errorResult(`There is no tool ${params.name}. Existing tools: ${names}.`)
      try {
        const outcome = await callTool(tool, params.arguments ?? {}, tools)
        return resultOf(outcome, session.where()?.url ?? '')
      } catch (error) {
        const { name, message, stack } = error as Error
        // Arguments are not in it: they may hold a key.
        if (name === 'TypeError') log(`${tool.name} failed: ${stack}`)
        return errorResult(message)
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
    const found = resources.find((resource) => resource.uri === uri)
    if (!found)
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no ${uri}. resources/list has them all.`,
      )
    return { contents: [{ uri, mimeType: found.mimeType, text: found.text() }] }
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
      const found = prompts.find((prompt) => prompt.name === name)
      const names = prompts.map((prompt) => prompt.name).join(', ')
      if (!found)
        throw new McpError(
          ErrorCode.InvalidParams,
          `There is no prompt ${name}. Existing prompts: ${names}.`,
        )
      const missing = found.arguments.filter((each) => given[each.name] === undefined)
      if (missing.length > 0)
        throw new McpError(
          ErrorCode.InvalidParams,
          `${name} needs ${missing.map((each) => each.name).join(', ')}.`,
        )
      const content = { type: 'text' as const, text: found.text(given) }
      return { description: found.description, messages: [{ role: 'user' as const, content }] }
    },
  )
}
