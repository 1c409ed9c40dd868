import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import pTimeout from 'p-timeout'
import type { ForkTargets } from '../chain/fork/upstream/target.js'
import { startWatchdog } from '../chain/process/watchdog.js'
import type { ClockStart } from '../time/clock.js'

export interface WorldBeginning {
  id: string
  apiKey: string
  /** Path of the socket that it listens on. */
  socket: string
  /** In decimal digits; random when absent. */
  seed?: string
  /** The machine's when absent. */
  clock?: ClockStart
  /** Networks to fork; a world with forks is made for one lease. */
  fork?: ForkTargets
  /** Folder of a bundle to fork networks from; such a world, too, is made for one lease. */
  bundle?: string
}

/** The failures that a world knows of, without what a restore or reset has undone. */
export interface WorldFailures {
  /** Failed activities, each with the place in the journal at which it began; 0 where the journal has dropped that. */
  failed: readonly { id: string; order: number }[]
  /** Requests to the service that were refused, or whose response was cut off. */
  refused: number
  /** The newest of these, each with its place in the journal, oldest first. */
  refusals: readonly { id: string; order: number }[]
  /** Of `refused`, the ones whose response was cut off: they may have been carried out. */
  cut: number
}

/** A task for a worker, which answers each one. */
export type WorkerTask =
  /** Starts a world. If that fails, nothing is left of it. */
  | { what: 'start'; world: WorldBeginning }
  /** Restarts the world `id` as another one. If that fails, both are gone. */
  | { what: 'restart'; id: string; world: WorldBeginning }
  /** Makes resets of a world restore its present state. */
  | { what: 'markStart'; id: string }
  /** Leaves what a world has done since this journal cursor in its trace folder, under the id `as`. */
  | { what: 'leaveTrace'; id: string; as: string; since: number }
  | { what: 'stop'; id: string }

/** How often each answer was given, by its key. */
export type AnswerCounts = [key: string, count: number][]

/** Of each running world. */
export type FailuresById = [world: string, failures: WorldFailures][]

/** To a worker. `answers` and `failures` are answered like tasks. The first message has the settings of its worlds, which this room does not interpret. */
export type ToWorker =
  | { type: 'init'; settings: unknown }
  | { type: 'task'; number: number; task: WorkerTask }
  | { type: 'answers'; number: number }
  | { type: 'failures'; number: number }
  | { type: 'end' }

export type WorldReport =
  /** A world has ended by itself. */
  | { type: 'lost'; id: string; reason: string }
  | { type: 'error'; id: string; message: string; stack: string }
  | { type: 'request'; id: string; line: unknown }

export type FromWorker =
  | WorldReport
  | { type: 'done'; number: number; error?: string; told?: AnswerCounts | FailuresById }

export interface WorkerOptions {
  file: string
  settings: unknown
  /** The maximum number of processes, which are started as worlds need them. */
  workers: number
}

export interface Workers {
  /** Gives a task to the worker of its world; a new world starts in the one with the fewest. Rejects with the reason when it fails. */
  ask(task: WorkerTask): Promise<void>
  /** How often their worlds have given each answer, ended ones included; of a worker that has ended, what it last reported. */
  answers(): Promise<ReadonlyMap<string, number>>
  /** The failures of each running world, or of the worlds beside this one, without the worlds of a worker that does not respond in time. */
  failures(beside?: string): Promise<ReadonlyMap<string, WorldFailures>>
  /** Ends all of them within five seconds. */
  end(): Promise<void>
}

interface Worker {
  child: ChildProcess
  /** Its worlds, including those being started. */
  ids: Set<string>
  ask(task: WorkerTask): Promise<unknown>
  answers(): Promise<AnswerCounts>
  failures(): Promise<FailuresById>
  end(): Promise<void>
}

interface Settle {
  resolve(told: AnswerCounts | FailuresById | undefined): void
  reject(cause: Error): void
}

/** A worker that has not exited after this time is killed. Milliseconds. */
const endWithinMs = 4_300

/** A list of the worlds does not wait longer for a busy worker. Milliseconds. */
const failuresWithinMs = 1_000

