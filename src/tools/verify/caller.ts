import type { RunClock } from '../../clients/scenarios/play.js'
import {
  createWire,
  type RequestOptions,
  type ScenarioReply,
  type ScenarioTarget,
  type SentRequest,
} from '../../clients/scenarios/target.js'
import { must, type Seen } from './expect.js'
import { RunEnded } from './types.js'

/** Asks the server, politely: one thing after the other unless a probe is about two at once, and never without end. */
export type Caller = ReturnType<typeof createCaller>

/** The bounds of a run. */
export const bounds = {
  requests: 2_000,
  /** A folio may take 30 seconds, and so may a long poll. */
  answerMs: 60_000,
  /** Longest wait that a 429 may ask for, and how often it may. */
  retryAfterMs: 30_000,
  retries: 5,
  /** Longest wait for all 429 together. */
  limitedMs: 600_000,
  /** How many answers may not come to their end. */
  cut: 20,
}

/** Connects nothing yet. */
export function createCaller(target: ScenarioTarget, clock: RunClock, limits = bounds) {
  const wire = createWire(target, ['content-type', 'retry-after', 'date'])
  let seen: SentRequest[] = []
  let requests = 0
  let limited = 0
  let limitedMs = 0
  let cut = 0
  let latest: SentRequest | undefined

  async function ask(request: RequestOptions): Promise<ScenarioReply> {
    if (requests >= limits.requests)
      throw new RunEnded(
        `${limits.requests} requests were sent, which is the most that a run sends`,
      )
    requests++
    return wire.send({ withinMs: limits.answerMs, ...request })
  }

  /** A connection that ends may be one accident, or the end of the server. */
  async function expectAlive(why: string | undefined): Promise<void> {
    for (let left = 2; ; left--) {
      const answer = await ask({ method: 'GET', path: '/networks', withinMs: 10_000 })
      if (!answer.cut) return
      if (left === 0) throw new RunEnded(`${target.url} does not answer any more (${why})`)
      await clock.wait(500)
    }
  }

  async function send(request: RequestOptions): Promise<ScenarioReply> {
    for (let tries = 0; ; tries++) {
      const answer = await ask(request)
      if (answer.cut) {
        if (++cut > limits.cut)
          throw new RunEnded(
            `${cut} answers did not come to their end, the last one: ${answer.why}`,
          )
        await expectAlive(answer.why)
      }
      if (answer.status === 429) limited++
      if (answer.status !== 429 || tries === limits.retries) {
        const { method, path, body, raw } = request
        latest = { method, path, sent: raw ?? body, answer }
        seen.push(latest)
        return answer
      }
      const waitMs = Math.min(retryAfterMs(answer, clock), limits.retryAfterMs)
      limitedMs += waitMs
      if (limitedMs > limits.limitedMs)
        throw new RunEnded(
          `the waits that 429 asked for exceed ${limits.limitedMs / 1_000} seconds in all`,
        )
      await clock.wait(waitMs)
    }
  }

  return {
    send,
    get: (path: string, more?: Partial<RequestOptions>) => send({ method: 'GET', path, ...more }),
    /** The body of a GET that must be 200. */
    read: async (path: string): Promise<Seen> =>
      must(`GET ${path}`, await send({ method: 'GET', path }), { status: 200 }),
    post: (path: string, body: unknown) => send({ method: 'POST', path, body }),
    /** What was asked and answered since the last call of this. */
    taken(): SentRequest[] {
      const taken = seen
      seen = []
      return taken
    },
    /** What was asked and answered last. */
    latest: () => latest,
    requests: () => requests,
    /** How many answers were 429. */
    limited: () => limited,
  }
}

/** `retry-after` in seconds or as a date; a second when it says nothing. */
function retryAfterMs({ headers }: ScenarioReply, clock: RunClock): number {
  const text = headers['retry-after'] ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? 1_000 : Math.max(0, at - clock.now())
}
