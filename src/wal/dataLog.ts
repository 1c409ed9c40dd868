import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { serialQueue } from '../lib/serialQueues.js'
import type { Pieces } from './checkpointFile.js'

/**
 * The log of a data folder: every change of every part, in one order. A part is anything with state: the store, a chain, the clock.
 * Changes in the log survive any crash.
 */
export interface DataLog {
  /**
   * Appends a change of a part (JSON-safe); resolves when it is on the disk. When it cannot be written, calls `undo`, after the `undo` of
   * everything appended later, and rejects with `internal_error`.
   */
  append(part: string, change: unknown, undo?: () => void): Promise<void>
  /**
   * Marks the latest change of a part as not carried out: it is left out when the folder is read. `what` names it, for people. Also works
   * while the log is closed; no other change of the part may have been appended meanwhile.
   */
  leaveOut(part: string, what: string): Promise<void>
  /** True when everything is on the disk; otherwise resolves to whether all changes appended so far have reached it. */
  settled(): true | Promise<boolean>
  /**
   * Runs work that replaces the content of parts (a restore, a reverted chain). Changes that it appends are not written, and others have to
   * wait. It does not begin when the disk has no room for the result. It ends with a checkpoint of what was replaced; if that fails,
   * nothing can be appended until one succeeds. With `everything`, a new epoch begins, and changes meant for the previous one are void.
   */
  replace<T>(work: () => Promise<T>, replaced: Replaced): Promise<T>
  /** Counts the replacements of everything. */
  readonly epoch: number
  /** Whether everything was or is being replaced and is not persisted yet: the disk does not have that state. */
  readonly isRestoring: boolean
  /** Whether an append would have to wait for a `replace`; `opened` resolves at its end, or rejects as the append would. */
  readonly isClosed: boolean
  opened(): Promise<void>
  /**
   * Writes a checkpoint of every part, so that its earlier changes in the log are no longer needed. Parts that would not start faster with
   * it (`startsQuickly`) are skipped. Rejects when it fails; then the log goes on as before.
   */
  checkpoint(): Promise<void>
  /** Keeps the present file of a part, instead of the one held before, for as long as the log is open. */
  hold(part: string): void
}

export interface LoggedPart {
  name: string
  /**
   * Whether it replays changes as quickly as it reads its file. Then it gets a new file only when the log has become as long as the old one,
   * so that the cost of a change does not depend on the size of the part.
   */
  startsQuickly?: boolean
  /** Whether no replacement affects it: then changes of it can be appended even while the log is closed. */
  onlyGrows?: boolean
  /** Changes that a new file would have and the log does not. A checkpoint that skips the part appends them to the log. */
  unlogged?(): readonly unknown[]
  /**
   * The present content of the part. Calls `mark` exactly at the moment that the content shows: earlier changes are in it, later ones are
   * not. State that the content cannot hold is given to `mark` as changes, which become the first after it.
   */
  content(mark: (changes?: readonly unknown[]) => Promise<void>): Promise<Pieces>
  /** This file has the content at the latest `mark`, and is valid from now on. */
  written?(file: string): void
}

/** Content that is read at the moment of its mark. */
export async function contentAt<Content>(
  mark: () => Promise<void>,
  read: () => Content,
): Promise<Content> {
  const marked = mark()
  const content = read()
  await marked
  return content
}

/** For a simulator without a data folder. */
export const noLog: DataLog = {
  append: async () => {},
  leaveOut: async () => {},
  settled: () => true,
  replace: (work) => work(),
  epoch: 0,
  isClosed: false,
  opened: async () => {},
  checkpoint: async () => {},
  isRestoring: false,
  hold() {},
}

/** The parts that work replaces: everything, which begins a new epoch, or some. */
export type Replaced = 'everything' | readonly string[]

/** Hooks before and after the work. */
interface ReplacementSteps {
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
  /** The replaced parts that are not persisted yet; undefined when all are. */
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
