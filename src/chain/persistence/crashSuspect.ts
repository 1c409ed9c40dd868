import type { NodeCommand } from '../rpc/nodeCommand.js'

/** Which command it is that a node dies of. One is done at a time, so it is the last in the log that may never have been answered. */
export interface CrashSuspect {
  /** A command is in the log, and about to be done. */
  begun(command: NodeCommand): void
  /** The end of the run before is not known: it may have come before this last command was answered. */
  mayEndWith(last: NodeCommand | undefined): void
  /** All that is in the log has been done. */
  cleared(): void
  /**
   * The node has died at this one. The first time that may be chance (`again`); after that it is never to be done again (`leave out`),
   * unless somebody has been told that it was done (`acknowledged`).
   */
  of(command: NodeCommand): 'again' | 'leave out' | 'acknowledged'
}

export function createCrashSuspect(): CrashSuspect {
  let unanswered: NodeCommand | undefined
  /** What the node has died at, or would now. */
  let suspect: NodeCommand | undefined
  return {
    begun(command) {
      unanswered = command
      suspect = command
    },
    mayEndWith(last) {
      unanswered = last
    },
    cleared() {
      unanswered = undefined
      suspect = undefined
    },
    of(command) {
      const isFirst = command !== suspect
      suspect = command
      if (isFirst) return 'again'
      return command === unanswered ? 'leave out' : 'acknowledged'
    },
  }
}

/** What a start says when a node ends each time at a command that may not be left out. */
export function stuckText(network: string, { method, on }: NodeCommand): string {
  const where = on === undefined ? '' : ` on block ${on}`
  return `the ${network} node ends each time that it does ${method}${where} again, as its log has it. It may have been acknowledged, so it is not left out. Nothing in the data folder was changed: start it with the svc-sim that wrote it, put back a copy, or name another --data-dir`
}
