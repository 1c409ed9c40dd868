import { createSvcClient } from '../client/client.js'
import type { Schemas } from '../client/types.js'

/** A simulator, reached over HTTP. */
export interface ScenarioTarget {
  url: string
  apiKey: string
  controlToken?: string | undefined
}

export interface ScenarioReply {
  status: number
  /** The `x-svc-sim-*` headers and those named to `createWire`, in lower case. */
  headers: Record<string, string>
  /** Parsed JSON, or text. */
  body: unknown
  cut?: true
  why?: string
}

export interface RequestOptions {
  method: string
  path: string
  body?: unknown
  /** The text of a body that is not JSON. */
  raw?: string
  /** Replaces the target's key; null sends none. */
  bearer?: string | null
  headers?: Record<string, string>
  /** Gives up after this long; real time. Default 60 s. */
  withinMs?: number
}

export interface SentRequest {
  method: string
  path: string
  sent?: unknown
  answer: ScenarioReply
}

/** Sends requests to a target, and records exchanges in the order of their ends. */
export interface Wire {
  send(sending: RequestOptions): Promise<ScenarioReply>
  ask(method: string, path: string, body?: unknown): Promise<ScenarioReply>
  /** Throws when the control API refuses: the scenario asks for something impossible. */
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
  /** Throws when the node returns an error. */
  rpc(network: string, method: string, params: readonly unknown[]): Promise<unknown>
  /** The activity when it has ended, or after `withinMs` of real time. Not among the exchanges. */
  follow(accountId: string, activityId: string, withinMs: number): Promise<Schemas['Activity']>
  exchanges: readonly SentRequest[]
}

/** `keep` names further headers of responses. */
export function createWire(target: ScenarioTarget, keep: readonly string[] = []): Wire {
  const exchanges: SentRequest[] = []
  async function send(sending: RequestOptions, own: string | undefined): Promise<ScenarioReply> {
    const { method, path, body, headers = {}, withinMs = 60_000 } = sending
    const bearer = sending.bearer === undefined ? own : sending.bearer
    const text = sending.raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const init: RequestInit = {
      method,
      headers: {
        accept: 'application/json',
        ...(bearer == null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
      signal: AbortSignal.timeout(withinMs),
    }
    const answer = await exchange(`${target.url}${path}`, init, keep)
    exchanges.push({ method, path, ...(body === undefined ? {} : { sent: body }), answer })
    return answer
  }
  const ask = (method: string, path: string, body?: unknown) =>
    send({ method, path, body }, target.controlToken)
  return {
    exchanges,
    send: (sending) => send(sending, target.apiKey),
    ask,
    async control<T>(method: string, path: string, body?: unknown): Promise<T> {
      const answer = await ask(method, path, body)
      if (answer.status >= 200 && answer.status < 300) return answer.body as T
      const who = answer.cut ? `${target.url} does not answer ` : ''
      throw new Error(`${who}${method} ${path}: ${describe(answer)}`)
    },
    async rpc(network, method, params) {
      const answer = await ask('POST', `/rpc/${network}`, { jsonrpc: '2.0', id: 1, method, params })
      const body = answer.body as { result?: unknown; error?: { message: string } }
      if (body.error) throw new Error(`${method} on ${network}: ${body.error.message}`)
      return body.result
    },
    async follow(accountId, activityId, withinMs) {
      const { url, apiKey } = target
      const client = createSvcClient({ baseUrl: url, apiKey })
      const signal = AbortSignal.timeout(withinMs)
      return client.waitForActivity(accountId, activityId, { signal }).catch((error: Error) => {
        if (error !== signal.reason) throw error
        return client.activity(activityId)
      })
    },
  }
}

export function describe({ status, body, cut, why, headers }: ScenarioReply): string {
  if (cut) return `no complete answer (${why})`
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const hint = headers['x-svc-sim-hint']
  return `${status} ${text.slice(0, 400)}${hint ? ` [hint: ${hint}]` : ''}`
}

async function exchange(
  url: string,
  init: RequestInit,
  keep: readonly string[],
): Promise<ScenarioReply> {
  const cut = (error: unknown): ScenarioReply => {
    // fetch itself says no more than "failed"; and a name with several addresses fails without any text, but with a code.
    const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException }
    const why = cause?.message || cause?.code || message
    return { status: 0, headers: {}, body: null, cut: true, why }
  }
  let response: Response
  try {
    // A redirect is the response of the target: do not follow it.
    response = await fetch(url, { ...init, redirect: 'manual' })
  } catch (error) {
    return cut(error)
  }
  const ours = [...response.headers].filter(
    // The machine's time differs from run to run.
    ([name]) => /^x-svc-sim-(?!real-date)/.test(name) || keep.includes(name),
  )
  try {
    const text = await textOf(response)
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const body = isJson ? parsedOr(text) : text
    return { status: response.status, headers: Object.fromEntries(ours), body }
  } catch (error) {
    return cut(error)
  }
}

/** The longest body to read; the longest responses of a simulator have some 3 MB. */
const maxBytes = 64 * 2 ** 20

async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    if (length > maxBytes) throw new Error(`its body is longer than ${maxBytes} bytes`)
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}

/** Invalid JSON, and JSON too deep to write, stays text. */
function parsedOr(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    JSON.stringify(value)
    return value
  } catch {
    return text
  }
}
