import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { getProxyForUrl } from 'proxy-from-env'
import { hostOf } from './target.js'

/** One URL that JSON-RPC is sent to. */
export interface Endpoint {
  /** What may be shown of the URL. */
  host: string
  /** Sends one body, and once more when the connection breaks. Rejects when there is no answer within its time. */
  send(body: string): Promise<HttpAnswer>
  /** Takes everything of the URL that may be a key out of a text. */
  hide(text: string): string
  /** Breaks off what is being asked, for good. */
  close(): void
}

/** What came back. */
export interface HttpAnswer {
  status: number
  text: string
  /** What the header `retry-after` asks for, in milliseconds. */
  retryAfterMs: number | undefined
}

/** A failure that a second attempt would only repeat. */
class NoRetryError extends Error {}

/** Longer answers are rejected; no legitimate answer is that long. */
const maxAnswerBytes = 64 * 2 ** 20

/** A client of the URL, past the proxy that the environment names for it (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`). */
export function createEndpoint(
  url: string,
  { answerWithinMs, signal }: { answerWithinMs: number; signal: AbortSignal },
): Endpoint {
  const target = new URL(url)
  const host = hostOf(url)
  const proxy = getProxyForUrl(url)
  const agent = agentFor(target, proxy)
  const postOnce = (body: string) =>
    post(target, { agent, signal }, body, { withinMs: answerWithinMs })
  return {
    host,
    // It may have been an idle connection that the endpoint was just closing.
    send: (body) =>
      postOnce(body).catch((error: Error) => {
        if (error instanceof NoRetryError || signal.aborted) throw error
        return postOnce(body)
      }),
    hide: hider([target, ...(proxy ? [new URL(proxy)] : [])]),
    close: () => agent.destroy(),
  }
}

function agentFor({ protocol }: URL, proxy: string): HttpAgent {
  const options = { keepAlive: true, maxSockets: 32 }
  if (protocol === 'https:')
    return proxy ? new HttpsProxyAgent(proxy, options) : new HttpsAgent(options)
  return proxy ? new HttpProxyAgent(proxy, options) : new HttpAgent(options)
}

/** Takes user, password, path and query out of a text, and the full host where that is not to be shown. */
function hider(urls: readonly URL[]): (text: string) => string {
  const secrets = urls
    .flatMap(({ username, password, pathname, search, searchParams, href }) => [
      ...[href, password, username, pathname, search],
      ...pathname.split('/'),
      ...searchParams.values(),
    ])
    .filter((part) => part.length >= 6)
    .sort((a, b) => b.length - a.length)
  return (text) => {
    const rest = secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
    return urls.reduce(
      (shown, { href, hostname }) => shown.replaceAll(hostname, hostOf(href).replace(/:\d+$/, '')),
      rest,
    )
  }
}

function post(
  target: URL,
  through: { agent: HttpAgent; signal: AbortSignal },
  body: string,
  { withinMs }: { withinMs: number },
): Promise<HttpAnswer> {
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => request.destroy(new NoRetryError(`no answer within ${withinMs / 1000} s`)),
      withinMs,
    )
    const fail = (error: Error): void => {
      clearTimeout(timer)
      reject(error)
    }
    const request: ClientRequest = send(
      target,
      { ...through, method: 'POST', headers },
      (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          bytes += chunk.length
          if (bytes > maxAnswerBytes) request.destroy(new NoRetryError('its response does not end'))
        })
        response.on('error', fail)
        response.on('end', () => {
          clearTimeout(timer)
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
            retryAfterMs: secondsOf(response.headers['retry-after']),
          })
        })
      },
    )
    request.on('error', fail)
    request.end(body)
  })
}

/** Only as a number of seconds; a date would depend on two clocks. */
function secondsOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined
}
