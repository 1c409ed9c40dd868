import type { NodeCommand } from '../rpc/commandLog.js'

/** Finds the command that kills a node. Commands run one at a time, so it is the last one in the log, if that was not answered. */
export interface CrashSuspect {
  /** A command is in the log, and about to run. */
  begun(command: NodeCommand): void
  /** The previous run may have died at this command, the last one in the log. */
  mayEndWith(last: NodeCommand | undefined): void
  /** All commands in the log have run. */
  cleared(): void
  /**
   * The node has died at this command. The first time may be chance (`again`); after that the command is left out (`leave out`), unless its
   * success was already reported (`acknowledged`).
   */
  of(command: NodeCommand): 'again' | 'leave out' | 'acknowledged'
}

export function createCrashSuspect(): CrashSuspect {
  let unanswered: NodeCommand | undefined
  /** The command that the node has died at, or would die at now. */
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

/** The error of a start when a node dies repeatedly at a command that must not be left out. */
export function stuckText(network: string, { method, on }: NodeCommand): string {
  const where = on === undefined ? '' : ` on block ${on}`
  return `the ${network} node ends each time that it does ${method}${where} again, as its log has it. It may have been acknowledged, so it is not left out. Nothing in the data folder was changed: start it with the svc-sim that wrote it, put back a copy, or name another --data-dir`
}
