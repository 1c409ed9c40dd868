import { methodOf } from '../rpc/methods.js'
import type { NodeAnswer } from '../rpc/nodeSocket.js'
import { shownValue } from '../rpc/rpcValues.js'
import { boundedParams, type Refusal, refusalOf, socketRefusal, upToLatest } from './rpcRefusals.js'

/** The most requests of a batch: geth's limit. */
const maxRequests = 1_000

/** The deepest nesting of a request. A node accepts two more levels, for the request and its parameters. */
const maxLevels = 126

export interface RpcRequest {
  /** Absent in a notification. */
  id?: unknown
  method: string
  params?: unknown
}

export interface Judged {
  /** The requests to forward, in order. */
  requests: readonly RpcRequest[]
  /** The answer to the client, from the node's answers; undefined for notifications. */
  answer(fromNode: readonly NodeAnswer[]): string | undefined
  /** The answer when the node fails. */
  failed(message: string): string | undefined
}

export interface Judging {
  /** Allows methods that can break the simulation. */
  isUnsafe: boolean
  /** The last block that a forked chain has in common with its network. */
  fork?: { block: number } | undefined
  /** A temporary reason to refuse a request. */
  refusalNow?: (method: string, params: unknown) => Refusal | undefined
}

/** A parsed message, or why it cannot be parsed. */
export type ReadMessage = { value: unknown } | { problem: string }

/** Parses a message. Whole numbers that JavaScript would round become text, which a node reads as the same quantities. */
export function readMessage(text: string): ReadMessage {
  try {
    const value: unknown = JSON.parse(text)
    return { value: /\d{16}/.test(text) ? withExactNumbers(value, text) : value }
  } catch (error) {
    return { problem: `The message cannot be read as JSON: ${(error as Error).message}` }
  }
}

/** A whole number of the JSON itself, from its beginning to its end. */
const longNumbers = /(?<![.\deE+-])-?\d{16,}(?![\d.eE])/g

const withTextNumbers = (json: string): string =>
  json.replace(longNumbers, (digits) =>
    Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`,
  )

/** Where the text that begins at this quote has ended. */
function endOfText(json: string, quote: number): number {
  for (let end = json.indexOf('"', quote + 1); ; end = json.indexOf('"', end + 1)) {
    let escapes = 0
    while (json[end - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return end + 1
  }
}

/** Whole numbers that JavaScript would round, as text. Searched for text by text: one expression for all would exhaust the stack. */
function withoutRounding(json: string): string {
  const parts: string[] = []
  let from = 0
  for (let quote = json.indexOf('"'); quote >= 0; quote = json.indexOf('"', from)) {
    const end = endOfText(json, quote)
    const before = json.slice(from, quote)
    parts.push(before.length < 16 ? before : withTextNumbers(before), json.slice(quote, end))
    from = end
  }
  parts.push(withTextNumbers(json.slice(from)))
  return parts.join('')
}

/** Keeps the parsed ids. */
function withExactNumbers(value: unknown, text: string): unknown {
  const exact: unknown = JSON.parse(withoutRounding(text))
  const withExactParams = (read: unknown, exactRead: unknown): unknown =>
    isRequest(read) ? { ...read, params: (exactRead as RpcRequest).params } : read
  return Array.isArray(value)
    ? value.map((read, place) => withExactParams(read, (exact as unknown[])[place]))
    : withExactParams(value, exact)
}

/** The request, if the message only opens or ends a subscription. */
export function subscriptionIn(message: ReadMessage): RpcRequest | undefined {
  if (!('value' in message) || !isRequest(message.value)) return undefined
  return methodOf(message.value.method).onSocket ? message.value : undefined
}

/** The request to forward, or the reason for a refusal. */
interface Verdict {
  id: unknown
  /** Whether it is a notification, which gets no answer. */
  isSilent: boolean
  request?: RpcRequest
  refusal?: Refusal
}

/** Judges each request of a message. Refused ones are not forwarded; their errors have the same place in the answer. */
export function judge(message: ReadMessage, judging: Judging): Judged {
  if ('problem' in message) return local(unread(message.problem))
  const { value } = message
  if (!Array.isArray(value)) return judged([verdictOn(value, judging)], ([answer]) => answer)
  if (value.length === 0) return local(errorOf(null, -32600, 'The batch is empty'))
  if (value.length > maxRequests)
    return local(errorOf(null, -32600, `A batch may have at most ${maxRequests} requests`))
  return judged(
    value.map((request) => verdictOn(request, judging)),
    (answers) => (answers.length === 0 ? undefined : `[${answers.join(',')}]`),
  )
}

export function unread(why: string): string {
  return errorOf(null, -32700, why)
}

export function wireAnswer(id: unknown, { error, result, json }: NodeAnswer): string {
  if (error) return JSON.stringify({ jsonrpc: '2.0', id, error })
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json ?? JSON.stringify(result)}}`
}

