import { methodOf } from '../rpc/methods.js'
import type { NodeAnswer } from '../rpc/nodeSocket.js'
import { shownValue } from '../rpc/rpcValues.js'
import { boundedParams, type Refusal, refusalOf, socketRefusal, upToLatest } from './rpcRefusals.js'

/** Requests that one batch may have: what geth allows. */
const maxRequests = 1_000

/** Levels of objects and arrays that a request may have: a node reads two more, for the request and its parameters. */
const maxLevels = 126

/** A request of a client, as it is passed on. */
export interface RpcRequest {
  /** Absent in a notification. */
  id?: unknown
  method: string
  params?: unknown
}

/** A JSON-RPC message that has been judged. */
export interface Judged {
  /** The messages to forward, in order. */
  requests: readonly RpcRequest[]
  /** The answer to the client, made of the node's; undefined when the message wants none. */
  answer(fromNode: readonly NodeAnswer[]): string | undefined
  /** The answer when the node gives none. */
  failed(message: string): string | undefined
}

/** By what messages are judged. */
export interface Judging {
  /** Lets through what would take the ground from under the simulator. */
  isUnsafe: boolean
  /** Where the chain is forked: the last block that it has in common with its network. */
  fork?: { block: number } | undefined
  /** Why a request is not passed on just now. */
  refusalNow?: (method: string, params: unknown) => Refusal | undefined
}

/** A message as it was read; `problem` says why it could not be. */
export type ReadMessage = { value: unknown } | { problem: string }

/** Reads a message. Whole numbers that JavaScript would round become text, which a node takes for the same quantities. */
export function readMessage(text: string): ReadMessage {
  try {
    const value: unknown = JSON.parse(text)
    return { value: /\d{16}/.test(text) ? withExactNumbers(value, text) : value }
  } catch (error) {
    return { problem: `The message cannot be read as JSON: ${(error as Error).message}` }
  }
}

/** The ids stay as they were read. */
function withExactNumbers(value: unknown, text: string): unknown {
  const exact: unknown = JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (part) =>
      part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"${part}"`,
    ),
  )
  const withExactParams = (read: unknown, exactRead: unknown): unknown =>
    isRequest(read) ? { ...read, params: (exactRead as RpcRequest).params } : read
  return Array.isArray(value)
    ? value.map((read, place) => withExactParams(read, (exact as unknown[])[place]))
    : withExactParams(value, exact)
}

/** The request of a message that only opens or ends a subscription; undefined for all others. */
export function subscriptionIn(message: ReadMessage): RpcRequest | undefined {
  if (!('value' in message) || !isRequest(message.value)) return undefined
  return methodOf(message.value.method).onSocket ? message.value : undefined
}

/** One request of a message: what is passed on of it, or why it is not. */
interface Verdict {
  id: unknown
  /** A notification: nothing is answered. */
  isSilent: boolean
  request?: RpcRequest
  refusal?: Refusal
}

/** Judges a message, each request of a batch by itself: refused ones are left out, and their errors put in their place in the answer. */
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

/** The answer to a message that cannot be read. */
export function unread(why: string): string {
  return errorOf(null, -32700, why)
}

/** The answer to a request. */
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

/** Whether it is the same in the answer. */
function isId(id: unknown): boolean {
  return id === null || Number.isSafeInteger(id) || (typeof id === 'string' && !halfPair.test(id))
}

/** Half of a pair of surrogates. */
const halfPair = /\p{Surrogate}/u

/** What a node cannot read in JSON that can be read here; undefined when there is nothing. */
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

/** An answer without the node. */
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
