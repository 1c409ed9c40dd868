import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type AgentOptions, agentServers } from './agentServer.js'
import { createSession, type Keys } from './session.js'

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
