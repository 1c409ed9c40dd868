import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { coarseTimeout } from '../../lib/coarseTimeout.js'

export interface RelayTarget {
  socketPath: string
  /** Path and query as the world knows them. */
  url: string
}

export type Relay = ReturnType<typeof createRelay>

/** Headers of a connection and not of its messages (RFC 9110, 7.6.1). Each side frames its own messages. */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'expect'])
const ofResponseConnection = new Set([...ofConnection, 'transfer-encoding'])

/** Passes requests on to the worlds of this machine by streaming: no body is read or copied. */
export function createRelay() {
  // Idle connections are closed before the world closes them (`keepAliveTimeout` in listen.ts): a request sent at that moment would be lost.
  const agent = new Agent({ keepAlive: true, timeout: 60_000 })
  return {
    /**
     * If the client disconnects, the request to the world ends too; a response that breaks off there breaks off here. `unreached` is called
     * instead when the world takes no connections.
     */
    pass(
      req: IncomingMessage,
      res: ServerResponse,
      { socketPath, url: path }: RelayTarget,
      unreached: () => void,
    ): void {
      const { method } = req
      const headers = [...without(ofConnection, req.rawHeaders), ...framing(req)]
      const there = request({ socketPath, path, method, headers, agent })
      onFailure(there, res, socketPath, unreached)
      there.on('response', (response) => passBack(response, res))
      res.once('close', () => {
        there.destroy()
        // Drain the unread body so that the connection can be reused.
        req.unpipe(there).resume()
      })
      req.pipe(there)
    },
    /** The same for a request that offers an upgrade. If the world refuses it, the client gets the refusal and its connection ends. */
    upgrade(
      req: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      { socketPath, url: path }: RelayTarget,
      unreached: () => void,
    ): void {
      const { method, rawHeaders: headers } = req
      const there = request({ socketPath, path, method, headers, agent: false })
      const cut = (): void => void socket.destroy()
      onFailure(there, socket, socketPath, unreached)
      socket.once('close', () => there.destroy())
      there.on('response', (response) => {
        const kept = without(ofConnection, response.rawHeaders)
        socket.write(headOf(response, kept, ['connection: close']))
        response.on('error', cut)
        response.pipe(socket)
      })
      there.on('upgrade', (response, other, otherHead) => {
        other.on('error', cut)
        other.once('close', cut)
        socket.once('close', () => other.destroy())
        socket.write(headOf(response, response.rawHeaders))
        socket.write(otherHead)
        other.write(head)
        other.pipe(socket).pipe(other)
      })
      there.end()
    },
    /** Closes idle connections. */
    close: () => void agent.destroy(),
  }
}

/** Says when a world takes no connections; cuts a response that has begun, and one that the world itself has cut. */
function onFailure(
  there: ClientRequest,
  client: Duplex | ServerResponse,
  socketPath: string,
  unreached: () => void,
): void {
  let hasBegun = false
  const begin = (): void => {
    hasBegun = true
  }
  there.once('response', begin).once('upgrade', begin)
  there.on('error', async () => {
    if (client.destroyed) return
    if (hasBegun || (await takesConnections(socketPath))) client.destroy()
    else unreached()
  })
}

/** A body is framed as it came; where there is none, nothing is left to guess. */
function framing({ method = '', headers }: IncomingMessage): string[] {
  const hasBody =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return hasBody || !/^(POST|PUT|PATCH)$/.test(method) ? [] : ['content-length', '0']
}

/** A process that is being killed may still take a connection, and drops it at once. Milliseconds. */
const dropsWithinMs = 50

/** Whether a living process listens there. */
function takesConnections(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path })
    const end = (isOpen: boolean): void => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => coarseTimeout(dropsWithinMs, () => end(true)))
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
  })
}

function passBack(response: IncomingMessage, res: ServerResponse): void {
  res.sendDate = false
  const headers = without(ofResponseConnection, response.rawHeaders)
  if (response.headers.connection === 'close') res.shouldKeepAlive = false
  res.writeHead(response.statusCode!, response.statusMessage, headers)
  // A stream may have nothing to say for long.
  if (response.headers['content-length'] === undefined) res.flushHeaders()
  response.once('close', () => {
    if (!response.complete) res.destroy()
  })
  response.on('error', () => {}) // its `close` follows
  response.pipe(res)
}

/** Names and values in turn, as Node gives them, without those of these names. */
function without(names: ReadonlySet<string>, raw: readonly string[]): string[] {
  return raw.filter((_, i) => !names.has(raw[i - (i % 2)]!.toLowerCase()))
}

/** The head of a response as bytes, for a connection on which Node has no response. */
function headOf(response: IncomingMessage, raw: readonly string[], more: readonly string[] = []) {
  const lines = raw.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${raw[i + 1]}`] : []))
  const first = `HTTP/1.1 ${response.statusCode} ${response.statusMessage}`
  return Buffer.from(`${[first, ...lines, ...more].join('\r\n')}\r\n\r\n`, 'latin1')
}
