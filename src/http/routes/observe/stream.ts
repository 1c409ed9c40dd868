import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { streamTypes } from '../../../observe/stream/stream.js'
import { realWait } from '../../../time/clock.js'
import { redacted } from '../../core/apiKeys.js'
import { eventMessage, eventStreamHead, writePart } from '../../core/reply.js'
import { requestSignal } from '../../core/request.js'
import { controlRoute, type Route } from '../../core/route.js'

/** Proxies close idle connections. Milliseconds of the machine. */
const keepaliveMs = 15_000

export const streamRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'followSimulator',
    method: 'get',
    path: '/_sim/stream',
    isUnjournaled: true,
    summary: 'Follow events live',
    description: `Sends server-sent events as they happen. Types: ${streamTypes.join(', ')}. The data is JSON. \`exchange\`: an exchange as in \`GET /_sim/journal\`, after its response. \`event\`: an event of any account, with \`account_id\` and \`cursor\`. \`block\`: \`{network, number, hash, parent_hash, time, transactions}\` (a repeated number means that this block and the later ones were replaced). \`clock\`: \`{now, unix_ms, mode}\`, after each move. \`fault\`: \`{change: added|removed|fired|ended, fault, request_id}\`. \`snapshot\`: \`{change: taken|restored|deleted|reset, snapshot, request_id}\`. \`scenario\`: \`{name, run, state: running|passed|failed, where, message, steps}\`, when a part of a scenario begins or ends. \`world\`: \`{change: leased|renewed|ended|lost|failed|passed, world: {id, lease_until}, reason}\`, on the default world only. With the header \`Last-Event-ID\`, the stream resumes after that entry. The response has this header too, so that a client can resume a stream that broke before its first event. The part before the hyphen changes with each start of the simulator. The simulator keeps the last 2,000 entries. A client that is slower, or returns later, first gets \`dropped\` with \`{count}\`. Secrets are masked.`,
    locks: 'none',
    answer: {
      description: 'The stream; it stays open until the client closes it.',
      contentType: 'text/event-stream',
      schema: z.string(),
    },
    async handler({ deps, req, res }) {
      const reader = deps.records.stream.reader(req.headers['last-event-id']?.toString())
      const head = { ...eventStreamHead, 'last-event-id': reader.start }
      if (req.method === 'HEAD') {
        reader.leave()
        return void res.writeHead(200, head).end()
      }
      const end = requestSignal(res, deps.timing.stopping)
      // The reader learns at once that the stream is open: all later events are in it.
      res.writeHead(200, head).write(': open\n\n')
      void keepAlive(res, end.signal)
      try {
        for (;;) {
          const part = await reader.next(end.signal)
          if (!part) break
          const dropped = part.dropped > 0 ? eventMessage('dropped', { count: part.dropped }) : ''
          const entries = redacted(deps, part.entries).map(({ id, type, data }) =>
            eventMessage(type, data, id),
          )
          // Until a slow reader has taken it, nothing more is read for it.
          await writePart(res, dropped + entries.join(''), end.signal)
        }
      } finally {
        reader.leave()
        end.release()
        res.end()
      }
    },
  }),
]

async function keepAlive(res: ServerResponse, signal: AbortSignal): Promise<void> {
  while (await realWait(keepaliveMs, signal)) res.write(': keepalive\n\n')
}
