import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { startWatchdog } from '../chain/process/watchdog.js'
import type { FromWorker, ToWorker, WorkerTask, WorldBeginning } from './messages.js'

/** How the processes are made in which worlds live, and who hears of them. */
export interface WorkerOptions {
  /** The program of a worker. */
  file: string
  /** What it is told first. */
  settings: unknown
  /** How many there may be. They are started as worlds are. */
  workers: number
  /** A world has ended without having been asked to. */
  onLost(id: string, reason: string): void
  onError(id: string, message: string, cause: Error): void
  onRequest(id: string, line: unknown): void
  onAnswers(id: string, counts: [key: string, count: number][]): void
}

/** A place for worlds: the processes of this machine. */
export interface Workers {
  /** Starts a world where there are fewest. Rejects with the reason when it cannot, and nothing of it is left. */
  start(world: WorldBeginning): Promise<void>
  /** Has a world begin anew as another. Rejects when it cannot, and nothing is left of it. */
  again(id: string, world: WorldBeginning): Promise<void>
  /** Makes the present of a world the state to which its resets return. */
  markStart(id: string): Promise<void>
  /** Has a world report its answers; resolves when it has. */
  report(id: string): Promise<void>
  /** Ends a world. */
  stop(id: string): Promise<void>
  /** Ends all of them within five seconds. */
  end(): Promise<void>
}

/** What is promised of a world that ends meanwhile. */
type Settle = { resolve(): void; reject(cause: Error): void }

interface Worker {
  child: ChildProcess
  /** Of its worlds, those on their way too. */
  ids: Set<string>
  ask(task: WorkerTask): Promise<void>
  end(): Promise<void>
}

/** A worker that has not ended by itself after this time is killed. Milliseconds. */
const endWithinMs = 4_300

/** Runs worlds in so many processes at most. Should this one be killed, a watchdog kills them. */
export function createWorkers(options: WorkerOptions): Workers {
  const watchdog = startWatchdog()
  const workers = new Set<Worker>()
  const ofWorld = (id: string): Worker => {
    const worker = [...workers].find(({ ids }) => ids.has(id))
    if (!worker) throw new Error('its worker process has ended')
    return worker
  }
  const place = (): Worker => {
    const [leastBusy] = [...workers].sort((one, other) => one.ids.size - other.ids.size)
    if (leastBusy && (leastBusy.ids.size === 0 || workers.size >= options.workers)) return leastBusy
    const worker = startWorker(options, (how) => {
      workers.delete(worker)
      if (worker.child.pid !== undefined) watchdog.remove(worker.child.pid)
      for (const id of worker.ids) options.onLost(id, `the process of the world ended (${how})`)
    })
    if (worker.child.pid !== undefined) void watchdog.add(worker.child.pid)
    workers.add(worker)
    return worker
  }
  return {
    async start(world) {
      const worker = place()
      worker.ids.add(world.id)
      await worker.ask({ what: 'start', world }).catch((error) => {
        worker.ids.delete(world.id)
        throw error
      })
    },
    async again(id, world) {
      const worker = ofWorld(id)
      worker.ids.add(world.id)
      worker.ids.delete(id)
      await worker.ask({ what: 'again', id, world }).catch((error) => {
        worker.ids.delete(world.id)
        throw error
      })
    },
    markStart: async (id) => ofWorld(id).ask({ what: 'markStart', id }),
    report: async (id) => ofWorld(id).ask({ what: 'report', id }),
    async stop(id) {
      const worker = ofWorld(id)
      await worker.ask({ what: 'stop', id })
      worker.ids.delete(id)
    },
    async end() {
      await Promise.all([...workers].map((worker) => worker.end()))
      await watchdog.close()
    },
  }
}

function startWorker(
  { file, settings, onLost, onError, onRequest, onAnswers }: WorkerOptions,
  onEnd: (how: string) => void,
): Worker {
  // Standard output is for what the command itself prints.
  const child = fork(file, [], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const waiting = new Map<number, Settle>()
  const ids = new Set<string>()
  let last = 0
  const gone = new Promise<void>((resolve) => {
    const ended = (how: string): void => {
      const cause = new Error(`the process of the world ended (${how})`)
      for (const each of waiting.values()) each.reject(cause)
      waiting.clear()
      onEnd(how)
      resolve()
    }
    child.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`))
    child.once('error', (error) => {
      if (child.pid === undefined) ended(error.message)
    })
  })
  const post = (message: ToWorker): void => {
    // One that is going hears nothing, and its end settles what waits.
    if (child.connected) child.send(message, () => {})
  }
  child.on('message', (message: FromWorker) => {
    if (message.type === 'done') {
      const asked = waiting.get(message.number)
      waiting.delete(message.number)
      if (message.error === undefined) asked?.resolve()
      else asked?.reject(new Error(message.error))
    } else if (message.type === 'lost') {
      ids.delete(message.id)
      onLost(message.id, message.reason)
    } else if (message.type === 'answers') onAnswers(message.id, message.counts)
    else if (message.type === 'error')
      onError(message.id, message.message, Object.assign(new Error(), { stack: message.stack }))
    else onRequest(message.id, message.line)
  })
  post({ type: 'init', settings })
  inBackgroundOf(child)
  return {
    child,
    ids,
    ask: (task) =>
      new Promise((resolve, reject) => {
        const number = ++last
        waiting.set(number, { resolve, reject })
        post({ type: 'task', number, task })
      }),
    async end() {
      ids.clear()
      post({ type: 'end' })
      const kill = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
      await gone
      clearTimeout(kill)
    },
  }
}

/** It does not keep our program alive. */
function inBackgroundOf(child: ChildProcess): void {
  child.unref()
  ;(child.channel as unknown as Socket | null)?.unref()
}
