import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import type { Exchange } from '../world/exchange.js'
import type { MoneyOutcome } from './outcome.js'

export interface Ending {
  /** Its exit code; of a function 0 when it resolved and 1 when it rejected. */
  exit: number
  /** The client was stopped because it took too long. */
  hung: boolean
  /** By the machine's clock. */
  tookMs: number
  /** The end of the command's output, or the error of a function. */
  output: string
}

export interface Run {
  rules: readonly FaultRuleInput[]
  ending: Ending
  /** Requests to the service, oldest first. */
  exchanges: readonly Exchange[]
  outcome: MoneyOutcome
}

/** The run without faults, with which all others are compared. */
export interface Baseline {
  /** By the machine's clock; undefined where another machine measured it. */
  tookMs: number | undefined
  outcome: MoneyOutcome
  cursorRewinds: CursorRewinds
}

/** How often polls for events began before a cursor that the client had received: at the very start, or at a later cursor. */
export interface CursorRewinds {
  toStart: number
  toEarlier: number
}
