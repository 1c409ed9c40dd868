import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Express } from 'express'
import pTimeout from 'p-timeout'
import { problems } from '../../lib/errors.js'
import { inBackground } from '../../lib/keepProcessAlive.js'
import { isTooLarge, toOriginForm } from '../core/request.js'
import {
  answerRaw,
  declineUpgrade,
  isRpcSocket,
  type ParserError,
  refuseBytes,
} from './declineUpgrade.js'
import { createMessages, type Messages } from './messages.js'

/** Answers requests once the simulator is ready. */
export interface HttpHandler {
  handle(req: IncomingMessage, res: ServerResponse): void
  /** Takes a WebSocket over; false when it will not, and the request is to be answered as a plain one. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /** An id for a request that is refused before `handle`. */
  requestId(): string
  /** The app that serves most requests: they have its prototypes from the start. */
  app?: Express | undefined
}

export interface Listening {
  url: string
  /** From now on requests are answered by it; what waited is answered first. */
  serve(handler: HttpHandler): void
  /**
   * Refuses new connections, and resolves when every request inside has its response: 408 for one that takes longer than `patienceMs` or still
   * waits for the handler.
   */
  drain(patienceMs: number): Promise<void>
  /** Stops listening and drops open connections. */
  close(): Promise<void>
}

export class PortInUseError extends Error {
  override name = 'PortInUseError'
}

export interface ListenAddress {
  host: string
  port: number
  /** The option that says the port, for the error when it is taken. */
  flag?: string
  /** Maps the path and query of a client. Applied to its own result, it changes nothing. */
  route?: (url: string) => string
}

/**
 * Listens before anything else runs, so that an occupied port fails at once and liveness can be read. Until `serve` is called only the health
 * routes answer (`starting`); other requests wait. `localhost` listens on 127.0.0.1 and, where the machine has it, on ::1.
 */
