import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { startWatchdog } from '../chain/process/watchdog.js'
import type { FromWorker, ToWorker, WorkerTask, WorldBeginning } from './messages.js'

/** How worker processes are started, and callbacks for what they report. */
export interface WorkerOptions {
  /** The program of a worker. */
  file: string
  /** Its first message. */
  settings: unknown
  /** The maximum number of processes, which are started as worlds need them. */
  workers: number
  /** A world has ended by itself. */
  onLost(id: string, reason: string): void
  onError(id: string, message: string, cause: Error): void
  onRequest(id: string, line: unknown): void
  onAnswers(id: string, counts: [key: string, count: number][]): void
}

/** The worker processes, each of which runs worlds. */
export interface Workers {
  /** Starts a world in the process with the fewest. Rejects with the reason when it fails, and then leaves nothing behind. */
  start(world: WorldBeginning): Promise<void>
  /** Restarts a world as another one. Rejects when that fails; the world is gone then. */
  again(id: string, world: WorldBeginning): Promise<void>
  /** Makes the present state of a world the one that its resets restore. */
  markStart(id: string): Promise<void>
  /** Has a world report its answers; resolves when it has. */
  report(id: string): Promise<void>
  /** Ends a world. */
  stop(id: string): Promise<void>
  /** Ends all of them within five seconds. */
  end(): Promise<void>
}

/** Settles a pending task. */
type Settle = { resolve(): void; reject(cause: Error): void }

interface Worker {
  child: ChildProcess
  /** Its worlds, including those being started. */
  ids: Set<string>
  ask(task: WorkerTask): Promise<void>
  end(): Promise<void>
}

/** A worker that has not exited after this time is killed. Milliseconds. */
const endWithinMs = 4_300

/** Runs worlds in at most `options.workers` processes. If this process is killed, a watchdog kills them. */
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
    // A disconnected worker is about to exit, which settles the pending tasks.
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

/** The worker does not keep this program alive. */
function inBackgroundOf(child: ChildProcess): void {
  child.unref()
  ;(child.channel as unknown as Socket | null)?.unref()
}
