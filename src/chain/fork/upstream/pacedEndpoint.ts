import type { Budget } from './budget.js'
import { createEndpoint, type Endpoint } from './endpoint.js'
import { createRateLimit } from './rateLimit.js'
import {
  busyStatus,
  canBeAnswer,
  isBusy,
  isPruned,
  type RpcErrorBody,
  textOf,
} from './rpcErrors.js'

/** A block that answers are taken of. */
export interface PinnedBlock {
  number: string
  hash: string
}

/** One of the endpoints that a network is forked from. */
export interface PacedEndpoint {
  /** What may be shown of its URL. */
  host: string
  /**
   * Asks one thing, of an endpoint that has the pinned block: nothing is mixed from two chains. Rejects with `Trouble` when it is of no
   * use, by `until` of `performance.now()` at the latest, or with `SpentError`.
   */
  ask(call: Call, until: number, pinned: PinnedBlock | undefined): Promise<unknown>
  /** When it may be asked again; in the past when it may be now. */
  readonly pausedUntil: number
  close(): void
}

/** What all members of an upstream share. */
export interface PacedEndpointOptions {
  answerWithinMs: number
  budget: Budget
  signal: AbortSignal
  /** Called before a request goes out. */
  onSend(): void
  /** Told once that it asks to be asked less. */
  say(remark: string): void
}

/** Why an endpoint was of no use, as the end of a sentence about it. */
export class Trouble extends Error {
  /** It may be of use later. */
  readonly isBusy: boolean
  constructor(why: string, isBusy = false) {
    super(why)
    this.isBusy = isBusy
  }
}

/** An endpoint at the rate that it allows. */
export function createPacedEndpoint(url: string, options: PacedEndpointOptions): PacedEndpoint {
  const { budget, signal, say, onSend } = options
  const endpoint = createEndpoint(url, options)
  const { host, hide } = endpoint
  const rateLimit = createRateLimit(signal)
  let checked: string | undefined
  let hasSaid = false
  let lastId = 0

  async function request(call: Call, until: number): Promise<unknown> {
    if (!(await rateLimit.enter(until)))
      throw new Trouble('which limits the rate of requests', true)
    try {
      budget.take()
    } catch (error) {
      rateLimit.leave('failed')
      throw error
    }
    onSend()
    const id = ++lastId
    const body = JSON.stringify({ jsonrpc: '2.0', id, ...call })
    const answer = await endpoint.send(body).catch((error: Error) => {
      rateLimit.leave('failed')
      throw new Trouble(`which does not answer: ${hide(error.message)}`)
    })
    const error = understand(answer.text)?.error
    if (!busyStatus.includes(answer.status) && !(error && isBusy(error))) {
      rateLimit.leave('answered')
      return resultOf({ id, ...call }, answer, endpoint)
    }
    rateLimit.leave({ busyMs: answer.retryAfterMs })
    if (!hasSaid) say(`${host} limits the rate of requests; continuing more slowly`)
    hasSaid = true
    const said = error ? `: ${hide(textOf(error.message))}` : ''
    throw new Trouble(`which limits the rate of requests (HTTP ${answer.status}${said})`, true)
  }

  async function check({ number, hash }: PinnedBlock, until: number): Promise<void> {
    if (checked === hash) return
    const params = [number, false]
    const found = await request({ method: 'eth_getBlockByNumber', params }, until)
    const itsHash = (found as { hash?: string } | null)?.hash
    if (itsHash === undefined) throw new Trouble(`which has no block ${Number(number)}`)
    if (itsHash !== hash)
      throw new Trouble(
        `which has another block ${Number(number)} than the one that is forked: it is another chain, or the block was replaced`,
      )
    checked = hash
  }

  return {
    host,
    async ask(call, until, pinned) {
      if (pinned) await check(pinned, until)
      return request(call, until)
    },
    get pausedUntil() {
      return rateLimit.pausedUntil
    },
    close: endpoint.close,
  }
}

/** What is asked. */
export interface Call {
  method: string
  params: readonly unknown[]
}

interface Reply {
  id?: unknown
  result?: unknown
  error?: RpcErrorBody
}

/** The answer in a body; undefined when it is no JSON-RPC. */
function understand(text: string): Reply | undefined {
  try {
    const answer = JSON.parse(text) as unknown
    const isOne = typeof answer === 'object' && answer !== null
    if (!isOne || !('result' in answer || 'error' in answer)) return undefined
    return answer as Reply
  } catch {
    return undefined
  }
}

/** The result, when it is one. An endpoint may name its caller's key in an error, so that is hidden. */
function resultOf(
  { id, method }: Call & { id: number },
  { status, text }: { status: number; text: string },
  { hide }: Endpoint,
): unknown {
  const read = understand(text)
  if (!read) {
    const said = text.trim() === '' ? '' : `: ${hide(text.trim().slice(0, 200))}`
    throw new Trouble(`which answers HTTP ${status} without JSON-RPC${said}`)
  }
  const { result, error } = read
  if (error) {
    const why = hide(textOf(error.message))
    if (isPruned(error))
      throw new Trouble(
        `which has not the state of that block any more (${why}): it takes an archive endpoint`,
      )
    throw new Trouble(`which refuses ${method}: ${why}`)
  }
  if (read.id !== id) throw new Trouble(`whose response to ${method} belongs to another request`)
  if (!canBeAnswer(method, result))
    throw new Trouble(
      `whose response to ${method} is malformed: ${hide(JSON.stringify(result)?.slice(0, 100) ?? 'nothing')}`,
    )
  return result
}
