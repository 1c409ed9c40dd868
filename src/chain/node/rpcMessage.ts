import { boundedParams, type Refusal, refusalOf, socketRefusal } from './rpcRefusals.js'

/** Requests that one batch may have: what geth allows. */
const mostRequests = 1_000

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
  try {
    return judgeAny(text, judging)
  } catch (error) {
    // It could be read, but not be written again.
    if (!(error instanceof RangeError)) throw error
    return local(errorOf(null, -32600, 'The message is nested too deep'))
  }
}

function judgeAny(text: string, judging: Judging): Judged {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch (error) {
    return local(
      errorOf(null, -32700, `The message cannot be read as JSON: ${(error as Error).message}`),
    )
  }
  if (!Array.isArray(message)) return single(text, verdictOn(message, judging))
  if (message.length === 0) return local(errorOf(null, -32600, 'The batch is empty'))
  if (message.length > mostRequests)
    return local(errorOf(null, -32600, `A batch may have at most ${mostRequests} requests`))
  return batch(
    text,
    message.map((request) => verdictOn(request, judging)),
  )
}

/** The method of a message that is one request; undefined for all others. */
export function methodOf(text: string): string | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return isRequest(message) ? message.method : undefined
  } catch {
    return undefined
  }
}

function verdictOn(request: unknown, { isUnsafe, refusalNow }: Judging): Verdict {
  if (!isRequest(request))
    return malformed('A request is an object with "jsonrpc": "2.0", a "method", and an "id"')
  const { id = null, method, params } = request
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    return malformed('An id beyond 2^53 must be text')
  const isSilent = !('id' in request)
  const common = { id, isSilent, method }
  const refusal =
    socketRefusal(method) ??
    (isUnsafe ? undefined : refusalOf(method, params)) ??
    refusalNow?.(method, params)
  if (refusal) return { ...common, refusal, isAsWritten: false }
  const better = isUnsafe ? undefined : boundedParams(method, params)
  if (better && !Array.isArray(better)) return { ...common, refusal: better, isAsWritten: false }
  // The node says nothing to a notification, so it gets an id: that way one line goes in and one comes out.
  const changes = { ...(isSilent ? { id: 0 } : {}), ...(better ? { params: better } : {}) }
  const isAsWritten = !isSilent && !better
  return { ...common, request: isAsWritten ? request : { ...request, ...changes }, isAsWritten }
}

function malformed(message: string): Verdict {
  const refusal: Refusal = { code: -32600, message }
  return { id: null, isSilent: false, method: '', refusal, isAsWritten: false }
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
      if (asWritten) return fromNode
      // The node answers a batch in its order.
      const answers = fromNode === undefined ? [] : (JSON.parse(fromNode) as unknown[])
      const byVerdict = new Map(passed.map((verdict, index) => [verdict, answers[index]]))
      return merge((verdict) => JSON.stringify(byVerdict.get(verdict)))
    },
    failed: (message) => merge(({ id }) => errorOf(id, -32603, message)),
  }
}

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
