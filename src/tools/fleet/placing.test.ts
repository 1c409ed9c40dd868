import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { memoryDirectory } from '../../../test/kit/memoryDirectory.js'
import { NoWorldError } from '../../worlds/queue.js'
import type { WorkerLine, WorkerQuestion } from './askWorker.js'
import { DirectoryError } from './directory.js'
import { createPlacing } from './placing.js'

const question = { method: 'POST', path: '/_sim/worlds' }
const worker = (id: string, room: number) => ({ id, url: 'http://127.0.0.1:1', room, warm: 0 })

/** Workers that answer with a status each, or with none; the statuses in the order in which they answered. */
function lineOf(statusOf: (id: string) => number) {
  const asked: string[] = []
  const line: WorkerLine = {
    async ask({ id }) {
      asked.push(id)
      const status = statusOf(id)
      if (status === 0) throw new Error('it is gone')
      return { status, headers: {}, text: id }
    },
    watch: () => () => {},
    close() {},
  }
  return { line, asked }
}

test('default: a lease goes to who has most room, and what the worker answers comes back', async () => {
  const directory = memoryDirectory()
  await directory.announce(worker('small', 1), 60_000)
  await directory.announce(worker('big', 2), 60_000)
  const { line } = lineOf(() => 201)
  const placing = createPlacing({ directory, line })
  const answers = await Promise.all([1, 2, 3].map(() => placing.lease(question)))
  expect(answers.map(({ text }) => text)).toEqual(['big', 'small', 'big'])
  placing.end()
})

test('behavior: who has no room after all, is gone, or cannot tell the directory is passed over', async () => {
  const directory = memoryDirectory()
  for (const [i, id] of ['last', 'unavailable', 'full', 'gone'].entries())
    await directory.announce(worker(id, i + 1), 60_000)
  const { line, asked } = lineOf((id) => ({ gone: 0, full: 429, unavailable: 503 })[id] ?? 201)
  const placing = createPlacing({ directory, line })
  expect((await placing.lease(question)).text).toBe('last')
  expect(asked).toEqual(['gone', 'full', 'unavailable', 'last'])
  // It takes no connections at its place: all of its worlds are lost.
  expect((await directory.workers()).map(({ id }) => id)).not.toContain('gone')
  placing.end()
})

test('behavior: a bad wish is told to whoever has it, and to no other worker', async () => {
  const directory = memoryDirectory()
  for (const id of ['one', 'other']) await directory.announce(worker(id, 1), 60_000)
  const { line, asked } = lineOf(() => 400)
  const placing = createPlacing({ directory, line })
  expect((await placing.lease(question)).status).toBe(400)
  expect(asked).toHaveLength(1)
  placing.end()
})

test('error: as many as may wait do, in their order, and who comes then is refused at once', async () => {
  const directory = memoryDirectory()
  const { line } = lineOf(() => 201)
  const placing = createPlacing({ directory, line, maxWaiting: 2 })
  const gone = new AbortController()
  const order: string[] = []
  const first = placing.lease({ ...question, signal: gone.signal })
  const second = placing.lease(question).then(() => order.push('second'))
  await expect(placing.lease(question)).rejects.toThrow('2 requests wait for one already')
  expect(placing.waiting()).toBe(2)
  gone.abort()
  await expect(first).rejects.toThrow('the caller has disconnected')
  const third = placing.lease(question).then(() => order.push('third'))
  await directory.announce(worker('one', 2), 60_000)
  await Promise.all([second, third])
  expect(order).toEqual(['second', 'third'])
  const last = placing.lease(question)
  placing.end()
  await expect(last).rejects.toThrow('the front is being stopped')
})

test('error: after its time a request hears that nobody had room, or that nobody could tell', async () => {
  const directory = memoryDirectory()
  const { line } = lineOf(() => 201)
  const placing = createPlacing({ directory, line, waitMs: 20 })
  await expect(placing.lease(question)).rejects.toThrow(NoWorldError)
  const trouble = new DirectoryError('it is away')
  const away = { ...directory, place: () => Promise.reject(trouble) }
  await expect(
    createPlacing({ directory: away, line, waitMs: 20 }).lease(question),
  ).rejects.toThrow(trouble)
})

test('behavior: a worker is heard to the end for who hangs up, and gets the world back', async () => {
  const directory = memoryDirectory()
  await directory.announce(worker('one', 1), 60_000)
  const steps = new EventEmitter()
  const asked: WorkerQuestion[] = []
  const line: WorkerLine = {
    async ask(_, question) {
      asked.push(question)
      const made = once(steps, 'made')
      steps.emit('asked')
      if (question.method === 'POST') await made
      return { status: 201, headers: {}, text: '{"id":"wld_1"}' }
    },
    watch: () => () => {},
    close() {},
  }
  const placing = createPlacing({ directory, line })
  const gone = new AbortController()
  const headers = { host: 'front' }
  const isAsked = once(steps, 'asked')
  const leasing = placing.lease({ ...question, headers, body: '{}', signal: gone.signal })
  await isAsked
  gone.abort()
  steps.emit('made')
  await (await leasing).release()
  expect(asked.map(({ signal }) => signal)).toEqual([undefined, undefined])
  expect(asked[1]).toEqual({ method: 'DELETE', path: '/_sim/worlds/wld_1', headers })
  placing.end()
})

test('behavior: who has hung up before is placed nowhere', async () => {
  const directory = memoryDirectory()
  await directory.announce(worker('one', 1), 60_000)
  const { line, asked } = lineOf(() => 201)
  const placing = createPlacing({ directory, line })
  const leasing = placing.lease({ ...question, signal: AbortSignal.abort() })
  await expect(leasing).rejects.toThrow('the caller has disconnected')
  expect(asked).toEqual([])
  placing.end()
})
