import { type RunClock, Unexpected } from '../../clients/scenarios/play.js'
import {
  createWire,
  describe,
  type RequestOptions,
  type ScenarioReply,
  type ScenarioTarget,
  type SentRequest,
  type Wire,
} from '../../clients/scenarios/target.js'
import { at, RunEnded } from './types.js'

export const bounds = {
  requests: 2_000,
  /** A folio may take 30 seconds, and so may a long poll. */
  answerMs: 60_000,
  /** The longest wait for one 429, and how often a request is retried. */
  retryAfterMs: 30_000,
  retries: 5,
  /** The longest wait for all 429 together. */
  limitedMs: 600_000,
  /** How many responses may be cut. */
  cut: 20,
}

/** A wire that waits after 429, is bounded, and uses the service API alone. */
export type VerifyWire = ReturnType<typeof createVerifyWire>

export function createVerifyWire(target: ScenarioTarget, clock: RunClock, limits = bounds) {
  const wire = createWire(target, ['content-type', 'retry-after', 'date'])
  let untaken: SentRequest[] = []
  let requests = 0
  let limited = 0
  let limitedMs = 0
  let cut = 0
  let latest: SentRequest | undefined

  async function sendOnce(request: RequestOptions): Promise<ScenarioReply> {
    if (requests >= limits.requests)
      throw new RunEnded(
        `${limits.requests} requests were sent, which is the most that a run sends`,
      )
    requests++
    return wire.send({ withinMs: limits.answerMs, ...request })
  }

  /** A cut connection may be an accident, or the end of the server. */
  async function expectAlive(why: string | undefined): Promise<void> {
    for (let left = 2; ; left--) {
      const answer = await sendOnce({ method: 'GET', path: '/networks', withinMs: 10_000 })
      if (!answer.cut) return
      if (left === 0) throw new RunEnded(`${target.url} does not answer any more (${why})`)
      await clock.wait(500)
    }
  }

  async function send(request: RequestOptions): Promise<ScenarioReply> {
    for (let tries = 0; ; tries++) {
      const answer = await sendOnce(request)
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
        untaken.push(latest)
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

  const get = (path: string, more?: Partial<RequestOptions>) =>
    send({ method: 'GET', path, ...more })
  const refuse = async (): Promise<never> => {
    throw new Error('only a simulator has a control API')
  }
  return {
    send,
    get,
    ask: refuse,
    control: refuse,
    rpc: refuse,
    follow: (accountId, activityId, withinMs) =>
      follow({ get, clock }, accountId, activityId, withinMs),
    exchanges: wire.exchanges,
    /** Exchanges since the last call of this method. */
    taken(): SentRequest[] {
      const taken = untaken
      untaken = []
      return taken
    },
    latest: () => latest,
    requests: () => requests,
    limited: () => limited,
  } satisfies Wire & Record<string, unknown>
}

const endings = ['confirmed', 'failed']

/** How often events are read again after an unknown status, or an activity whose events have ended it. */
const strangeRounds = 10

interface Reading {
  get(path: string): Promise<ScenarioReply>
  clock: RunClock
}

/** Waits for the end of an activity by its events: the interface shows no other way, and only two statuses. */
async function follow(
  reading: Reading,
  accountId: string,
  activityId: string,
  withinMs: number,
): ReturnType<Wire['follow']> {
  const { clock } = reading
  const until = clock.now() + withinMs
  const path = `/accounts/${accountId}/events`
  let strange = 0
  for (let cursor = 0; clock.now() < until; ) {
    // A status that is neither pending nor final may be followed by a final one for a while.
    if (strange > 0) await clock.wait(1_000)
    const page = await read(reading, `${path}?since=${cursor}&poll=${strange === 0}`)
    const statuses = statusesOf(page, activityId)
    if (strange > 0 || statuses.some((status) => status !== 'pending')) strange++
    if (statuses.some((status) => endings.includes(status)) || strange > strangeRounds)
      return readEnded(reading, activityId)
    const next = at(page, 'cursor')
    cursor = typeof next === 'number' ? next : cursor
  }
  const expected = `an event that ends ${activityId} within ${withinMs / 1_000} seconds`
  throw new Unexpected(`GET ${path}: expected ${expected}`, {
    where: `GET ${path}`,
    expected,
    seen: 'none',
  })
}

/** Reads the activity until it has ended: the interface does not promise that a read agrees with an event at once. */
async function readEnded(reading: Reading, activityId: string): ReturnType<Wire['follow']> {
  for (let round = 1; ; round++) {
    const activity = await read(reading, `/activities/${activityId}`)
    const hasEnded = endings.includes(String(at(activity, 'activity_status')))
    if (hasEnded || round > strangeRounds) return activity as Awaited<ReturnType<Wire['follow']>>
    await reading.clock.wait(1_000)
  }
}

async function read({ get }: Reading, path: string): Promise<unknown> {
  const answer = await get(path)
  if (answer.status === 200 && !answer.cut) return answer.body
  const problem = { where: `GET ${path}`, expected: 'status 200', seen: describe(answer) }
  throw new Unexpected(`${problem.where}: expected status 200, got ${problem.seen}`, problem)
}

/** The statuses of an activity, in the order in which a page of events reports them. */
export function statusesOf(page: unknown, activityId: string): string[] {
  const events = at(page, 'events')
  if (!Array.isArray(events)) {
    const actual = JSON.stringify(events) ?? 'nothing'
    throw new Unexpected(`expected events to be a list, but it is ${actual}`, {
      where: 'events',
      expected: 'a list',
      seen: actual,
    })
  }
  const own = events.filter((event) => at(event, 'data', 'activity_id') === activityId)
  return own.map((event) => String(at(event, 'data', 'activity_status')))
}

/** `retry-after` in seconds or as a date; a second when it says nothing. */
function retryAfterMs({ headers }: ScenarioReply, clock: RunClock): number {
  const text = headers['retry-after'] ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const date = Date.parse(text)
  return Number.isNaN(date) ? 1_000 : Math.max(0, date - clock.now())
}
