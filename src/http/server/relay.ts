import {
  Agent,
  type AgentOptions,
  type ClientRequest,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { coarseTimeout } from '../../lib/coarseTimeout.js'

/** Who answers: a socket of this machine, or a place in the network. */
export type RelayAddress = { socketPath: string } | { host: string; port: number }

/** Where a request goes, and what stands in its first line. */
export interface RelayTarget {
  address: RelayAddress
  url: string
  /** Further headers, names and values in turn. */
  headers?: readonly string[]
}

/** What a front tells a worker of its fleet, and nobody else: how it is known, and which worker it means. */
export const fleetHeaders = {
  token: 'x-svc-sim-fleet-token',
  worker: 'x-svc-sim-fleet-worker',
} as const

type Unreached = (how: 'refused' | 'silent') => void

/** Passes requests on by streaming: no body is read or copied. */
export interface Relay {
  /**
   * Passes a request on and the answer back. A client that goes away ends the request there; an answer that breaks off there breaks off
   * here. `unreached` is called instead when no answer has begun and nobody takes connections there: they are refused, or nothing is
   * heard at all. The function that is returned gives it up, because nothing is heard from there any more.
   */
  pass(req: IncomingMessage, res: ServerResponse, to: RelayTarget, unreached: Unreached): () => void
  /** The same for a request that offers an upgrade; refused, it gets the refusal and its connection ends. */
  upgrade(
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    to: RelayTarget,
    unreached: Unreached,
  ): () => void
  /** Drops the connections that wait for another request. */
  close(): void
}

/** What belongs to a connection, not to what goes over it (RFC 9110, 7.6.1). Each side frames its own messages. */
const ofConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'expect'],
  // Nobody else may say them.
  ...Object.values(fleetHeaders),
])
const ofFleet = new Set<string>(Object.values(fleetHeaders))
const ofAnswerConnection = new Set([...ofConnection, 'transfer-encoding'])

/**
 * Idle connections are closed before the other side closes them (`keepAliveTimeout` in listen.ts): a request that is sent at that
 * moment would be lost.
 */
export const keepAliveConnections: AgentOptions = { keepAlive: true, timeout: 60_000 }

/** Makes a relay with connections of its own. */
export function createRelay(): Relay {
  const agent = new Agent(keepAliveConnections)
  return {
    pass(req, res, { address, url: path, headers: more = [] }, unreached) {
      const { method } = req
      const headers = [...without(ofConnection, req.rawHeaders), ...framing(req), ...more]
      const there = request({ ...address, path, method, headers, agent })
      giveUpConnecting(there)
      const giveUp = onFailure(there, res, address, unreached)
      there.on('response', (answer) => {
        giveUp.hasAnswer = true
        passBack(answer, res)
      })
      res.once('close', () => {
        there.destroy()
        // What is left of a body that nobody wants stands before the next request of the connection.
        req.unpipe(there).resume()
      })
      req.pipe(there)
      return giveUp.now
    },
    upgrade(req, socket, head, { address, url: path, headers: more = [] }, unreached) {
      const { method } = req
      const headers = [...without(ofFleet, req.rawHeaders), ...more]
      const there = request({ ...address, path, method, headers, agent: false })
      giveUpConnecting(there)
      const cut = (): void => void socket.destroy()
      const giveUp = onFailure(there, socket, address, unreached)
      socket.once('close', () => there.destroy())
      there.on('response', (answer) => {
        giveUp.hasAnswer = true
        socket.write(
          headOf(answer, without(ofConnection, answer.rawHeaders), ['connection: close']),
        )
        answer.on('error', cut)
        answer.pipe(socket)
      })
      there.on('upgrade', (answer, other, otherHead) => {
        giveUp.hasAnswer = true
        other.on('error', cut)
        other.once('close', cut)
        socket.once('close', () => other.destroy())
        socket.write(headOf(answer, answer.rawHeaders))
        socket.write(otherHead)
        other.write(head)
        other.pipe(socket).pipe(other)
      })
      there.end()
      return giveUp.now
    },
    close: () => agent.destroy(),
  }
}

/** Tells why a request fails that has no answer yet, and cuts what has begun. */
function onFailure(
  there: ClientRequest,
  client: Duplex | ServerResponse,
  address: RelayAddress,
  unreached: Unreached,
) {
  let isGivenUp = false
  const giveUp = {
    hasAnswer: false,
    now(): void {
      isGivenUp = true
      if (giveUp.hasAnswer) client.destroy()
      else there.destroy(new Error('nothing is heard from there'))
    },
  }
  there.on('error', async () => {
    if (client.destroyed) return
    const how = giveUp.hasAnswer ? 'open' : isGivenUp ? 'silent' : await takesConnections(address)
    // What lives has cut the answer on purpose, and so it is cut for the client.
    if (how === 'open') client.destroy()
    else unreached(how)
  })
  return giveUp
}

/** A body is framed as it came; where there is none, nothing is left to guess. */
function framing({ method = '', headers }: IncomingMessage): string[] {
  const hasBody =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return hasBody || !/^(POST|PUT|PATCH)$/.test(method) ? [] : ['content-length', '0']
}

/** A process that is being killed may still take a connection, and drops it at once. Milliseconds. */
const dropsWithinMs = 50

/** A connection that takes longer does not come. Milliseconds. */
const connectsWithinMs = 1_000

/** Whether somebody listens there, and lives. */
export function takesConnections(address: RelayAddress): Promise<'open' | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect('socketPath' in address ? { path: address.socketPath } : address)
    const silence = coarseTimeout(connectsWithinMs, () => end('silent'))
    const end = (how: 'open' | 'refused' | 'silent'): void => {
      silence()
      socket.destroy()
      resolve(how)
    }
    socket.once('connect', () => {
      silence()
      coarseTimeout(dropsWithinMs, () => end('open'))
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      end(code === 'EHOSTUNREACH' || code === 'ENETUNREACH' ? 'silent' : 'refused'),
    )
    socket.once('close', () => end('refused'))
  })
}

/** Fails a request for which no connection comes. */
export function giveUpConnecting(there: ClientRequest): void {
  there.once('socket', (socket) => {
    if (!socket.connecting) return
    const cancel = coarseTimeout(connectsWithinMs, () =>
      there.destroy(new Error(`no connection within ${connectsWithinMs / 1000} s`)),
    )
    socket.once('connect', cancel)
    socket.once('close', cancel)
  })
}

function passBack(answer: IncomingMessage, res: ServerResponse): void {
  res.sendDate = false
  const headers = without(ofAnswerConnection, answer.rawHeaders)
  if (answer.headers.connection === 'close') res.shouldKeepAlive = false
  res.writeHead(answer.statusCode!, answer.statusMessage, headers)
  // A stream may have nothing to say for long.
  if (answer.headers['content-length'] === undefined) res.flushHeaders()
  answer.once('close', () => {
    if (!answer.complete) res.destroy()
  })
  answer.on('error', () => {}) // its `close` follows
  answer.pipe(res)
}

/** Names and values in turn, as Node gives them, without those of these names. */
function without(names: ReadonlySet<string>, raw: readonly string[]): string[] {
  return raw.filter((_, i) => !names.has(raw[i - (i % 2)]!.toLowerCase()))
}

/** The head of an answer as bytes, for a connection on which Node has no response. */
function headOf(answer: IncomingMessage, raw: readonly string[], more: readonly string[] = []) {
  const lines = raw.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${raw[i + 1]}`] : []))
  const first = `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`
  return Buffer.from(`${[first, ...lines, ...more].join('\r\n')}\r\n\r\n`, 'latin1')
}