function verdictOn(request: unknown, { isUnsafe, fork, refusalNow }: Judging): Verdict {
  if (!isRequest(request)) return malformed(request, howToAsk)
  const { id = null, method, params, jsonrpc, ...others } = request as RpcRequest & Fields
  const [other] = Object.keys(others)
  if (jsonrpc !== '2.0' || other !== undefined)
    return malformed(request, other === undefined ? howToAsk : `${howToAsk}, not a "${other}"`)
  const oddity = oddityOf(request)
  if (oddity) return malformed(request, oddity)
  if (!isId(id)) return malformed(request, `${idForms}, but is ${shownValue(id)}`)
  const common = { id, isSilent: !('id' in request) }
  const refusal =
    socketRefusal(method) ??
    (isUnsafe ? undefined : refusalOf(method, params)) ??
    refusalNow?.(method, params)
  if (refusal) return { ...common, refusal }
  const meant = upToLatest(method, params) ?? params
  const bounded = isUnsafe ? undefined : boundedParams(method, meant, fork?.block)
  if (bounded && !Array.isArray(bounded)) return { ...common, refusal: bounded }
  const passed = { method, params: bounded ?? meant }
  return { ...common, request: common.isSilent ? passed : { id, ...passed } }
}

type Fields = Record<string, unknown>

const howToAsk = 'A request is an object with "jsonrpc": "2.0", a "method", "params" and an "id"'
const idForms = 'An id must be text, null or a whole number within 2^53'

function malformed(request: unknown, message: string): Verdict {
  const { id } = (request ?? {}) as Partial<RpcRequest>
  const isSilent = isRequest(request) && !('id' in request)
  return { id: isId(id) ? id : null, isSilent, refusal: { code: -32600, message } }
}

/** Whether JavaScript returns the id unchanged. */
function isId(id: unknown): boolean {
  return id === null || Number.isSafeInteger(id) || (typeof id === 'string' && !halfPair.test(id))
}

const halfPair = /\p{Surrogate}/u

/** Why a node could not read the JSON, although we can; undefined if it can. */
function oddityOf(value: unknown, level = 1): string | undefined {
  if (typeof value === 'string' && halfPair.test(value))
    return 'A text of the request is no Unicode: it has half of a surrogate pair'
  if (typeof value !== 'object' || value === null) return undefined
  if (level > maxLevels) return `A request may be nested at most ${maxLevels} levels deep`
  const parts: unknown[] = Array.isArray(value) ? value : Object.entries(value).flat()
  for (const part of parts) {
    const oddity = oddityOf(part, level + 1)
    if (oddity) return oddity
  }
  return undefined
}

function judged(
  verdicts: readonly Verdict[],
  join: (answers: readonly string[]) => string | undefined,
): Judged {
  const passed = verdicts.filter(({ request }) => request)
  const places = new Map(passed.map((verdict, place) => [verdict, place]))
  const merge = (answerOf: (verdict: Verdict) => string): string | undefined =>
    join(
      verdicts
        .filter(({ isSilent }) => !isSilent)
        .map((verdict) => {
          const { id, refusal } = verdict
          return refusal ? errorOf(id, refusal.code, refusal.message) : answerOf(verdict)
        }),
    )
  return {
    requests: passed.map(({ request }) => request!),
    answer: (fromNode) =>
      merge((verdict) => wireAnswer(verdict.id, fromNode[places.get(verdict)!]!)),
    failed: (message) => merge(({ id }) => errorOf(id, -32603, message)),
  }
}

function local(answer: string): Judged {
  return { requests: [], answer: () => answer, failed: () => answer }
}

function errorOf(id: unknown, code: number, message: string): string {
  return wireAnswer(id, { error: { code, message } })
}

function isRequest(value: unknown): value is RpcRequest {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    typeof (value as RpcRequest).method === 'string'
  )
}
