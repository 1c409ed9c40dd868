import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import pTimeout from 'p-timeout'
import { expect, test } from 'vitest'
import { coarseTimeout, coarseTimers } from './coarseTimeout.js'

/** The process does nothing else meanwhile. */
function standStill(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** What a connection brings while the process stands still for longer than the timer. */
async function whileStill<T>(wait: (connected: Promise<'connected'>) => Promise<T>): Promise<T> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  try {
    const waiting = wait(once(socket, 'connect').then(() => 'connected' as const))
    standStill(60)
    return await waiting
  } finally {
    socket.destroy()
    server.close()
  }
}

test('default: it calls back when the time is over, and not when it was cancelled', async () => {
  const called: string[] = []
  const cancel = coarseTimeout(1, () => called.push('cancelled'))
  cancel()
  const over = new Promise<void>((resolve) => coarseTimeout(2, resolve))
  const alive = setTimeout(() => {}, 10_000) // its own timers keep nothing alive
  await over
  clearTimeout(alive)
  expect(called).toEqual([])
})

test('behavior: what came while the process stood still comes first', async () => {
  const raced = await whileStill(
    (connected) =>
      new Promise((resolve) => {
        const cancel = coarseTimeout(20, () => resolve('over'))
        void connected.then((how) => {
          cancel()
          resolve(how)
        })
      }),
  )
  expect(raced).toBe('connected')
})

test('behavior: so it does with pTimeout', async () => {
  const raced = await whileStill((connected) =>
    pTimeout(connected, {
      milliseconds: 20,
      fallback: () => 'over' as const,
      customTimers: coarseTimers,
    }),
  )
  expect(raced).toBe('connected')
})

test('error: what does not come is over', async () => {
  const alive = setTimeout(() => {}, 10_000)
  const never = new Promise(() => {})
  const options = { milliseconds: 1, customTimers: coarseTimers }
  await expect(pTimeout(never, options)).rejects.toThrow('timed out')
  clearTimeout(alive)
})
