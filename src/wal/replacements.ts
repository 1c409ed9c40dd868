import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { serialQueue } from '../lib/serialQueues.js'

/** What work replaces: everything, which begins a new epoch, or some parts. */
export type Replaced = 'everything' | readonly string[]

/** What is done before and after the work. */
export interface ReplacementSteps {
  /** Rejects when the result could not be persisted; then the work does not begin. */
  before(replaced: Replaced): Promise<void>
  /** Persists what was replaced, and then calls `Replacements.written`. */
  after(stale: Stale): Promise<void>
  /** The error of work that was carried out but not persisted. `cause` is the rejection of `after`. */
  notPersisted(cause: unknown): Error
}

/** Parts whose content is not what the log would restore. */
export type Stale = 'everything' | ReadonlySet<string>

interface Turn {
  isOver: boolean
  /** Other parts that the work has changed. */
  touched: Set<string>
}

/** Runs work that replaces the content of parts, one at a time. The log is closed to everything else until the result is persisted. */
export class Replacements {
  /** What was replaced and is not persisted yet; undefined when everything is. */
  stale: Stale | undefined
  /** Counts the replacements of everything. */
  epoch = 0
  private readonly steps: ReplacementSteps
  /** Identifies calls that belong to the work. */
  private readonly replacer = new AsyncLocalStorage<Turn>()
  private replacing: Promise<unknown> | undefined
  /** The turn of the last replacement of everything. */
  private restore: Turn | undefined
  private readonly oneReplaces = serialQueue()
  /** Whether others wait for the end of the work, and how long the last one took, in milliseconds of the machine. */
  private othersWait = false
  private last = { endedAt: 0, tookMs: 0 }

  constructor(steps: ReplacementSteps) {
    this.steps = steps
  }

  /** Whether a change of this part belongs to the work; then it is persisted with the replacement. */
  takes(part: string): boolean {
    const turn = this.turn
    turn?.touched.add(part)
    return turn !== undefined
  }

  private get turn(): Turn | undefined {
    const turn = this.replacer.getStore()
    return turn?.isOver === false ? turn : undefined
  }

  get isClosed(): boolean {
    if (this.turn) return false
    return this.replacing !== undefined || this.stale !== undefined
  }

  get isRestoring(): boolean {
    return this.restore !== undefined && (!this.restore.isOver || this.stale !== undefined)
  }

  async opened(): Promise<void> {
    while (this.isClosed) {
      this.othersWait = true
      if (this.replacing) await this.replacing.catch(() => {})
      else await this.steps.after(this.stale!)
    }
  }

  /** These parts are persisted. */
  written(parts: Stale): void {
    const { stale } = this
    if (stale === undefined) return
    if (parts === 'everything') this.stale = undefined
    else if (stale !== 'everything' && [...stale].every((part) => parts.has(part)))
      this.stale = undefined
  }

  run<T>(work: () => Promise<T>, replaced: Replaced): Promise<T> {
    if (this.turn) return work() // part of a replacement that is under way
    return this.oneReplaces(async () => {
      await this.letOthersIn()
      const begun = performance.now()
      const done = this.inTurn(work, replaced)
      this.replacing = done
      try {
        return await done
      } finally {
        this.replacing = undefined
        const endedAt = performance.now()
        this.last = { endedAt, tookMs: endedAt - begun }
      }
    })
  }

  private async inTurn<T>(work: () => Promise<T>, replaced: Replaced): Promise<T> {
    await this.steps.before(replaced)
    const turn: Turn = { isOver: false, touched: new Set() }
    if (replaced === 'everything') {
      this.epoch++
      this.restore = turn
    }
    try {
      return await this.replacer.run(turn, work)
    } finally {
      turn.isOver = true
      this.stale = union(this.stale, replaced, turn.touched)
      await this.steps.after(this.stale).catch((cause) => {
        throw this.steps.notPersisted(cause)
      })
    }
  }

  /** A replacement right after another one first gives waiting callers as much time as that one took. */
  private async letOthersIn(): Promise<void> {
    const { endedAt, tookMs } = this.last
    const left = endedAt + tookMs - performance.now()
    if (this.othersWait && left > 0) await wait(left)
    this.othersWait = false
  }
}

function union(stale: Stale | undefined, replaced: Replaced, touched: Iterable<string>): Stale {
  if (stale === 'everything' || replaced === 'everything') return 'everything'
  return new Set([...(stale ?? []), ...replaced, ...touched])
}
