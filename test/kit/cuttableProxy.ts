import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** Passes bytes on to a server, until its connections are cut. */
export interface CuttableProxy {
  url: string
  /** Breaks every connection, and takes no further ones. */
  cut(): void
  /** Takes connections again. */
  mend(): void
  close(): Promise<void>
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return void client.destroy()
    const there = connect(Number(port), hostname)
    for (const [one, other] of [
      [client, there],
      [there, client],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => {}) // its `close` follows
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      breakAll()
    },
    mend() {
      isCut = false
    },
    close() {
      breakAll()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
