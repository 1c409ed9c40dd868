import type { Server } from 'node:net'

// What keeps a program alive. A simulator inside somebody's program must not: its servers, nodes and timers are in the background, and
// it holds the program only while it starts, stops, or does what the program has asked it for.

/** Keeps this program alive until the answer is called; calling that twice is safe. */
export function keepProcessAlive(): () => void {
  const timer = setInterval(() => {}, 2 ** 30)
  return () => clearInterval(timer)
}

/** The same function, which keeps the program alive until its promise settles. */
export function keepingProcessAlive<A extends unknown[], R>(work: (...args: A) => Promise<R>) {
  return async (...args: A): Promise<R> => {
    const release = keepProcessAlive()
    try {
      return await work(...args)
    } finally {
      release()
    }
  }
}

/** Neither the server nor its connections keep the program alive. */
export function inBackground<S extends Server>(server: S): S {
  server.unref()
  server.on('connection', (socket) => socket.unref())
  return server
}
