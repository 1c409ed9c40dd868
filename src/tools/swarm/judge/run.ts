import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import type { Exchange } from '../world/exchange.js'
import { type CursorRewinds, cursorRewindsIn } from './misused.js'
import type { MoneyOutcome } from './outcome.js'

/** How the command or the function ended. */
export interface Ending {
  /** Its exit code; of a function 0 when it resolved and 1 when it rejected. */
  exit: number
  /** It was ended because it took longer than it may. */
  hung: boolean
  /** By the machine's clock. */
  tookMs: number
  /** The end of what it wrote, or the error of a function. */
  output: string
}

/** One run of the client in a world with armed faults, observed until everything came to rest. */
export interface Run {
  rules: readonly FaultRuleInput[]
  ending: Ending
  /** What the client asked of the service, oldest first. */
  exchanges: readonly Exchange[]
  outcome: MoneyOutcome
}

/** What runs are compared with: the client without faults. */
export interface Baseline {
  /** By the machine's clock; undefined where another machine measured it. */
  tookMs: number | undefined
  outcome: MoneyOutcome
  cursorRewinds: CursorRewinds
}

/** What a run without faults is to others. */
export function baselineOf({ ending, outcome, exchanges }: Run): Baseline {
  return { tookMs: ending.tookMs, outcome, cursorRewinds: cursorRewindsIn(exchanges) }
}
