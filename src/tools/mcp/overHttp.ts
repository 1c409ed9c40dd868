import { randomUUID } from 'node:crypto'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Request, RequestHandler, Response } from 'express'
import type { ScenarioTarget } from '../../clients/scenarios/target.js'
import { readJson } from '../../http/pipeline/body.js'
import { ServiceError } from '../../lib/errors.js'
import { packageFile } from '../../lib/files/packageFile.js'
import { type AgentOptions, agentServers } from './agentServer.js'
import { createSession } from './session.js'

/** Beyond these, the session that was used longest ago ends. */
export const maxSessions = 64

/** A session that nobody uses for so long ends. Milliseconds of the machine's time. */
export const sessionIdleMs = 30 * 60_000

const sessionHeader = 'mcp-session-id'

interface OpenSession {
  transport: StreamableHTTPServerTransport
  /** Requests and streams of it that are open now: it is not idle. */
  open: number
  idle: NodeJS.Timeout
}

/**
 * Serves the Model Context Protocol over streamable HTTP. Every session drives the simulator at `target`, which serves it, and can neither
 * start nor attach to another. All sessions end when `stopping` is aborted. Who may call is for the app to say that mounts it.
 *
 * Passes on 404 `not_found` for a session that has ended, whose client begins a new one, and the errors of `readJson`.
 */
export function agentsOverHttp(
  options: Omit<AgentOptions, 'startInputs'>,
  target: ScenarioTarget,
  stopping: AbortSignal,
): RequestHandler {
  const newServer = agentServers(options)
  // By their ids; the one used last is the last.
  const sessions = new Map<string, OpenSession>()
  const end = (id: string): void => {
    const ended = sessions.get(id)
    if (!ended || !sessions.delete(id)) return
    clearTimeout(ended.idle)
    void ended.transport.close()
  }
  const endIdle = (id: string): void => {
    const session = sessions.get(id)
    if (session && session.open > 0) session.idle.refresh()
    else end(id)
  }
  const keep = (id: string, transport: StreamableHTTPServerTransport): void => {
    const idle = setTimeout(endIdle, sessionIdleMs, id).unref()
    sessions.set(id, { transport, open: 0, idle })
    const [oldest] = sessions.keys()
    if (sessions.size > maxSessions && oldest !== undefined) end(oldest)
    if (stopping.aborted) end(id)
  }
  const use = (id: string, res: Response): StreamableHTTPServerTransport => {
    const session = sessions.get(id)
    if (!session) throw unknownSession(id)
    sessions.delete(id)
    sessions.set(id, session)
    session.idle.refresh()
    session.open += 1
    res.once('close', () => {
      session.open -= 1
    })
    return session.transport
  }
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => keep(id, transport),
      onsessionclosed: end,
    })
    const { url, ...keys } = target
    await newServer(createSession(packageFile('dist/cli/main.js'), keys, url)).connect(transport)
    return transport
  }
  const answer = async (req: Request, res: Response): Promise<void> => {
    const body = await readJson(req, res)
    const id = req.get(sessionHeader)
    const transport = id === undefined ? await begin() : use(id, res)
    await transport.handleRequest(req, res, body)
    // It was no initialize: the transport has refused it.
    if (transport.sessionId === undefined) await transport.close()
  }
  stopping.addEventListener('abort', () => {
    for (const id of [...sessions.keys()]) end(id)
  })
  return (req, res, next) => void answer(req, res).catch(next)
}

function unknownSession(id: string): ServiceError {
  return new ServiceError('not_found', `There is no MCP session ${id.slice(0, 40)}`, {
    hint: `It has ended: ${sessionIdleMs / 60_000} minutes passed without a request, or ${maxSessions} newer ones are open. Send initialize without ${sessionHeader} to start another.`,
  })
}
