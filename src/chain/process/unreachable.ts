import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeTemporaryFolder } from '../../lib/files/makeFolder.js'

// anvil always opens a TCP port, where it accepts requests from any web page, by WebSocket and as plain POST. So its port is bound to an
// address that nobody can connect to, and all requests go through its socket, in a folder that only this user can read.

/** The broadcast address of the loopback network: Linux lets a server listen there and refuses every connection to it. */
const broadcast = '127.255.255.255'

/**
 * The address for the TCP ports of the nodes: on Linux one that nothing can connect to, which is tested once; elsewhere 127.0.0.1.
 */
export function unreachableHost(): Promise<string> {
  chosenHost ??= isUnreachable(broadcast).then((yes) => (yes ? broadcast : '127.0.0.1'))
  return chosenHost
}

let chosenHost: Promise<string> | undefined

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

/** The folder for the sockets of one simulator. */
export interface SocketPlace {
  /** Undefined on Windows, whose pipes are in no folder. */
  readonly folder: string | undefined
  of(name: string): string
  /** Removes the folder. Safe to call twice. */
  remove(): void
}

/** Why no socket can be created next to this one, and what to do; undefined if it can. */
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

/** The longest folder path that leaves room for a file name: socket paths are limited to 104 bytes on macOS, 108 on Linux. */
const longestFolder = 80

/** Creates a folder for the sockets that only this user can read. */
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
