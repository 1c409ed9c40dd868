import { connect } from 'node:net'

/** A node's answer: `error`, or else `result`. */
export interface NodeAnswer {
  readonly error?: { code?: number; message: string; data?: unknown } | undefined
  readonly result?: unknown
  /** The result as the node wrote it, for those who pass it on; absent where it was made here. */
  readonly json?: string
}

/** A result is read when somebody asks for it: large ones are often only passed on. */
class WrittenAnswer implements NodeAnswer {
  readonly json: string
  private read: { result: unknown } | undefined

  constructor(json: string) {
    this.json = json
  }

  get error(): undefined {
    return undefined
  }

  get result(): unknown {
    this.read ??= { result: JSON.parse(this.json) }
    return this.read.result
  }
}

/** How a node begins the answer to a request of a channel when that has succeeded. */
const begins = '{"jsonrpc":"2.0","id":1,"result":'

/** Requests all have the same id: each connection carries one at a time. */
function textOf(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

/** Reads an answer; throws when it is not JSON-RPC. */
export function readAnswer(text: string): NodeAnswer {
  if (text.startsWith(begins) && text.endsWith('}'))
    return new WrittenAnswer(text.slice(begins.length, -1))
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    answer = undefined
  }
  if (typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer))
    return answer as NodeAnswer
  throw new Error(`an answer with a body that is not JSON-RPC: ${text.slice(0, 200)}`)
}

/** One connection to a node's socket (`--ipc`). Each message is one line of JSON, in both directions. */
interface NodeLine {
  /** Sends one message, which must be one whole JSON value. */
  send(text: string): void
  /** Whether the connection keeps the process alive. */
  hold(held: boolean): void
  close(): void
}

/** Opens a connection; `onClose` is called once, with the reason when it broke or was never there. */
function openLine(
  path: string,
  { onLine, onClose }: { onLine: (line: string) => void; onClose: (cause?: Error) => void },
): NodeLine {
  const socket = connect(path)
  socket.setEncoding('utf8')
  let broken: Error | undefined
  let parts: string[] = []
  socket.on('data', (chunk: string) => {
    const lines = chunk.split('\n')
    const rest = lines.pop()!
    for (const line of lines) {
      onLine(parts.join('') + line)
      parts = []
    }
    if (rest !== '') parts.push(rest)
  })
  socket.on('error', (error) => {
    broken = error
  })
  // A node closes its side only when its process ends, so a half-open connection is of no use.
  socket.on('end', () => socket.destroy())
  socket.once('close', () => onClose(broken))
  return {
    send: (text) => void socket.write(`${text}\n`),
    hold: (held) => void (held ? socket.ref() : socket.unref()),
    close: () => void socket.destroy(),
  }
}

/** A connection on which a node reports by itself. */
export interface NodeFeed extends Omit<NodeLine, 'send'> {
  send(message: object): void
}

/** Opens a connection for subscriptions; `onMessage` gets each message of the node, and its text. */
export function openFeed(
  path: string,
  {
    onMessage,
    onClose,
  }: { onMessage: (message: FeedMessage, text: string) => void; onClose: (cause?: Error) => void },
): NodeFeed {
  const onLine = (text: string): void => onMessage(JSON.parse(text) as FeedMessage, text)
  const line = openLine(path, { onLine, onClose })
  return { ...line, send: (message) => line.send(JSON.stringify(message)) }
}

/** A notification, or the answer to a subscription. */
export interface FeedMessage extends NodeAnswer {
  id?: unknown
  params?: { result: unknown }
}

/** Requests over a few connections to one node. */
export interface Channel {
  /**
   * Sends a request and resolves to the answer, even if that is an error. Rejects with `ConnectionLost` when the connection breaks,
   * and with `AnswerTimeout` when no answer comes in time; the node may still do what it was asked.
   */
  request(method: string, params?: unknown, timeoutMs?: number): Promise<NodeAnswer>
  /** Closes the connections; pending requests reject. Safe to call twice. */
  close(): void
}

/** The node did not answer in time. */
export class AnswerTimeout extends Error {
  override name = 'AnswerTimeout'
}

/** The connection broke, or could not be opened. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
  /** The system's error code, if there is one. */
  readonly code: string | undefined

  constructor(cause: NodeJS.ErrnoException | undefined) {
    super(cause?.message ?? closedMessage, { cause })
    this.code = cause?.code
  }
}

const closedMessage = 'the connection was closed'

/** A connection of a channel, with the request that waits for its next line. */
interface Slot {
  line: NodeLine
  asker: Settle<string> | undefined
}

/** How a promise is settled from outside. */
interface Settle<T> {
  resolve: (value: T) => void
  reject: (cause: Error) => void
}

/**
 * Opens a channel. A connection carries one message at a time, so an answer needs no id to be found. At most `limit` are open;
 * further messages wait in the order of arrival, which keeps a burst of thousands from exhausting file descriptors.
 */
export function openChannel(path: string, limit = 16): Channel {
  const slots = new Set<Slot>()
  const idle: Slot[] = []
  const waiting: Settle<Slot>[] = []
  let closed = false

  const open = (): Slot => {
    const slot: Slot = {
      asker: undefined,
      line: openLine(path, {
        onLine(text) {
          const { asker } = slot
          slot.asker = undefined
          release(slot)
          asker?.resolve(text)
        },
        onClose(cause) {
          slots.delete(slot)
          const at = idle.indexOf(slot)
          if (at >= 0) idle.splice(at, 1)
          slot.asker?.reject(closed ? new Error(closedMessage) : new ConnectionLost(cause))
          // The next waiting request tries a new connection, and fails with the reason if that cannot be opened.
          const next = closed ? undefined : waiting.shift()
          if (next) next.resolve(open())
        },
      }),
    }
    slots.add(slot)
    return slot
  }
  const release = (slot: Slot): void => {
    const next = waiting.shift()
    if (next) next.resolve(slot)
    else {
      slot.line.hold(false)
      idle.push(slot)
    }
  }
  const take = (): Slot | Promise<Slot> => {
    const slot = idle.pop() ?? (slots.size < limit ? open() : undefined)
    return slot ?? new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  }

  return {
    async request(method, params, timeoutMs) {
      const text = textOf(method, params)
      if (closed) throw new Error(closedMessage)
      const slot = await take()
      const answer = await new Promise<string>((resolve, reject) => {
        const late = (): void => {
          slot.asker = undefined
          slot.line.close()
          reject(new AnswerTimeout(`it took longer than ${timeoutMs! / 1000} s`))
        }
        const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs)
        const settled =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer)
            settle(value)
          }
        slot.asker = { resolve: settled(resolve), reject: settled(reject) }
        slot.line.hold(true)
        slot.line.send(text)
      })
      return readAnswer(answer)
    },
    close() {
      closed = true
      for (const slot of slots) slot.line.close()
      for (const next of waiting.splice(0)) next.reject(new Error(closedMessage))
    },
  }
}
