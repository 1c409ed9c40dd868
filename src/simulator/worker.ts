// The program of a worker process: it runs worlds for the simulator that started it, which sends tasks over the IPC channel
// (`worlds/workers.ts`). It listens only on the worlds' sockets.

import { stackOf } from '../http/core/log.js'
import { keepProcessAlive } from '../lib/keepProcessAlive.js'
import { keepHeapLean } from '../lib/leanHeap.js'
import { failuresIn } from '../observe/journal/journal.js'
import type {
  AnswerCounts,
  FailuresById,
  FromWorker,
  ToWorker,
  WorkerTask,
  WorldBeginning,
} from '../worlds/workers.js'
import { type HostedWorld, startWorld, type WorldContext, type WorldSettings } from './worldHost.js'

/** Records of the running worlds, by id. */
const records = new Map<string, Parameters<WorldContext['onBegin']>[1]>()
/** Response counts of the worlds that have ended. */
const ofEnded = new Map<string, number>()
const worlds = new Map<string, Promise<HostedWorld>>()
const ending = new AbortController()
let settings: WorldSettings | undefined

keepProcessAlive()
keepHeapLean()
// Ctrl-C reaches the whole process group, but the simulator decides when workers end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.on('message', (message: ToWorker) => {
  if (message.type === 'init') settings = message.settings as WorldSettings
  else if (message.type === 'end') void end()
  else if (message.type === 'answers')
    post({ type: 'done', number: message.number, told: answerCounts() })
  else if (message.type === 'failures')
    post({ type: 'done', number: message.number, told: failures() })
  else void answer(message)
})
// The simulator has ended, perhaps before the listener was added.
process.on('disconnect', () => void end())
if (!process.connected) void end()
process.on('uncaughtException', (error: Error) => {
  const reason = `its worker failed unexpectedly, a defect of the simulator: ${error.stack ?? error}`
  for (const id of worlds.keys()) post({ type: 'lost', id, reason })
  process.exitCode = 1
  void end()
})

async function answer({ number, task }: Extract<ToWorker, { type: 'task' }>): Promise<void> {
  try {
    await carryOut(task)
    post({ type: 'done', number })
  } catch (error) {
    post({ type: 'done', number, error: error instanceof Error ? error.message : String(error) })
  }
}

async function carryOut(task: WorkerTask): Promise<void> {
  switch (task.what) {
    case 'start':
      await open(task.world)
      return
    case 'restart': {
      const world = worldOf(task.id)
      worlds.delete(task.id)
      worlds.set(task.world.id, world)
      try {
        await (await world).beginAgain(task.world)
      } catch (error) {
        await close(task.world.id)
        throw error
      }
      return
    }
    case 'markStart':
      return (await worldOf(task.id)).markStart()
    case 'leaveTrace':
      return (await worldOf(task.id)).leaveTrace(task.as, task.since)
    case 'stop':
      return close(task.id)
  }
}

async function open(beginning: WorldBeginning): Promise<void> {
  const starting = startWorld(beginning, {
    settings: settings!,
    logOf,
    onBegin: (id, begun) => void records.set(id, begun),
    onEnd(id) {
      add(ofEnded, records.get(id)?.coverage ?? [])
      records.delete(id)
    },
    signal: ending.signal,
    onDeath: (reason) => lose(starting, reason),
  })
  worlds.set(beginning.id, starting)
  await starting.catch((error) => {
    worlds.delete(beginning.id)
    throw error
  })
}

function answerCounts(): AnswerCounts {
  const sums = new Map(ofEnded)
  for (const { coverage } of records.values()) add(sums, coverage)
  return [...sums]
}

function failures(): FailuresById {
  return [...records].map(([id, { journal, store }]) => {
    const recorded = { exchanges: journal.all(), marks: journal.marks() }
    return [id, failuresIn(recorded, store.save().activities)]
  })
}

function add(sums: Map<string, number>, counts: Iterable<readonly [string, number]>): void {
  for (const [key, count] of counts) sums.set(key, (sums.get(key) ?? 0) + count)
}

/** Finds the world by its promise, because its id may change. */
function lose(world: Promise<HostedWorld>, reason: string): void {
  const [id] = [...worlds].find(([, other]) => other === world) ?? []
  if (id === undefined) return
  post({ type: 'lost', id, reason })
  void close(id)
}

async function close(id: string): Promise<void> {
  const world = worlds.get(id)
  worlds.delete(id)
  // A world that failed to start has ended already.
  const running = await world?.catch(() => undefined)
  await running?.stop()
}

function worldOf(id: string): Promise<HostedWorld> {
  const world = worlds.get(id)
  if (!world) throw new Error(`the world ${id} is not here any more`)
  return world
}

async function end(): Promise<void> {
  ending.abort()
  await Promise.allSettled([...worlds.keys()].map(close))
  process.exit()
}

function logOf(id: string) {
  return {
    debug() {},
    error(message: string, cause: unknown): void {
      post({ type: 'error', id, message, stack: stackOf(cause) })
    },
    ...(settings?.logsRequests && {
      request: (line: unknown) => post({ type: 'request', id, line: { request: line } }),
      happened: (event: unknown) => post({ type: 'request', id, line: { event } }),
    }),
  }
}

/** Does nothing when the simulator is gone. */
function post(message: FromWorker): void {
  if (process.connected) process.send?.(message, () => {})
}
