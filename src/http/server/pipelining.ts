import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * The requests of each connection, one after the other. Node would begin all that a client has sent on one connection (pipelining) at
 * once, though they are answered in their order: thousands would be under way before anybody else's.
 */
export interface Pipelining {
  /** Has to be called once for each connection, before its first request. */
  watch(socket: Duplex): void
  /**
   * Begins the work of a request as soon as the answers before it on its connection are out. While many wait, no more is read. It never
   * begins when the connection closes before. `ended` is called when the answer of work that has begun is out, or never will be.
   */
  begin(
    socket: Duplex,
    res: ServerResponse,
    work: () => void,
    ended?: (res: ServerResponse) => void,
  ): void
  /** From now on somebody else reads the connection. */
  leave(socket: Duplex): void
}

interface Line {
  isBusy: boolean
  waiting: (() => void)[]
  /** Nothing is read, since so many wait. */
  isHeld: boolean
}

/** While fewer wait, it is read on: only who reads hears that the client has hung up, and ends what is done for it, a long poll say. */
const maxWaiting = 16

/** Makes it for the connections of a server. */
export function createPipelining(): Pipelining {
  const lines = new WeakMap<Duplex, Line>()
  return {
    watch(socket) {
      const line: Line = { isBusy: false, waiting: [], isHeld: false }
      lines.set(socket, line)
      // Node resumes it behind every request, and for whoever reads a body.
      socket.on('resume', () => {
        if (line.isHeld) stopReading(socket)
      })
      socket.once('close', () => {
        line.waiting = []
      })
    },
    begin(socket, res, work, ended) {
      const line = lines.get(socket)!
      const start = (): void => {
        // The answer before was the last one of its connection.
        if (!socket.writable) return
        line.isBusy = true
        res.on('close', () => {
          line.isBusy = false
          next(socket, line)
          // Last, so that no moment is empty between two requests of a connection.
          ended?.(res)
        })
        work()
      }
      if (!line.isBusy) return start()
      line.waiting.push(start)
      if (line.waiting.length < maxWaiting) return
      line.isHeld = true
      stopReading(socket)
    },
    leave(socket) {
      lines.get(socket)!.isHeld = false
    },
  }
}

/** When it was resumed and paused in one turn it counts as paused, and reads: then it does not tell the server to stop. */
function stopReading(socket: Duplex): void {
  socket.pause()
  socket.emit('pause')
}

function next(socket: Duplex, line: Line): void {
  const start = line.waiting.shift()
  if (line.waiting.length < maxWaiting && line.isHeld) {
    line.isHeld = false
    socket.resume()
  }
  start?.()
}
