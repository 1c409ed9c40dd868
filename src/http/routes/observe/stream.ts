import type { Response } from 'express'
import { z } from 'zod'
import { streamTypes } from '../../../observe/stream/stream.js'
import { realWait } from '../../../time/clock.js'
import { endOf } from '../../core/endOf.js'
import { masked } from '../../core/masked.js'
import { defineRoute, type Route } from '../../core/route.js'
import { eventMessage, eventStreamHead, writePart } from '../../server/eventStream.js'

/** Whoever stands in between closes connections on which nothing comes. Milliseconds of the machine. */
const keepaliveMs = 15_000

export const streamRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'followSimulator',
    method: 'get',
    path: '/_sim/stream',
    tag: 'Control',
    summary: 'Follow everything that happens',
    description: `Server-sent events, from now on. Types: ${streamTypes.join(', ')}. Each has JSON as its data: \`exchange\` an exchange as \`GET /_sim/journal\` has it, when it has been answered; \`event\` an event of any account, with \`account_id\` and \`cursor\`; \`block\` \`{network, number, hash, parent_hash, time, transactions}\` (a number that was there before: that block and those after it were replaced); \`clock\` \`{now, unix_ms, mode}\` after each move; \`fault\` \`{change: added|removed|fired, fault, request_id}\`; \`snapshot\` \`{change: taken|restored|deleted|reset, snapshot, request_id}\`; \`scenario\` \`{name, run, state: running|passed|failed, where, message, steps}\` as each part of a scenario begins, and at its end; \`world\` \`{change: leased|renewed|ended|lost, world: {id, lease_until}, reason}\`, to readers of the first world. With the header \`Last-Event-ID\` it goes on behind that entry. The answer has such a header, too: where the stream begins, so that who loses it before anything has come misses nothing; what stands before its hyphen is another one after each start of the simulator. The last 2,000 are kept: who is slower, or comes back later, gets \`dropped\` with \`{count}\` first. Secrets are masked.`,
    access: 'control',
    locks: 'none',
    source: 'extension',
    answers: [
      {
        status: 200,
        description: 'The stream; it stays open until the client closes it.',
        contentType: 'text/event-stream',
        schema: z.string(),
        example:
          'id: 5f0c1d2e-17\nevent: clock\ndata: {"now":"2026-01-01T00:02:00Z","unix_ms":1767225720000,"mode":"frozen"}\n\n',
      },
    ],
    errors: [],
    async handler({ deps, req, res }) {
      const reader = deps.records.stream.reader(req.headers['last-event-id']?.toString())
      const head = { ...eventStreamHead, 'last-event-id': reader.start }
      if (req.method === 'HEAD') return void res.writeHead(200, head).end()
      const end = endOf(res, deps.timing.stopping)
      // Told at once that it stands: what happens from here on is in it.
      res.writeHead(200, head).write(': open\n\n')
      void keepAlive(res, end.signal)
      try {
        for (;;) {
          const part = await reader.next(end.signal)
          if (!part) break
          const dropped = part.dropped > 0 ? eventMessage('dropped', { count: part.dropped }) : ''
          const entries = masked(deps, part.entries).map(({ id, type, data }) =>
            eventMessage(type, data, id),
          )
          // Until a slow reader has taken it, nothing more is read for it.
          await writePart(res, dropped + entries.join(''), end.signal)
        }
      } finally {
        end.release()
        res.end()
      }
    },
  }),
]

async function keepAlive(res: Response, signal: AbortSignal): Promise<void> {
  while (await realWait(keepaliveMs, signal)) res.write(': keepalive\n\n')
}
