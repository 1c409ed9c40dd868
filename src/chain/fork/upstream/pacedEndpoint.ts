import { setTimeout as pause } from 'node:timers/promises'
import {
  busyStatus,
  canBeAnswer,
  createEndpoint,
  type Endpoint,
  isBusy,
  isPruned,
  type RpcErrorBody,
  textOf,
} from './endpoint.js'

export interface PinnedBlock {
  number: string
  hash: string
}

export interface PacedEndpoint {
  host: string
  /**
   * Sends a request, if the endpoint has the pinned block. Rejects with `Trouble` when it fails or `until` (`performance.now()`) has passed,
   * or with `SpentError`.
   */
  ask(call: Call, until: number, pinned: PinnedBlock | undefined): Promise<unknown>
  /** When it may be asked again; in the past when it may be now. */
  readonly pausedUntil: number
  close(): void
}

/** State shared by all members of an upstream. */
export interface PacedEndpointOptions {
  answerWithinMs: number
  budget: Budget
  signal: AbortSignal
  /** Called before each request. */
  onSend(): void
  /** Called once when the endpoint limits the rate of requests. */
  say(remark: string): void
}

/** Why an endpoint failed, as the end of a sentence about it. */
export class Trouble extends Error {
  /** It may succeed later. */
  readonly isBusy: boolean
  constructor(why: string, isBusy = false) {
    super(why)
    this.isBusy = isBusy
  }
}

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
    const block = await request({ method: 'eth_getBlockByNumber', params }, until)
    const itsHash = (block as { hash?: string } | null)?.hash
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

export interface Call {
  method: string
  params: readonly unknown[]
}

interface Reply {
  id?: unknown
  result?: unknown
  error?: RpcErrorBody
}

/** Undefined when the body is no JSON-RPC response. */
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

/** The result; throws `Trouble` without one. Hides the caller's key, which an endpoint may repeat in an error. */
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

const maxAtOnce = 32
const firstPauseMs = 250
const longestPauseMs = 8_000

/** Limits the concurrent requests to an endpoint: halves the limit when the endpoint refuses, then raises it slowly. */
function createRateLimit(signal: AbortSignal) {
  let limit = maxAtOnce
  let running = 0
  let pausedUntil = 0
  let refusals = 0
  const waiting: (() => void)[] = []
  const next = (): void => {
    while (running < limit && waiting.length > 0) {
      running++
      waiting.shift()!()
    }
  }
  const untilTurn = async (until: number): Promise<boolean> => {
    if (running < limit) {
      running++
      return true
    }
    const turn = new Promise<true>((resolve) => waiting.push(() => resolve(true)))
    const over = new AbortController()
    const late = pause(Math.max(0, until - performance.now()), false as const, {
      signal: AbortSignal.any([signal, over.signal]),
      ref: false,
    }).catch(() => false as const)
    const isMine = await Promise.race([turn, late])
    over.abort()
    // A request that has stopped waiting passes its turn on to the next.
    if (!isMine) void turn.then(() => leaveTurn())
    return isMine
  }
  const leaveTurn = (): void => {
    running--
    next()
  }
  return {
    /** Resolves to true when a request may be sent; to false when that would be after `until` (`performance.now()`). */
    async enter(until: number): Promise<boolean> {
      if (!(await untilTurn(until))) return false
      for (let wait = pausedUntil - performance.now(); wait > 0; ) {
        if (pausedUntil > until) {
          leaveTurn()
          return false
        }
        await pause(wait, undefined, { signal }).catch(() => {})
        if (signal.aborted) break
        wait = pausedUntil - performance.now()
      }
      return true
    },
    /** Reports the end of a request; `busyMs` is the requested pause of a refused one. */
    leave(how: 'answered' | 'failed' | { busyMs: number | undefined }): void {
      if (how === 'answered') {
        refusals = 0
        limit = Math.min(maxAtOnce, limit + 1 / limit)
      } else if (how !== 'failed' && performance.now() >= pausedUntil) {
        // Concurrent requests are refused together, so they count once.
        const longer = Math.min(longestPauseMs, firstPauseMs * 2 ** refusals++)
        pausedUntil = performance.now() + Math.max(longer, how.busyMs ?? 0)
        limit = Math.max(1, limit / 2)
      }
      leaveTurn()
    },
    /** By `performance.now()`. */
    get pausedUntil() {
      return pausedUntil
    },
  }
}

/** The number of requests left for the endpoints of all networks. */
export type Budget = ReturnType<typeof createBudget>

/** The budget is used up. The message is the end of a sentence about the endpoint. */
export class SpentError extends Error {
  override name = 'SpentError'
}

/** Unbounded when `max` is undefined. */
export function createBudget(max: number | undefined) {
  let taken = 0
  return {
    /** Throws when none is left. */
    take(): void {
      if (max !== undefined && taken >= max)
        throw new SpentError(
          `which gets no more requests: the limit of --fork-max-requests (${max}) is reached. Raise it, or start from recorded state: --fork-cache with the same block, or a bundle`,
        )
      taken++
    },
  }
}
