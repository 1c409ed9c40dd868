import type { Pieces } from './checkpointFile.js'
import type { Replaced } from './replacements.js'

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

/** A part, as the log sees it. */
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
