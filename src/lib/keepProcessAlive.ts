import type { Server } from 'node:net'

// A simulator inside another program must not keep it alive: its servers, nodes and timers are in the background. It keeps the program
// alive only while it starts, stops, or does what the program asked for.

/** Keeps this program alive until the returned function is called; calling it twice is safe. */
export function keepProcessAlive(): () => void {
  const timer = setInterval(() => {}, 2 ** 30)
  return () => clearInterval(timer)
}

/** Wraps a function so that it keeps the program alive until its promise settles. */
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

/** Stops the server and its connections from keeping the program alive. */
export function inBackground<S extends Server>(server: S): S {
  server.unref()
  server.on('connection', (socket) => socket.unref())
  return server
}
