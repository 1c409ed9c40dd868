import { AsyncLocalStorage } from 'node:async_hooks'
import { createListeners } from '../lib/listeners.js'
import { serialQueues } from '../lib/serialQueues.js'

/** Counts background work: executions being relayed, bridges being filled. A move of the clock waits until none of it is busy. */
export interface BackgroundTasks {
  /** Runs work that counts as busy until it ends. `what` names it in results of `settled`. */
  run<T>(work: () => Promise<T>, what?: string): Promise<T>
  /**
   * Resolves when nothing is busy, to nothing. When for longer than `patienceMs` of the machine's time there was no sign of life of
   * what was busy at the call or of what that waits for, resolves to what is busy still: it hangs. A sign is its end, an answer of a
   * node, and a wait that is known to end (`whileMoving`). Time in which the whole process stood still does not count. With `atMostMs`
   * it also resolves to what is busy after that time, signs or not.
   */
  settled(patienceMs?: number, atMostMs?: number): Promise<string[]>
  /** The number of busy and of yielding tasks. */
  counts(): { busy: number; yielding: number }
  /** Calls back when work begins, yields, resumes or ends. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void
}

/** How long `settled` waits by default: as long as the system lock does, and longer than any send to a node that works. */
const settlePatienceMs = 10_000

/** What is waited for: a task, several tasks of which each brings a part, or something that stands still; undefined when it is about to come. */
type Behind = () => Task | readonly Task[] | 'still' | undefined

/** A piece of work. While it yields, another task or the clock has to move first. */
export interface Task {
  what: string
  yielding: number
  /** How many of its waits are known to end by themselves. */
  moving: number
  /** Whom it waits for: while one of them yields or stands still, so does it. Of several tasks that are named as one, while all do. */
  readonly behind: Set<Behind>
  tasks: BackgroundTasks
  onChange(): void
  /** It has come further. */
  onSign(): void
}

const underWay = new AsyncLocalStorage<Task>()

/**
 * Awaits an event from elsewhere: the clock, another task, a later request that lifts a fault. The task does not count as busy meanwhile, so
 * it must do nothing else; parallel parts need `inParallel`. Outside of a task it just awaits.
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
    job.onChange()
  }
}

export const currentTask = (): Task | undefined => underWay.getStore()

/**
 * Awaits, inside a task, what another task brings, such as a turn in a queue: busy for as long as that one is. `other` is asked
 * whenever it matters; while it knows of none, what is awaited is about to come.
 */
export async function awaitBehind<T>(other: Behind, event: Promise<T>): Promise<T> {
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

/** Something that answers, and may come to a stand: a node that a fault stops. */
interface Stand {
  readonly isStill: boolean
  /** Calls back after each change. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void
}

export function createStand(): Stand & { set(isStill: boolean): void } {
  let isStill = false
  const listeners = createListeners<void>()
  return {
    get isStill() {
      return isStill
    },
    set(next) {
      isStill = next
      listeners.publish()
    },
    onChange: listeners.add,
  }
}

/** Awaits an answer inside a task, which is busy meanwhile unless the answering side stands still. The answer is a sign of life. */
export async function awaitAnswer<T>(from: Stand, answer: Promise<T>): Promise<T> {
  const job = currentTask()
  if (!job) return answer
  const behind: Behind = () => (from.isStill ? 'still' : undefined)
  job.behind.add(behind)
  const unsubscribe = from.onChange(job.onChange)
  if (from.isStill) job.onChange()
  try {
    return await answer
  } finally {
    job.behind.delete(behind)
    unsubscribe()
    job.onSign()
  }
}

/** Awaits, inside a task, an event that is known to come, however long it takes: a delay on purpose. */
export async function whileMoving<T>(event: Promise<T>): Promise<T> {
  const job = currentTask()
  if (!job) return event
  job.moving++
  try {
    return await event
  } finally {
    job.moving--
    job.onSign()
  }
}

/** `asking` are the tasks whose answer hangs on this one: two can wait for one another, each in one of its parallel parts. */
function isBusy(task: Task, asking: readonly Task[] = []): boolean {
  if (task.yielding > 0) return false
  const all = [...asking, task]
  return [...task.behind].every((behind) => {
    const other = behind()
    if (other === 'still') return false
    if (other === undefined) return true
    return [other].flat().some((each) => all.includes(each) || isBusy(each, all))
  })
}

/** Whether the task waits for the other one, or for one that does. */
function isBehind(task: Task, other: Task, asking: readonly Task[] = []): boolean {
  const all = [...asking, task]
  return [...task.behind].some((behind) => {
    const next = behind()
    if (next === undefined || next === 'still') return false
    return [next].flat().some((each) => {
      if (each === other) return true
      return !all.includes(each) && isBehind(each, other, all)
    })
  })
}

const patienceParts = 10

/**
 * Calls `onOver` after `ms` without a sign of life (`renew`), and again as long as that returns true. Counts in parts: a part that ends
 * much too late does not count, because the process stood still then and has not read yet what was answered meanwhile.
 */
function createPatience(ms: number, onOver: () => boolean): { renew(): void; end(): void } {
  const partMs = ms / patienceParts
  let [left, begun] = [patienceParts, performance.now()]
  const timer = setTimeout(() => {
    const lateMs = performance.now() - begun - partMs
    begun = performance.now()
    if (lateMs < Math.max(partMs, 50)) left--
    if (left === 0) {
      if (!onOver()) return
      left = patienceParts
    }
    timer.refresh()
  }, partMs)
  return {
    renew() {
      left = patienceParts
    },
    end: () => clearTimeout(timer),
  }
}

/** Like `Promise.all`, with a task for each, so that one may yield while others are busy. */
export function inParallel<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  return together(tasks, (start) => {
    for (const task of tasks) start(task)
  })
}

/** Like `inParallel`, but each begins when the one before has ended, waits or hangs, so that the order is the same in every run. */
export function inOrder<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  return together(tasks, async (start) => {
    for (const task of tasks) await atRest(start(task))
  })
}

/** Runs the tasks that `startAll` starts. The caller counts as busy until the last has begun, while any of them is busy, and once all have ended. */
async function together<T>(
  tasks: readonly (() => Promise<T>)[],
  startAll: (start: (task: () => Promise<T>) => Started) => void | Promise<void>,
): Promise<T[]> {
  const job = currentTask()
  if (!job) return Promise.all(tasks.map((task) => task()))
  let [unbegun, left] = [tasks.length, tasks.length]
  const runs: Promise<T>[] = []
  const parts = new Set<Task>()
  const start = (task: () => Promise<T>): Started => {
    const started: Started = { job: undefined, hasEnded: false }
    const counted = async (): Promise<T> => {
      const part = currentTask()!
      started.job = part
      parts.add(part)
      try {
        return await task()
      } finally {
        parts.delete(part)
        left--
        started.hasEnded = true
      }
    }
    const run = job.tasks.run(counted, job.what)
    run.catch(() => {}) // It may fail before all have begun.
    runs.push(run)
    unbegun--
    return started
  }
  const all = async (): Promise<T[]> => {
    await startAll(start)
    job.onChange()
    return Promise.all(runs)
  }
  return awaitBehind(() => (unbegun === 0 && left > 0 ? [...parts] : undefined), all())
}

interface Started {
  job: Task | undefined
  hasEnded: boolean
}

/** Resolves when it has ended or waits for others. */
async function atRest(started: Started): Promise<void> {
  for (;;) {
    // All promises that follow from what has just happened are through before this turn of the event loop is over.
    await new Promise((resolve) => setImmediate(resolve))
    const { job, hasEnded } = started
    if (hasEnded || !job || !isBusy(job)) return
    await new Promise<void>((resolve) => {
      const off = job.tasks.onChange(() => {
        off()
        resolve()
      })
    })
  }
}

/** Keeps the background tasks of one simulator. `isMoving` tells of signs of life that belong to no task: an upstream that is being asked. */
export function createBackgroundTasks(isMoving: () => boolean = () => false): BackgroundTasks {
  const jobs = new Set<Task>()
  const changes = createListeners<void>()
  const signs = createListeners<Task>()
  const onChange = (): void => changes.publish()
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      const off = changes.add(() => {
        off()
        resolve()
      })
    })
  const self: BackgroundTasks = {
    async run(work, what = 'work') {
      const onSign = (): void => signs.publish(job)
      const behind = new Set<Behind>()
      const job: Task = { what, yielding: 0, moving: 0, behind, tasks: self, onChange, onSign }
      jobs.add(job)
      onChange()
      try {
        return await underWay.run(job, work)
      } finally {
        jobs.delete(job)
        onSign()
        onChange()
      }
    },
    async settled(patienceMs = settlePatienceMs, atMostMs) {
      let isLate = false
      const begun = new Set(jobs)
      const giveUp = (): void => {
        isLate = true
        onChange()
      }
      const patience = createPatience(patienceMs, () => {
        const mayCome = isMoving() || [...begun].some((job) => jobs.has(job) && job.moving > 0)
        if (!mayCome) giveUp()
        return mayCome
      })
      // Whatever ends, or gets an answer, one after the other on a busy machine does not hang.
      const off = signs.add((job) => {
        if (begun.has(job) || [...begun].some((each) => isBehind(each, job))) patience.renew()
      })
      const limit = atMostMs === undefined ? undefined : setTimeout(giveUp, atMostMs)
      try {
        for (;;) {
          // All promises that follow from what has just ended are through before this turn of the event loop is over.
          await new Promise((resolve) => setImmediate(resolve))
          const busy = [...jobs].filter((job) => isBusy(job))
          if (busy.length === 0 || isLate) return [...new Set(busy.map(({ what }) => what))]
          await change()
        }
      } finally {
        patience.end()
        clearTimeout(limit)
        off()
      }
    },
    counts() {
      const busy = [...jobs].filter((job) => isBusy(job)).length
      return { busy, yielding: jobs.size - busy }
    },
    onChange: changes.add,
  }
  return self
}

/**
 * Like `serialQueues`, for background tasks: a task that waits for its turn behind a yielding one yields too. Otherwise the second
 * transaction for a network without mining would block the clock, which the first does not.
 */
export function taskQueues<Key>(): ReturnType<typeof serialQueues<Key>> {
  const inTurn = serialQueues<Key>()
  const working = new Map<Key, Task | undefined>()
  return (key, work, options) => {
    const task = currentTask()
    let begin = (): void => {}
    const turn = new Promise<void>((resolve) => {
      begin = resolve
    })
    void awaitBehind(() => working.get(key), turn)
    const inItsTurn = async () => {
      begin()
      working.set(key, task)
      try {
        return await work()
      } finally {
        working.delete(key)
      }
    }
    return inTurn(key, inItsTurn, options)
  }
}
