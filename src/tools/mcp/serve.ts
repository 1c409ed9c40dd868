import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type AgentOptions, agentServers } from './agentServer.js'
import { createSession, type Keys } from './session.js'

/** What the command line tells the server of agents. */
export interface ServeOptions extends AgentOptions {
  /** The file of the command line, which `start` runs. */
  program: string
  keys: Keys
  /** The simulator to begin with; without one the agent starts or finds it. */
  url: string | undefined
  input: Readable
  output: Writable
}

/** Serves the tools and resources of the simulator by the Model Context Protocol. Only messages of it go to `output`. */
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
    /** Ends it, and the simulator that it has started. */
    async close(): Promise<void> {
      await session.stop()
      await server.close()
    },
  }
}
