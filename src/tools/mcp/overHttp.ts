import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { RequestHandler } from 'express'
import type { ScenarioTarget } from '../../clients/scenarios/target.js'
import { readJson } from '../../http/pipeline/body.js'
import { packageFile } from '../../lib/files/packageFile.js'
import { type AgentOptions, agentServers } from './agentServer.js'
import { createSession } from './session.js'

/**
 * Serves the Model Context Protocol over streamable HTTP, without sessions, so that agents survive a restart. Every agent drives the
 * simulator at `target`, which serves it, and can neither start nor attach to another. The app that mounts it decides who may call.
 *
 * Passes on the errors of `readJson`. GET and DELETE are 405: there is no stream to open, and no session to end.
 */
export function agentsOverHttp(
  options: Omit<AgentOptions, 'startInputs'>,
  { url, ...keys }: ScenarioTarget,
): RequestHandler {
  const newServer = agentServers(options)
  const program = packageFile('dist/cli/main.js')
  return async (req, res, next) => {
    try {
      if (req.method !== 'POST') {
        const message = `Method ${req.method.slice(0, 20)} is not allowed: there are no sessions. Send messages with POST.`
        const error = { code: -32000, message }
        res.status(405).set('allow', 'POST').json({ jsonrpc: '2.0', error, id: null })
        return
      }
      const body = await readJson(req, res)
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
      const server = newServer(createSession(program, keys, url))
      res.once('close', () => void server.close())
      await server.connect(transport as Parameters<typeof server.connect>[0])
      await transport.handleRequest(req, res, body)
    } catch (error) {
      next(error)
    }
  }
}
