import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { manyAborted } from '../../lib/abort.js'
import type { NetworkName } from '../deployments/networks.js'
import { upstreamMark } from '../node/rpc.js'
import { hostOf } from './target.js'

/** The RPC endpoint that a network is forked from. Only ever asked, and never named by more than its host. */
export interface Upstream {
  network: NetworkName
  host: string
  /** Sends one JSON-RPC body. Rejects with `UpstreamFailure` when there is no JSON-RPC answer in time. */
  post(body: string): Promise<string>
  /** Asks one thing. Rejects with `UpstreamFailure`, also when the answer is an error. */
  ask<T>(method: string, params: readonly unknown[]): Promise<T>
  /** Breaks off what is being asked, for good. */
  close(): void
}

/** "Too many requests", and what stands before an endpoint saying that it is away for a moment. */
const busyStatus: readonly number[] = [429, 502, 503, 504]
/** How often a busy endpoint is asked again, and after how long at first; then twice that. */
const retries = 4
const firstPauseMs = 250

/** There was no answer in time. */
class LateError extends Error {}

/** The endpoint did not answer, or not what was asked. The message says which network and host, why, and what to do. */
class UpstreamFailure extends Error {
  override name = 'UpstreamFailure'
  constructor(network: NetworkName, host: string, why: string) {
    super(`${network} is forked from ${host}, ${why}`)
  }
}

/** A client of the endpoint. `answerWithinMs` bounds one exchange; shorter than the time for a folio, so that its answer says why. */
export function createUpstream(
  network: NetworkName,
  url: string,
  { answerWithinMs = 15_000 }: { answerWithinMs?: number } = {},
): Upstream {
  const target = new URL(url)
  const host = hostOf(url)
  const agent =
    target.protocol === 'https:'
      ? new HttpsAgent({ keepAlive: true, maxSockets: 32 })
      : new HttpAgent({ keepAlive: true, maxSockets: 32 })
  const closing = manyAborted()
  const { signal } = closing
  const hide = hider(target, host)
  const fail = (why: string): UpstreamFailure => new UpstreamFailure(network, host, hide(why))

  /** Asks again at once when a connection breaks: it may have been an idle one that the endpoint was just closing. */
  const send = (body: string) =>
    exchange(target, { agent, signal }, body, answerWithinMs).catch((error: Error) => {
      if (error instanceof LateError || signal.aborted) throw error
      return exchange(target, { agent, signal }, body, answerWithinMs)
    })

  async function post(body: string): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      const { status, text } = await send(body).catch((error: Error) => {
        throw fail(`which does not answer: ${error.message}. ${cure(network)}`)
      })
      const answer = parse(text)
      if (attempt < retries && (busyStatus.includes(status) || isBusy(answer))) {
        await pause(firstPauseMs * 2 ** attempt, undefined, { signal }).catch(() => {})
        continue
      }
      if (answer) return answer.some((one) => one.error) ? withoutSecrets(text, hide) : text
      const said = text.trim() === '' ? '' : `: ${text.trim().slice(0, 200)}`
      throw fail(`which answers HTTP ${status} without JSON-RPC${said}. ${cure(network)}`)
    }
  }

  return {
    network,
    host,
    post,
    async ask<T>(method: string, params: readonly unknown[]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const { result, error } = JSON.parse(await post(body)) as {
        result?: T
        error?: { message?: string }
      }
      if (error) throw fail(`which refuses ${method}: ${error.message ?? 'no reason given'}`)
      return result as T
    },
    close() {
      closing.abort()
      agent.destroy()
    },
  }
}

/** The JSON-RPC error that a node gets for what its upstream did not answer; `createRpc` knows it by the mark. */
export function failureBody(id: unknown, failure: Error): string {
  const message = `${upstreamMark}${failure.message}`
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code: -32603, message } })
}

function cure(network: NetworkName): string {
  return `Check that the endpoint runs, or start again with another --fork ${network}=URL or without it`
}

/** Takes everything of a URL that may be a key out of a text: user, password, path and query, and the full host. */
function hider(url: URL, shownHost: string): (text: string) => string {
  const { username, password, pathname, search, href } = url
  const secrets = [href, password, username, pathname, search, ...pathname.split('/')]
    .concat([...url.searchParams.values()])
    .filter((part) => part.length >= 6)
    .sort((a, b) => b.length - a.length)
  return (text) =>
    secrets
      .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
      .replaceAll(url.hostname, shownHost.replace(/:\d+$/, ''))
}

interface UpstreamReply {
  error?: { code?: unknown; message?: unknown }
}

/** "Too many requests" as some endpoints say it in the body: by HTTP's code, or by the one that EIP-1474 has for it. */
function isBusy(answers: readonly UpstreamReply[] = []): boolean {
  return answers.some(({ error }) => error?.code === 429 || error?.code === -32005)
}

/** The answers in a body, which may be one or a batch; undefined when it is no JSON-RPC. */
function parse(text: string): UpstreamReply[] | undefined {
  try {
    const answers = [JSON.parse(text) as unknown].flat()
    const isAnswer = (one: unknown): one is UpstreamReply =>
      typeof one === 'object' && one !== null && ('result' in one || 'error' in one)
    return answers.every(isAnswer) ? answers : undefined
  } catch {
    return undefined
  }
}

/** An endpoint may name its caller's key in an error. Results are left as they are: they are data. */
function withoutSecrets(text: string, hide: (text: string) => string): string {
  return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
    key === 'message' && typeof value === 'string' ? hide(value) : value,
  )
}

function exchange(
  target: URL,
  through: { agent: HttpAgent | HttpsAgent; signal: AbortSignal },
  body: string,
  withinMs: number,
): Promise<{ status: number; text: string }> {
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => request.destroy(new LateError(`no answer within ${withinMs / 1000} s`)),
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
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', fail)
        response.on('end', () => {
          clearTimeout(timer)
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: response.statusCode ?? 0, text })
        })
      },
    )
    request.on('error', fail)
    request.end(body)
  })
}
