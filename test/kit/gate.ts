import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A place in the network through which connections go, and where they can be hindered. */
export interface Gate {
  url: string
  /** Whether bytes arrive that go there, and those that come back. The connections look open in any case. */
  arrives: { there: boolean; back: boolean }
  /** How much later they arrive, at most; drawn for each piece. Milliseconds. */
  delayMs: number
  close(): void
}

/** Opens a gate to some ports of this machine: each connection goes to the next in turn that takes it. */
export async function openGate(ports: readonly number[], port = 0): Promise<Gate> {
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer((socket) => {
    keep(socket)
    const first = turn++
    // Its own round of all the ports, whatever other connections take meanwhile.
    passOn(
      socket,
      ports.map((_, at) => ports[(first + at) % ports.length]!),
    )
  })
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {}) // its `close` follows
    socket.once('close', () => sockets.delete(socket))
  }
  const passOn = (socket: Socket, [port, ...others]: readonly number[]): void => {
    if (port === undefined) {
      socket.destroy()
      return
    }
    const there = connect(port, '127.0.0.1')
    keep(there)
    const next = (): void => passOn(socket, others)
    there.once('error', next)
    there.once('connect', () => {
      there.off('error', next)
      pipe(socket, there, 'there')
      pipe(there, socket, 'back')
    })
  }
  const pipe = (from: Socket, to: Socket, way: 'there' | 'back'): void => {
    let arrivesAtMs = 0
    const later = (work: () => void): void => {
      // None overtakes another.
      arrivesAtMs = Math.max(arrivesAtMs, performance.now() + Math.random() * gate.delayMs)
      const inMs = arrivesAtMs - performance.now()
      if (inMs > 0) setTimeout(work, inMs)
      else work()
    }
    from.on('data', (piece) => later(() => gate.arrives[way] && to.write(piece)))
    from.once('close', () => later(() => gate.arrives[way] && to.destroy()))
  }
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrives: { there: true, back: true },
    delayMs: 0,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return gate
}
