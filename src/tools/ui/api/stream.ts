import { createParser } from 'eventsource-parser'
import type { Schemas } from '../../../clients/client/types.js'
import type { components } from '../../../clients/control/controlApi.js'
import type { EntryData } from '../../../observe/stream/messages.js'

export interface StreamData extends EntryData<components['schemas'] & Pick<Schemas, 'Event'>> {
  dropped: { count: number }
}

export type StreamMessage = {
  [Type in keyof StreamData]: { type: Type; data: StreamData[Type] }
}[keyof StreamData]

export interface StreamFollower {
  /** The stream is open; called again after each break. */
  onOpen(): void
  onMessage(message: StreamMessage): void
  /** The simulator was restarted: all earlier messages are void. */
  onOtherRun(): void
  /** The world does not exist, or no longer. */
  onGone(): void
  /** The stream broke, or could not be opened; another attempt follows. */
  onBreak(): void
}

const firstWaitMs = 500
const longestWaitMs = 8_000

/**
 * Follows the stream until the signal is aborted or the world is gone, and goes on behind the last entry after each break.
 * `EventSource` can send no header, and the token is one.
 */
export async function followStream(
  ask: (request: Request) => Promise<Response>,
  follower: StreamFollower,
  signal: AbortSignal,
): Promise<void> {
  let lastId: string | undefined
  let waitMs = firstWaitMs
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> =
        lastId === undefined ? {} : { 'last-event-id': lastId }
      const response = await ask(
        new Request('/_sim/stream', { headers, cache: 'no-store', signal }),
      )
      if (response.status === 404) return follower.onGone()
      if (response.ok && response.body) {
        const start = response.headers.get('last-event-id') ?? undefined
        if (lastId !== undefined && runOf(start) !== runOf(lastId)) follower.onOtherRun()
        lastId = start
        follower.onOpen()
        waitMs = firstWaitMs
        await read(response.body, (id, message) => {
          lastId = id ?? lastId
          follower.onMessage(message)
        })
      }
    } catch {
      // Broken connections and refusals alike: it is tried again.
    }
    if (signal.aborted) return
    follower.onBreak()
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMs * 2, longestWaitMs)
  }
}

/** Ids begin with a part that changes with each start of the simulator. */
const runOf = (id: string | undefined) => id?.split('-')[0]

async function read(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  tell: (id: string | undefined, message: StreamMessage) => void,
): Promise<void> {
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      tell(id, { type: event, data: JSON.parse(data) } as StreamMessage),
  })
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    parser.feed(value)
  }
}
