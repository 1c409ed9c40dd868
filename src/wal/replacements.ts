import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { serialQueue } from '../lib/serialQueues.js'

/** What work replaces: everything, with which another life begins, or some parts. */
export type Replaced = 'everything' | readonly string[]

/** What comes before and after the work. */
export interface ReplacementSteps {
  /** Rejects when what is replaced could not be written down for sure; then the work is not begun. */
  before(replaced: Replaced): Promise<void>
  /** Writes down what was replaced, and calls `Replacements.written` then. */
  after(stale: Stale): Promise<void>
  /** What to say of work that was carried out, and could not be written down: `cause` is what `after` rejected with. */
  notPersisted(cause: unknown): Error
}

/** Parts that hold something else than what the log leads to. */
export type Stale = 'everything' | ReadonlySet<string>

interface Turn {
  isOver: boolean
  /** What the work has changed besides. */
  touched: Set<string>
}

/** Work that replaces what parts hold, one after the other. The log is closed to everybody else meanwhile, until that is written down. */
export class Replacements {
  /** What has been replaced and is not written down yet; undefined when all is. */
  stale: Stale | undefined
  /** Counts what replaced everything. */
  epoch = 0
  private readonly steps: ReplacementSteps
  /** Marks what belongs to the work, as long as that goes on. */
  private readonly replacer = new AsyncLocalStorage<Turn>()
  private replacing: Promise<unknown> | undefined
  /** The turn of what replaced everything last. */
  private restore: Turn | undefined
  private readonly oneReplaces = serialQueue()
  /** Whether anybody waits for the end of the work, and how long the last one took, in milliseconds of the machine. */
  private othersWait = false
  private last = { endedAt: 0, tookMs: 0 }

  constructor(steps: ReplacementSteps) {
    this.steps = steps
  }

  /** Whether a change of this part belongs to the work; then it is written down with what that replaces. */
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

  /** These have been written down as they are. */
  written(parts: Stale): void {
    const { stale } = this
    if (stale === undefined) return
    if (parts === 'everything') this.stale = undefined
    else if (stale !== 'everything' && [...stale].every((part) => parts.has(part)))
      this.stale = undefined
  }

  run<T>(work: () => Promise<T>, replaced: Replaced): Promise<T> {
    if (this.turn) return work() // a part of what replaces already
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

  /** One that comes right after another leaves as much time as that took to those who have waited. */
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
