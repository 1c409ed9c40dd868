import { shownValue } from '../rpc/rpcValues.js'
import { boundedParams, upToLatest } from './rpcBounds.js'
import { type Refusal, refusalOf, socketRefusal } from './rpcRefusals.js'

/** Requests that one batch may have: what geth allows. */
const maxRequests = 1_000

/** Levels of objects and arrays that a request may have: what a node reads in a batch. */
const maxLevels = 126

/** A JSON-RPC message that has been judged. */
export interface Judged {
  /** Names of the methods that are passed on, in their order. */
  methods: readonly string[]
  /** What the node is sent; undefined when nothing is. */
  text: string | undefined
  /** The answer to the client, made of the node's; undefined when the message wants none. */
  answer(fromNode: string | undefined): string | undefined
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

/** One request of a message: what is passed on of it, or why it is not. */
interface Verdict {
  id: unknown
  /** A notification: nothing is answered. */
  isSilent: boolean
  method: string
  /** What the node is sent. */
  request?: unknown
  refusal?: Refusal
  /** Whether the node can be sent what the client wrote. */
  isAsWritten: boolean
}

/**
 * Judges a message, each request of a batch by itself. What is as it should be is passed on as it was written; in the others
 * refused requests are left out, and their errors put in their place in the answer.
 */
export function judge(text: string, judging: Judging): Judged {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch (error) {
    return local(unread(`The message cannot be read as JSON: ${(error as Error).message}`))
  }
  // A whole number, but written so the node does not take it for an id.
  const isOdd = /"id"\s*:\s*-?\d+(?:\.|e)/i.test(text)
  const verdict = (request: unknown): Verdict => {
    const found = verdictOn(request, judging)
    return isOdd ? { ...found, isAsWritten: false } : found
  }
  if (!Array.isArray(message)) return single(text, verdict(message))
  if (message.length === 0) return local(errorOf(null, -32600, 'The batch is empty'))
  if (message.length > maxRequests)
    return local(errorOf(null, -32600, `A batch may have at most ${maxRequests} requests`))
  return batch(text, message.map(verdict))
}

/** The answer to a message that cannot be read. */
export function unread(why: string): string {
  return errorOf(null, -32700, why)
}

/** The method of a message that is one request; undefined for all others. */
export function onlyMethodOf(text: string): string | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return isRequest(message) ? message.method : undefined
  } catch {
    return undefined
  }
}

function verdictOn(request: unknown, { isUnsafe, fork, refusalNow }: Judging): Verdict {
  if (!isRequest(request)) return malformed(request, howToAsk)
  const { id = null, method, params } = request
  const oddity = oddityOf(request)
  if (oddity) return malformed(request, oddity)
  if (!isId(id)) return malformed(request, `${idForms}, but is ${shownValue(id)}`)
  const isSilent = !('id' in request)
  const common = { id, isSilent, method }
  const refusal =
    socketRefusal(method) ??
    (isUnsafe ? undefined : refusalOf(method, params)) ??
    refusalNow?.(method, params)
  if (refusal) return { ...common, refusal, isAsWritten: false }
  const meant = upToLatest(method, params)
  const bounded = isUnsafe ? undefined : boundedParams(method, meant ?? params, fork?.block)
  if (bounded && !Array.isArray(bounded)) return { ...common, refusal: bounded, isAsWritten: false }
  const better = bounded ?? meant
  // The node says nothing to a notification, so it gets an id: that way one line goes in and one comes out.
  const changes = { ...(isSilent ? { id: 0 } : {}), ...(better ? { params: better } : {}) }
  return { ...common, request: { ...request, ...changes }, isAsWritten: !isSilent && !better }
}

const howToAsk = 'A request is an object with "jsonrpc": "2.0", a "method", and an "id"'
const idForms = 'An id must be text, null or a whole number within 2^53'

/** It is refused by itself: the node would refuse the whole batch for it. */
function malformed(request: unknown, message: string): Verdict {
  const { id } = (request ?? {}) as Partial<RpcRequest>
  const isSilent = isRequest(request) && !('id' in request)
  const refusal: Refusal = { code: -32600, message }
  return { id: isId(id) ? id : null, isSilent, method: '', refusal, isAsWritten: false }
}

/** Whether the node takes it, and it is the same here. */
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

function single(text: string, verdict: Verdict): Judged {
  const { id, isSilent, method, refusal, request, isAsWritten } = verdict
  const unlessSilent = (answer: string | undefined) => (isSilent ? undefined : answer)
  if (refusal) {
    const answer = unlessSilent(errorOf(id, refusal.code, refusal.message))
    return local(answer)
  }
  return {
    methods: [method],
    text: isAsWritten ? text : JSON.stringify(request),
    answer: unlessSilent,
    failed: (message) => unlessSilent(errorOf(id, -32603, message)),
  }
}

function batch(text: string, verdicts: readonly Verdict[]): Judged {
  const passed = verdicts.filter(({ refusal }) => !refusal)
  const asWritten = verdicts.every(({ isAsWritten }) => isAsWritten)
  const merge = (answerOf: (verdict: Verdict) => string): string | undefined => {
    const answers = verdicts
      .filter(({ isSilent }) => !isSilent)
      .map((verdict) => {
        const { id, refusal } = verdict
        return refusal ? errorOf(id, refusal.code, refusal.message) : answerOf(verdict)
      })
    return answers.length === 0 ? undefined : `[${answers.join(',')}]`
  }
  return {
    methods: passed.map(({ method }) => method),
    text:
      passed.length === 0
        ? undefined
        : asWritten
          ? text
          : JSON.stringify(passed.map((v) => v.request)),
    answer(fromNode) {
      if (asWritten && fromNode?.startsWith('[')) return fromNode
      const given: unknown = fromNode === undefined ? [] : JSON.parse(fromNode)
      // One error for all: the node could not read the batch, and has done nothing of it.
      if (!Array.isArray(given)) return merge(({ id }) => errorOf(id, -32600, wholeRefused))
      // The node answers a batch in its order.
      const answers = given as unknown[]
      const byVerdict = new Map(passed.map((verdict, index) => [verdict, answers[index]]))
      return merge((verdict) => JSON.stringify(byVerdict.get(verdict)))
    },
    failed: (message) => merge(({ id }) => errorOf(id, -32603, message)),
  }
}

const wholeRefused =
  'The node could not read the batch and did nothing of it; is a member of a request written twice?'

/** An answer without the node. */
function local(answer: string | undefined): Judged {
  return { methods: [], text: undefined, answer: () => answer, failed: () => answer }
}

function errorOf(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

interface RpcRequest {
  id?: unknown
  method: string
  params?: unknown
}

function isRequest(value: unknown): value is RpcRequest {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    typeof (value as RpcRequest).method === 'string'
  )
}
