import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeTemporaryFolder } from '../../lib/files/makeFolder.js'

// anvil cannot be told to open no TCP port, and on the one it opens it takes what any web page sends, by WebSocket and as plain
// POST. So its port is bound where nobody can connect, and everything goes over its socket, in a folder that is this user's.

/** The broadcast address of the loopback network: Linux lets a server listen there and refuses every connection to it. */
const broadcast = '127.255.255.255'

/**
 * The address for the nodes' TCP ports: one that nothing can connect to where the system has such a thing (Linux), tried out
 * once; elsewhere 127.0.0.1.
 */
export function unreachableHost(): Promise<string> {
  found ??= isUnreachable(broadcast).then((yes) => (yes ? broadcast : '127.0.0.1'))
  return found
}

let found: Promise<string> | undefined

async function isUnreachable(host: string): Promise<boolean> {
  const server = await new Promise<Server | undefined>((resolve) => {
    const attempt = createServer()
    attempt.once('error', () => resolve(undefined))
    attempt.listen(0, host, () => resolve(attempt))
  })
  if (!server) return false
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const refused = await new Promise<boolean>((resolve) => {
    const socket = connect(port, host)
    socket.once('error', () => resolve(true))
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
  })
  await new Promise((resolve) => server.close(resolve))
  return refused
}

/** Where the nodes of one simulator have their sockets. */
export interface SocketPlace {
  /** The folder; undefined on Windows, whose pipes are in none. */
  readonly folder: string | undefined
  of(name: string): string
  /** Removes the folder. Safe to call twice. */
  remove(): void
}

/** Why no socket can be made beside this one, and what to do; undefined when one can. */
export function socketProblem(socket: string): Promise<string | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(
        `no sockets can be made in ${dirname(socket)} (${code}). Some file systems, such as exFAT and shared folders, have none. ` +
          'Set TMPDIR to a folder on a local disk.',
      ),
    )
    server.listen(`${socket}.try`, () => server.close(() => resolve(undefined)))
  })
}

/** The longest folder that leaves room for a file name: a socket's path has 104 bytes on macOS, 108 on Linux. */
const longestFolder = 80

/** Makes a folder of this user's own for the sockets. */
export function socketPlace(platform: string = process.platform): SocketPlace {
  if (platform === 'win32') {
    const prefix = `svc-sim-${process.pid}-${Math.random().toString(36).slice(2)}`
    return { folder: undefined, of: (each) => `\\\\.\\pipe\\${prefix}-${each}`, remove() {} }
  }
  const root = Buffer.byteLength(tmpdir()) > longestFolder ? '/tmp' : tmpdir()
  const folder = makeTemporaryFolder('svc-sim-', root)
  return {
    folder,
    of: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
