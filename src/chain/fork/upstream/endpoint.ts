import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { getProxyForUrl } from 'proxy-from-env'
import { hostOf } from './target.js'

export interface Endpoint {
  /** The part of the URL that may be shown. */
  host: string
  /** Sends a body, and retries once when the connection breaks. Rejects when the response takes too long. */
  send(body: string): Promise<HttpAnswer>
  /** Removes everything from a text that may be a key of the URL. */
  hide(text: string): string
  /** Aborts all requests. */
  close(): void
}

export interface HttpAnswer {
  status: number
  text: string
  /** The header `retry-after`, in milliseconds. */
  retryAfterMs: number | undefined
}

/** A failure that a retry would repeat. */
class NoRetryError extends Error {}

/** Longer answers are rejected; no legitimate answer is that long. */
const maxAnswerBytes = 64 * 2 ** 20

/** Uses the proxy that the environment names for the URL (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`). */
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
    // Retry: the endpoint may just have closed the idle connection.
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

/** Removes user, password, path and query from a text, and the parts of the host that may not be shown. */
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

/** Ignores dates, which would depend on two clocks. */
function secondsOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined
}

export interface RpcErrorBody {
  code?: unknown
  message?: unknown
}

/** Temporary failures: too many requests, and a gateway that cannot reach its endpoint. */
export const busyStatus: readonly number[] = [429, 502, 503, 504]

/** Texts for too many requests, besides the codes of HTTP and EIP-1474. */
const busyWords =
  /rate.?limit|too many requests|requests? (?:per|limit)|\/ ?sec(?:ond)?\b|throughput|capacity|quota|compute units|slow down/i

/** Whether the endpoint limits the rate of requests. Ignores reverts, whose text may be anything. */
export function isBusy({ code, message }: RpcErrorBody): boolean {
  if (code === 429 || code === -32005) return true
  return code !== 3 && !/revert/i.test(textOf(message)) && busyWords.test(textOf(message))
}

/** Texts for pruned state. */
const prunedWords =
  /missing trie node|pruned|archive|historical state|state (?:is|at|for|of)?.{0,80}(?:not |un)available|no state available|distance to target block|old data not available/i

/** Whether the endpoint has no archive state for the request. */
export function isPruned({ message }: RpcErrorBody): boolean {
  return prunedWords.test(textOf(message))
}

export function textOf(message: unknown): string {
  return typeof message === 'string' && message !== '' ? message : 'no reason given'
}

const word = /^0x[0-9a-f]{64}$/i
const quantity = /^0x[0-9a-f]{1,64}$/i
const bytes = /^0x(?:[0-9a-f]{2})*$/i

/** The shapes of results that the simulator computes with; others are not checked. */
const shapes: Record<string, (result: unknown) => boolean> = {
  eth_blockNumber: isText(quantity),
  eth_chainId: isText(quantity),
  eth_gasPrice: isText(quantity),
  eth_call: isText(bytes),
  eth_getBalance: isText(quantity),
  eth_getTransactionCount: isText(quantity),
  eth_getCode: isText(bytes),
  // Some endpoints omit leading zeros, which the node accepts.
  eth_getStorageAt: isText(quantity),
  eth_getAccountInfo: (result) =>
    isText(quantity)(field(result, 'balance')) &&
    isText(quantity)(field(result, 'nonce')) &&
    isText(bytes)(field(result, 'code')),
  eth_getBlockByNumber: isBlock,
  eth_getBlockByHash: isBlock,
}

export function canBeAnswer(method: string, result: unknown): boolean {
  return result !== undefined && (shapes[method]?.(result) ?? true)
}

function isText(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value)
}

/** Null for a missing block. */
function isBlock(result: unknown): boolean {
  if (result === null) return true
  return (
    isText(quantity)(field(result, 'number')) &&
    isText(word)(field(result, 'hash')) &&
    isText(quantity)(field(result, 'timestamp')) &&
    isText(quantity)(field(result, 'gasLimit')) &&
    Array.isArray(field(result, 'transactions'))
  )
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}
