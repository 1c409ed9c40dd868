import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/** What answers requests once the simulator is ready. */
export interface Face {
  handle(req: IncomingMessage, res: ServerResponse): void
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** A listening server. */
export interface Listening {
  url: string
  /** From now on requests are answered by it; what waited is answered first. */
  serve(face: Face): void
  /** Stops listening and drops what is still open. */
  close(): Promise<void>
}

/** The port is taken. */
export class PortInUseError extends Error {
  override name = 'PortInUseError'
}

/**
 * Listens before anything else is up, so that an occupied port costs nothing and liveness can be seen. Until `serve` is
 * called only the health routes answer (`starting`); every other request waits. `localhost` listens on 127.0.0.1 and, where
 * the machine has it, on ::1.
 */
export async function listen(
  { host, port }: { host: string; port: number },
  starting: (req: IncomingMessage, res: ServerResponse) => boolean,
): Promise<Listening> {
  let ready: (face: Face) => void = () => {}
  const face = new Promise<Face>((resolve) => {
    ready = resolve
  })
  let current: Face | undefined
  void face.then((value) => {
    current = value
  })
  const make = (): Server => {
    const server = createServer((req, res) => {
      if (current) current.handle(req, res)
      else if (!starting(req, res)) void face.then((value) => value.handle(req, res))
    })
    // Clients keep connections between requests; Node's five seconds would cut some of them at the wrong moment.
    server.keepAliveTimeout = 75_000
    server.on('upgrade', (req, socket, head) => {
      void face.then((value) => value.upgrade(req, socket, head))
    })
    return server
  }
  const [first, ...others] = host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
  const main = await bind(make(), first!, port)
  const bound = (main.address() as AddressInfo).port
  const servers = [main]
  for (const other of others) {
    const extra = await bind(make(), other, bound).catch(async (error: Error) => {
      if (!(error instanceof PortInUseError)) return undefined
      await closeServer(main)
      throw error
    })
    if (extra) servers.push(extra)
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    serve: ready,
    async close() {
      await Promise.all(servers.map(closeServer))
    },
  }
}

function bind(server: Server, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new PortInUseError(
              `port ${port} on ${host} is in use; stop what listens there, or choose another with --port (0 takes a free one)`,
            )
          : error,
      )
    })
    server.listen(port, host, () => resolve(server))
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
