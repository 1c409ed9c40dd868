import { z } from 'zod'
import {
  changedPairs,
  createFolioFeeds,
  type FolioPair,
  type Following,
  folioPairs,
} from '../../service/folio/feeds.js'
import { type Folio, folioSchema } from '../../service/folio/schema.js'
import { realWait } from '../../time/clock.js'
import { faultHeader } from '../core/headers.js'
import { eventMessage, eventStreamHead, writePart } from '../core/reply.js'
import { requestSignal } from '../core/request.js'
import { defineRoute, type Route } from '../core/route.js'
import { booleanParameter } from '../openapi/fields.js'
import { accountOf } from '../pipeline/auth.js'
import { otherMessages } from '../pipeline/faults.js'

const folioQuery = z.object({
  cached: booleanParameter(
    'When true, returns the most recent folio instead of computing a fresh one; faster, possibly stale. Default false.',
  ).optional(),
})

export const folioRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'getFolio',
    method: 'get',
    path: '/accounts/:account_id/folio',
    tag: 'Portfolio',
    summary: 'Read the portfolio',
    description:
      'Wallet balances, positions and market data across all networks. Keys are slash-joined paths with lower-case addresses; amounts are `<decimal>e<decimals>` in whole units, rates are fractions.',
    access: 'account',
    source: 'interface',
    query: folioQuery,
    answer: {
      description: 'The folio.',
      schema: z.strictObject({ folio: folioSchema }),
    },
    errors: [
      {
        code: 'invalid_params',
        when: '`cached` is neither true nor false',
      },
      { code: 'timeout' },
    ],
    handler: async ({ deps, account, query }) => ({
      folio: await deps.service.folio.read(account, { cached: query.cached ?? false }),
    }),
  }),
]

/**
 * The interval of comments that keep the connection open, by the machine's time, and of new readings of the folio, by the clock: interest and
 * outside transfers have no event.
 */
const defaultKeepaliveMs = 30_000

const path = '/accounts/:account_id/folio/stream'

export function folioStreamRoutes(): readonly Route[] {
  const feeds = createFolioFeeds()
  return [
    defineRoute({
      operationId: 'getFolioStream',
      method: 'get',
      path,
      tag: 'Portfolio',
      summary: 'Follow the portfolio',
      description:
        'Sends server-sent events. The first is `snapshot`: an array of `[key, value]` pairs whose keys begin with the section. After each event of the account, and every 30 seconds of the clock, `update` has the changed pairs (null for a removed key). A `: keepalive` comment is sent every 30 seconds of the machine’s time, even when the clock is frozen.',
      access: 'account',
      locks: 'handler',
      answer: {
        description: 'The stream; it stays open until the client closes it.',
        contentType: 'text/event-stream',
        schema: z.string(),
      },
      errors: [{ code: 'timeout' }],
      async handler({ deps, prime, account, req, res }) {
        const { accountId, primeId } = account
        const { service, timing } = deps
        const intervalMs = service.folioKeepaliveMs ?? defaultKeepaliveMs
        const read = () =>
          timing.lock.shared('a folio stream', async () => {
            // The restored state may not have the account.
            const known = await accountOf(deps, primeId, accountId)
            return service.folio.read(known, { cached: false })
          })
        // A HEAD request gets the headers at once; there is no stream to wait for.
        if (req.method === 'HEAD') {
          await read()
          return void res.writeHead(200, eventStreamHead).end()
        }
        const subscribe = (onChange: () => void) => {
          const unsubscribes = [
            service.store.onEvent(accountId, onChange),
            timing.lock.onReplaced(onChange),
          ]
          return () => {
            for (const unsubscribe of unsubscribes) unsubscribe()
          }
        }
        const signals = createSignals(intervalMs)
        // A fault in a request's header meets no other request, so such a stream reads for itself.
        const key = req.headers[faultHeader] === undefined ? accountId : Symbol(accountId)
        const source = { read, subscribe, clockWait: timing.clock.look, intervalMs }
        // Before the first read, or an event during it would be missed.
        const feed = feeds.follow(key, source, signals.look)
        try {
          const folio = await read()
          const end = requestSignal(res, timing.stopping)
          const send: Send = async (event, pairs) => {
            const subscriber = { req, primeId: prime.primeId, path }
            // Until a slow reader has taken it, nothing more is read for it; what changed meanwhile is one update then.
            for (const message of await otherMessages(deps, subscriber, { event, pairs }))
              await writePart(res, eventMessage(message.event, message.pairs), end.signal)
          }
          const keepAlive = () => writePart(res, ': keepalive\n\n', end.signal)
          try {
            res.writeHead(200, eventStreamHead)
            await sendChanges(folio, {
              feed,
              next: () => signals.next(end.signal),
              send,
              keepAlive,
            })
          } finally {
            end.release()
            res.end()
          }
        } finally {
          feed.leave()
          signals.stop()
        }
      },
    }),
  ]
}

type Send = (event: string, pairs: readonly FolioPair[]) => Promise<void>

/** Sends the folio, and then what changes in it, until the stream ends. */
async function sendChanges(
  first: Folio,
  stream: {
    feed: Following
    next(): Promise<Why>
    send: Send
    keepAlive(): Promise<unknown>
  },
): Promise<void> {
  let folio = first
  await stream.send('snapshot', folioPairs(folio))
  for (let why = await stream.next(); why !== 'end'; why = await stream.next()) {
    if (why === 'alive') {
      await stream.keepAlive()
      continue
    }
    const now = await stream.feed.look().catch(() => undefined)
    // The stream has begun: all that is left to say to a reader is its end.
    if (now === undefined) return
    const changed = changedPairs(folio, now)
    folio = now
    if (changed.length > 0) await stream.send('update', changed)
  }
}

/** Why a stream wakes: to read the folio, to send a sign of life, or because it ends. */
type Why = 'look' | 'alive' | 'end'

/**
 * Wakes the stream to read the folio, when `look` is called, and to send a sign of life, after each interval of the machine's time: the
 * reader's machine is the one that takes a silent stream for dead. Calls while it is busy are not lost.
 */
function createSignals(intervalMs: number) {
  const stopped = new AbortController()
  let waiting: ((why: Why) => void) | undefined
  const missed = new Set<Why>()
  const wake = (why: Why): void => {
    if (waiting) waiting(why)
    else missed.add(why)
  }
  const tick = async (): Promise<void> => {
    while (await realWait(intervalMs, stopped.signal)) wake('alive')
  }
  void tick()
  return {
    look: () => wake('look'),
    stop: () => stopped.abort(),
    next(signal: AbortSignal): Promise<Why> {
      if (signal.aborted) return Promise.resolve('end')
      for (const why of missed) {
        missed.delete(why)
        return Promise.resolve(why)
      }
      return new Promise((resolve) => {
        const settle = (why: Why): void => {
          waiting = undefined
          signal.removeEventListener('abort', onAbort)
          resolve(why)
        }
        const onAbort = (): void => settle('end')
        waiting = settle
        signal.addEventListener('abort', onAbort)
      })
    },
  }
}
