import type { ServerResponse } from 'node:http'

export const eventStreamHead = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

/** A message of such a stream. With an `id`, a client that comes back names it in `Last-Event-ID`. */
export function eventMessage(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Writes a part of such a stream. Resolves when a slow reader has taken the pending bytes, or at the end of `signal`. */
export async function writePart(
  res: ServerResponse,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  if (res.write(text) || signal.aborted) return
  await new Promise<void>((resolve) => {
    const go = (): void => {
      res.removeListener('drain', go)
      signal.removeEventListener('abort', go)
      resolve()
    }
    res.on('drain', go)
    signal.addEventListener('abort', go)
  })
}
