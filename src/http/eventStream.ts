/** The head of a stream of server-sent events. */
export const eventStreamHead = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

/** A message of such a stream. With an `id`, a client that comes back names it in `Last-Event-ID`. */
export function eventMessage(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