/** Runs worlds in at most `options.workers` processes. If this process is killed, a watchdog kills them. */
export function createWorkers(
  options: WorkerOptions,
  onReport: (report: WorldReport) => void,
): Workers {
  const watchdog = startWatchdog()
  const workers = new Set<Worker>()
  const answers = new Map<Worker, AnswerCounts>()
  const ofWorld = (id: string): Worker => {
    const worker = [...workers].find(({ ids }) => ids.has(id))
    if (!worker) throw new Error('its worker process has ended')
    return worker
  }
  const leastBusy = (): Worker => {
    const [leastLoaded] = [...workers].sort((one, other) => one.ids.size - other.ids.size)
    if (leastLoaded && (leastLoaded.ids.size === 0 || workers.size >= options.workers))
      return leastLoaded
    const worker = startWorker(options, onReport, (reason) => {
      workers.delete(worker)
      if (worker.child.pid !== undefined) watchdog.remove(worker.child.pid)
      for (const id of worker.ids) onReport({ type: 'lost', id, reason })
    })
    if (worker.child.pid !== undefined) void watchdog.add(worker.child.pid)
    workers.add(worker)
    return worker
  }
  return {
    async ask(task) {
      const worker = task.what === 'start' ? leastBusy() : ofWorld(task.id)
      const begun = 'world' in task ? task.world.id : undefined
      if (begun !== undefined) worker.ids.add(begun)
      if (task.what === 'restart') worker.ids.delete(task.id)
      await worker.ask(task).catch((error) => {
        if (begun !== undefined) worker.ids.delete(begun)
        throw error
      })
      if (task.what === 'stop') worker.ids.delete(task.id)
    },
    async answers() {
      const look = async (worker: Worker) => void answers.set(worker, await worker.answers())
      await Promise.allSettled([...workers].map(look))
      const sums = new Map<string, number>()
      for (const [key, count] of [...answers.values()].flat())
        sums.set(key, (sums.get(key) ?? 0) + count)
      return sums
    },
    async failures(beside) {
      const told = [...workers]
        .filter(({ ids }) => beside === undefined || ids.has(beside))
        .map((worker) =>
          pTimeout(worker.failures(), { milliseconds: failuresWithinMs }).catch(() => []),
        )
      return new Map((await Promise.all(told)).flat())
    },
    async end() {
      await Promise.all([...workers].map((worker) => worker.end()))
      await watchdog.close()
    },
  }
}

function startWorker(
  { file, settings }: WorkerOptions,
  onReport: (report: WorldReport) => void,
  onEnd: (reason: string) => void,
): Worker {
  // Standard output is for what the command itself prints.
  const child = fork(file, [], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const pending = new Map<number, Settle>()
  const ids = new Set<string>()
  let last = 0
  const gone = new Promise<void>((resolve) => {
    const ended = (how: string): void => {
      const reason = `the process of the world ended (${how})`
      for (const call of pending.values()) call.reject(new Error(reason))
      pending.clear()
      onEnd(reason)
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
  const ask = (messageOf: (number: number) => ToWorker) =>
    new Promise<AnswerCounts | FailuresById | undefined>((resolve, reject) => {
      pending.set(++last, { resolve, reject })
      post(messageOf(last))
    })
  child.on('message', (message: FromWorker) => {
    if (message.type === 'lost') ids.delete(message.id)
    if (message.type !== 'done') return onReport(message)
    const call = pending.get(message.number)
    pending.delete(message.number)
    if (message.error === undefined) call?.resolve(message.told)
    else call?.reject(new Error(message.error))
  })
  post({ type: 'init', settings })
  // The worker does not keep this program alive.
  child.unref()
  ;(child.channel as unknown as Socket | null)?.unref()
  return {
    child,
    ids,
    ask: (task) => ask((number) => ({ type: 'task', number, task })),
    answers: () => ask((number) => ({ type: 'answers', number })) as Promise<AnswerCounts>,
    failures: () => ask((number) => ({ type: 'failures', number })) as Promise<FailuresById>,
    async end() {
      ids.clear()
      post({ type: 'end' })
      const kill = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
      await gone
      clearTimeout(kill)
    },
  }
}
