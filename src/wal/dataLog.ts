import type { Replaced } from './replacements.js'

/**
 * The one log of a data folder: every change of every part, in one order. A part is what remembers something: the store, a chain,
 * the clock. What is in the log is there after any sudden end.
 */
export interface DataLog {
  /**
   * Adds a change of a part (JSON-safe); resolves when it is on the disk. When it cannot be written, `undo` is called, after
   * that of everything added later, and it rejects with `internal_error`.
   */
  append(part: string, change: unknown, undo?: () => void): Promise<void>
  /**
   * Says that the latest change of a part came to nothing: it is left out when the folder is read. For people, `what` names it. Works also
   * while the log is closed; nothing of the part may have been added meanwhile.
   */
  leaveOut(part: string, what: string): Promise<void>
  /** True at once when everything is on the disk; else whether what was added so far has got there. */
  settled(): true | Promise<boolean>
  /**
   * Runs work that replaces what parts hold (a restore, a chain that is taken back). What it appends is not written; others have to
   * wait. It is not begun when there is no room for what comes of it. It ends with a checkpoint of what was replaced, and when that
   * fails, nothing can be appended before one succeeds. With `everything`, another life begins: what was meant for the one before is
   * void.
   */
  replace<T>(work: () => Promise<T>, replaced: Replaced): Promise<T>
  /** Counts the lives. */
  readonly epoch: number
  /** Whether everything is being replaced, until that is written down: what is on the disk does not lead there. */
  readonly isRestoring: boolean
  /** Whether an append would have to wait for the end of a `replace`; then `opened` resolves, or rejects as the append would. */
  readonly isClosed: boolean
  opened(): Promise<void>
  /**
   * Has every part written down whole, so that what the log has of it so far is not needed any more; but for those which that would
   * not make quicker to start (`startsQuickly`). Rejects when it fails; then the log goes on as it was.
   */
  checkpoint(): Promise<void>
  /** Keeps the file of a part that there is now, instead of the one held before, for as long as the log is open. */
  hold(part: string): void
}

/** A part as the log writes it down. */
export interface LoggedPart {
  name: string
  /**
   * Whether it takes in its changes as quickly as its file. Then it is written down again only when the log has become as long as
   * that: what it costs to write a change does not depend on how much there is.
   */
  startsQuickly?: boolean
  /** Whether no replacement touches it: then it is added to also while the log is closed. */
  onlyGrows?: boolean
  /** What its file would have and the log has not: a checkpoint that leaves the file as it is adds these changes to the log. */
  unlogged?(): readonly unknown[]
  /**
   * What the part holds now. `mark` is called exactly at the moment that it shows: changes that were appended before are in it,
   * later ones are not. What it does not show can be given to `mark` as changes, which then are the first after it.
   */
  content(mark: (changes?: readonly unknown[]) => Promise<void>): Promise<Iterable<string | Buffer>>
  /** What it held at the latest `mark` is in this file, which counts from now on. */
  written?(file: string): void
}

/** For a simulator that keeps nothing. */
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
