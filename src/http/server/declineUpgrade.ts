import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ProblemCode, problems } from '../../lib/errors.js'
import { requestIdHeader } from '../core/headers.js'

/** Headers that say no more than how a client would like to go on (RFC 9110, 7.8; RFC 7540, 3.2). */
const offers = ['upgrade', 'http2-settings']

/** Whether a request asks to become a WebSocket of the RPC pass-through, a world's too: the only upgrade there is. */
export function isRpcSocket({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  return (
    /^(\/worlds\/[^/]+)?\/rpc\//.test(url ?? '') &&
    wordsOf(headers.upgrade ?? '').includes('websocket')
  )
}

/**
 * Makes the server read a request again as if it had offered no upgrade: Node gives every offered connection to the listener for upgrades.
 * `head` holds the bytes after the request's head: its body and later requests. `earlier` is the response that this connection must finish
 * first.
 */
export function declineUpgrade(
  server: Server,
  request: Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'rawHeaders'>,
  socket: Duplex,
  { head, earlier }: { head: Buffer; earlier: ServerResponse | undefined },
): void {
  socket.unshift(Buffer.concat([headWithoutOffer(request), head]))
  const serveSocket = (): void => {
    if (!socket.destroyed && !socket.writableEnded) server.emit('connection', socket)
  }
  if (earlier === undefined || earlier.closed) serveSocket()
  else earlier.once('close', serveSocket)
}

/** The request's head as it came, without the offer. */
function headWithoutOffer({
  method,
  url,
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'rawHeaders'>): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]!, rawHeaders[i + 1]!]
    const isConnection = name.toLowerCase() === 'connection'
    const kept = isConnection ? wordsOf(value).filter((word) => !offers.includes(word)) : [value]
    if (!offers.includes(name.toLowerCase()) && kept.length > 0)
      lines.push(`${name}: ${kept.join(', ')}`)
  }
  // Node reads a head as Latin-1, so this gives back the very bytes.
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

function wordsOf(header: string): string[] {
  return header.split(',').map((word) => word.trim().toLowerCase())
}

/** An error of Node's parser, with its words for what is wrong. */
export type ParserError = NodeJS.ErrnoException & { reason?: string }

/** Answers bytes that are no request, after what came before them, and hangs up. */
export function refuseBytes(
  error: ParserError,
  socket: Duplex,
  { earlier, requestId }: { earlier?: ServerResponse | undefined; requestId(): string | undefined },
): void {
  const refuse = (): void => {
    if (socket.writable) answerRaw(socket, parserProblem(error), requestId())
    else socket.destroy()
  }
  if (earlier === undefined || earlier.closed) refuse()
  else if (earlier.req.complete) earlier.once('close', refuse)
  else if (!earlier.headersSent) refuse()
  // Half an answer to half a request is out: no other can follow.
  else socket.destroy()
}

function parserProblem({ code, reason, message }: ParserError): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { code: 'headers_too_large', message: 'The head of the request is over 16 KiB' }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { code: 'payload_too_large', message: 'The chunk extensions are over 16 KiB' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 'timeout', message: 'The request did not come to its end in time' }
    default:
      return {
        code: 'invalid_params',
        message: `The request is not valid HTTP/1.1: ${reason ?? message}`,
      }
  }
}

interface Problem {
  code: ProblemCode
  message: string
}

/** A connection that was refused is cut after this time. A sudden end could take the answer with it. Milliseconds. */
const lingerMs = 1_000

/** The last answer on a connection on which Node has no response to write to. */
export function answerRaw(
  socket: Duplex,
  { code, message }: Problem,
  requestId: string | undefined,
): void {
  const { status } = problems[code]
  const body = JSON.stringify({ error: code, message })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...(requestId === undefined ? [] : [`${requestIdHeader}: ${requestId}`]),
  ]
  endSlowly(socket, `${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Writes the last bytes of a connection, and cuts it when they have had time to arrive. */
function endSlowly(socket: Duplex, bytes: Buffer | string): void {
  socket.end(bytes)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}