export async function listen(
  { host, port, flag = '--port (0 takes a free one)', route = (url) => url }: ListenAddress,
  starting: (req: IncomingMessage, res: ServerResponse) => boolean,
): Promise<Listening> {
  const { make, asListening } = behindOneHandler(route, starting)
  const [first, ...others] = host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
  const main = await bind(make(), { host: first!, port, flag })
  const bound = (main.server.address() as AddressInfo).port
  const servers = [main]
  for (const other of others) {
    const extra = await bind(make(), { host: other, port: bound, flag }).catch(
      async (error: Error) => {
        if (!(error instanceof PortInUseError)) return undefined
        await closeServer(main)
        throw error
      },
    )
    if (extra) servers.push(extra)
  }
  return asListening(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`, servers)
}

/** Listens on a socket of this machine, for requests that somebody in front passes on; they wait until `serve` is called. */
export async function listenOnSocket(path: string): Promise<Listening> {
  const { make, asListening } = behindOneHandler(
    (url) => url,
    () => false,
  )
  const bound = make()
  await new Promise<void>((resolve, reject) => {
    bound.server.once('error', reject)
    bound.server.listen(path, resolve)
  })
  return asListening(path, [bound])
}

/** Servers that share one handler. Requests wait until it is set. */
function behindOneHandler(
  route: (url: string) => string,
  starting: (req: IncomingMessage, res: ServerResponse) => boolean,
) {
  let ready: (handler: HttpHandler) => void = () => {}
  const messages = createMessages()
  const handler = new Promise<HttpHandler>((resolve) => {
    ready = resolve
  })
  let current: HttpHandler | undefined
  void handler.then((value) => {
    current = value
  })
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    if (current) current.handle(req, res)
    else if (!starting(req, res)) void handler.then((value) => value.handle(req, res))
  }
  return {
    make: (): Bound =>
      makeServer(handle, handler, {
        route,
        requestId: () => current?.requestId(),
        classes: messages.classes,
      }),
    asListening: (url: string, servers: readonly Bound[]): Listening => ({
      url,
      serve(handler) {
        if (handler.app) messages.serveBy(handler.app)
        ready(handler)
      },
      async drain(patienceMs) {
        await Promise.all(servers.map((each) => drainServer(each, current ? patienceMs : 0)))
      },
      async close() {
        await Promise.all(servers.map(closeServer))
      },
    }),
  }
}

/** A server that speaks HTTP/1.1 and nothing else, but for the WebSockets that `handler` takes over. */
function makeServer(
  handle: (req: IncomingMessage, res: ServerResponse) => void,
  handler: Promise<HttpHandler>,
  {
    requestId,
    route,
    classes,
  }: {
    requestId(): string | undefined
    route(url: string): string
    classes: Messages['classes']
  },
): Bound {
  const sockets = new Set<Duplex>()
  const inside = createInside()
  /** The latest response of each connection; earlier ones were sent. */
  const answers = new WeakMap<Duplex, ServerResponse>()
  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    answers.set(req.socket, res)
    inside.enter(res)
    if (!req.url?.startsWith('/')) toOriginForm(req)
    req.url = route(req.url ?? '/')
    handle(req, res)
  }
  // A request without Host is refused by the app, which says why.
  const server = inBackground(createServer({ requireHostHeader: false, ...classes }, listener))
  // Clients keep connections between requests, Go's for 90 seconds. The client must close first, or its request may meet a closed connection.
  server.keepAliveTimeout = 95_000
  // Other expectations than 100-continue may be ignored (RFC 9110, 10.1.1); Node would answer 417 without a word.
  server.on('checkExpectation', listener)
  server.on('checkContinue', (req, res) => {
    toOriginForm(req)
    // A body that is too large is refused before it is sent; the client may send it all the same, so the connection ends.
    if (isTooLarge(req)) res.shouldKeepAlive = false
    else res.writeContinue()
    listener(req, res)
  })
  server.on('connection', (socket) => {
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      inside.lost(socket)
    })
    // While the connection is handed over for an upgrade, nothing else listens for errors.
    socket.on('error', ignore)
  })
  server.on('upgrade', (req, socket, head) => {
    const { method, url, httpVersion, rawHeaders } = req
    toOriginForm(req)
    req.url = route(req.url ?? '/')
    const earlier = answers.get(socket)
    // The head as it was sent: the host may be named in the URL alone.
    const sent = { method, url, httpVersion, rawHeaders }
    const plain = (): void => declineUpgrade(server, sent, socket, { head, earlier })
    const take = (value: HttpHandler): void => {
      if (!value.upgrade(req, socket, head)) plain()
    }
    const whenAnswered = (value: HttpHandler): void => {
      if (earlier === undefined || earlier.closed) take(value)
      else earlier.once('close', () => take(value))
    }
    if (isRpcSocket(req)) void handler.then(whenAnswered).catch(() => socket.destroy())
    else plain()
  })
  server.on('connect', (_req, socket) => {
    const message = 'CONNECT is not allowed: this is no proxy'
    answerRaw(socket, { code: 'method_not_allowed', message }, requestId())
  })
  const refused = new WeakSet<Duplex>()
  server.on('clientError', (error: ParserError, socket) => {
    // The parser complains about every packet that follows.
    if (refused.has(socket)) return
    refused.add(socket)
    refuseBytes(error, socket, { earlier: answers.get(socket), requestId })
  })
  return { server, sockets, inside }
}

/** A server, all its connections, and the requests that it has not answered yet. */
interface Bound {
  server: Server
  sockets: ReadonlySet<Duplex>
  inside: ReturnType<typeof createInside>
}

/** The requests that are not answered yet. */
function createInside() {
  const open = new Set<ServerResponse>()
  let onEmpty = (): void => {}
  let isLast = false
  return {
    enter(res: ServerResponse): void {
      open.add(res)
      if (isLast) res.shouldKeepAlive = false
      res.once('close', () => {
        open.delete(res)
        if (open.size === 0) onEmpty()
      })
    },
    /** Ends those that wait behind another answer of a connection that has closed: Node says nothing to them. */
    lost(socket: Duplex): void {
      for (const res of open) if (res.req.socket === socket && !res.socket) res.emit('close')
    },
    /** Each response closes its connection from now on. */
    expectNoMore(): void {
      isLast = true
      for (const res of open) if (!res.headersSent) res.shouldKeepAlive = false
    },
    /** Resolves when every request is answered. */
    answered: () =>
      new Promise<void>((resolve) => {
        onEmpty = resolve
        if (open.size === 0) resolve()
      }),
    refuse(): void {
      for (const res of open) if (!res.headersSent) answerLate(res)
    },
  }
}

/** The response to requests that the shutdown interrupted. */
const stopped = {
  error: 'timeout',
  message: 'The simulator is being stopped; this request did not come to its end in time',
}

function answerLate(res: ServerResponse): void {
  res.writeHead(problems.timeout.status, { 'content-type': 'application/json; charset=utf-8' })
  res.end(JSON.stringify(stopped))
}

function ignore(): void {}

function bind(
  bound: Bound,
  { host, port, flag }: { host: string; port: number; flag: string },
): Promise<Bound> {
  const { server } = bound
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new PortInUseError(
              `port ${port} on ${host} is in use; stop what listens there, or choose another with ${flag}`,
            )
          : error,
      )
    })
    server.listen(port, host, () => resolve(bound))
  })
}

/** How long the last answers may take to leave. Milliseconds. */
const leaveWithinMs = 200

async function drainServer({ server, inside }: Bound, patienceMs: number): Promise<void> {
  // One turn to accept the waiting connections, one to read what they have sent.
  await nextTurn()
  server.close()
  inside.expectNoMore()
  await nextTurn()
  const within = (milliseconds: number) =>
    pTimeout(inside.answered(), { milliseconds, fallback: () => {} })
  if (patienceMs > 0) await within(patienceMs)
  inside.refuse()
  await within(leaveWithinMs)
}

function closeServer({ server, sockets }: Bound): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    // Also those that Node has handed over for an upgrade.
    for (const socket of sockets) socket.destroy()
  })
}
