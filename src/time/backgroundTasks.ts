import { AsyncLocalStorage } from 'node:async_hooks'
import pTimeout from 'p-timeout'

/**
 * Knows what the simulator does by itself, beyond the requests that start it: executions being relayed, bridges being filled.
 * Whoever moves the clock waits until nothing of it is busy, so that everything that was due has happened.
 */
export interface BackgroundTasks {
  /** Runs work that counts as busy until it ends. `what` names it to those who wait for it. */
  run<T>(work: () => Promise<T>, what?: string): Promise<T>
  /**
   * Resolves when nothing is busy, to nothing. When for longer than `patienceMs` of the machine's time nothing has ended of what
   * was busy at the call, resolves to what is busy still: it hangs on something that time does not bring, such as a node that
   * mines no blocks.
   */
  settled(patienceMs?: number): Promise<string[]>
  /** How many pieces of work have not ended: how many are busy, and how many yield to others. */
  counts(): { busy: number; yielding: number }
}

/** How long `settled` waits by default: as long as the system lock does, and longer than any send to a node that works. */
const settlePatienceMs = 10_000

/** A piece of work. While it yields, somebody else has to move first. */
export interface Task {
  what: string
  yielding: number
  /** Whom it waits for: while one of them yields, so does it. */
  readonly behind: Set<() => Task | undefined>
  tasks: BackgroundTasks
  onChange(): void
}

const underWay = new AsyncLocalStorage<Task>()

/**
 * Awaits, inside a task, something that others bring: the clock, another task, a later request that lifts a fault. The task
 * does not count as busy meanwhile, so nothing else of it may go on: what runs side by side is `inParallel`. Outside of any
 * task it just awaits.
 */
export function yieldFor<T>(event: Promise<T>): Promise<T> {
  const job = currentTask()
  return job ? yieldTaskFor(job, event) : event
}

async function yieldTaskFor<T>(job: Task, event: Promise<T>): Promise<T> {
  job.yielding++
  job.onChange()
  try {
    return await event
  } finally {
    job.yielding--
  }
}

/** The task that this belongs to. */
export const currentTask = (): Task | undefined => underWay.getStore()

/**
 * Awaits, inside a task, what another task brings, such as a turn in a queue: busy for as long as that one is. `other` is asked
 * whenever it matters; while it knows of none, what is awaited is about to come.
 */
export async function awaitBehind<T>(other: () => Task | undefined, event: Promise<T>): Promise<T> {
  const job = currentTask()
  if (!job) return event
  const behind = () => other() // each wait its own
  job.behind.add(behind)
  job.onChange()
  try {
    return await event
  } finally {
    job.behind.delete(behind)
  }
}

/** `asking` are the tasks whose answer hangs on this one: two can wait for one another, each in one of its parallel parts. */
function isBusy(task: Task, asking: readonly Task[] = []): boolean {
  if (task.yielding > 0) return false
  const all = [...asking, task]
  return [...task.behind].every((behind) => {
    const other = behind()
    return other === undefined || all.includes(other) || isBusy(other, all)
  })
}

/** Like `Promise.all` of what the tasks do; each is work of its own, so that one may yield while others are busy. */
export function inParallel<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const job = currentTask()
  return yieldFor(Promise.all(tasks.map((task) => (job ? job.tasks.run(task, job.what) : task()))))
}

/**
 * Awaits what is usually there at once. What takes longer than `ms` of the machine's time hangs on something that time does not
 * bring, such as a node that is stopped: from then on the task yields.
 */
export function yieldWhenLate<T>(event: Promise<T>, ms: number): Promise<T> {
  return pTimeout(event, { milliseconds: ms, fallback: () => yieldFor(event) })
}

/** Keeps the background tasks of one simulator. */
export function createBackgroundTasks(): BackgroundTasks {
  const jobs = new Set<Task>()
  const listeners = new Set<() => void>()
  const enders = new Set<(job: Task) => void>()
  const onChange = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      const listener = (): void => {
        listeners.delete(listener)
        resolve()
      }
      listeners.add(listener)
    })
  const self: BackgroundTasks = {
    async run(work, what = 'work') {
      const job: Task = { what, yielding: 0, behind: new Set(), tasks: self, onChange }
      jobs.add(job)
      try {
        return await underWay.run(job, work)
      } finally {
        jobs.delete(job)
        for (const onEnd of enders) onEnd(job)
        onChange()
      }
    },
    async settled(patienceMs = settlePatienceMs) {
      let isLate = false
      const begun = new Set(jobs)
      // Many that end one after the other on a busy machine do not hang.
      const onEnd = (job: Task): void => void (begun.has(job) && timer.refresh())
      enders.add(onEnd)
      const timer = setTimeout(() => {
        isLate = true
        onChange()
      }, patienceMs)
      try {
        for (;;) {
          // Who waited for a job that has just ended, goes on before this turn of the event loop is over.
          await new Promise((resolve) => setImmediate(resolve))
          const busy = [...jobs].filter((job) => isBusy(job))
          if (busy.length === 0 || isLate) return busy.map(({ what }) => what)
          await change()
        }
      } finally {
        clearTimeout(timer)
        enders.delete(onEnd)
      }
    },
    counts() {
      const busy = [...jobs].filter((job) => isBusy(job)).length
      return { busy, yielding: jobs.size - busy }
    },
  }
  return self
}
