import type { ClockMode } from '../../time/clock.js'

/**
 * The shortest time that becomes an `advance`, in milliseconds. With a running clock only long waits matter: plans expire, bridges deliver.
 * A frozen clock moves in whole seconds, also when the simulator's own process moves it; `auto` skips by itself.
 */
const worthAdvancing: Record<ClockMode, number> = {
  ...{ real: 10_001, frozen: 1_000, auto: Number.POSITIVE_INFINITY },
}

/** With a running clock and without a fault, an execution has ended after this time. Milliseconds. */
const provingMs = 10_000

/** How far the clock of a play has come, beside that of the recorded run. */
export class PlayTime {
  /** By how much the play has moved its clock, in milliseconds. */
  moved = 0
  private readonly clock: ClockMode
  /** How much less that is than what passed in the run, in milliseconds; below zero, the play is ahead. */
  private owed = 0
  /** Up to here the time of the run is counted. */
  private countedTo: number | undefined

  constructor(clock: ClockMode) {
    this.clock = clock
  }

  /** Begins to count again: what passes in a request passes in that of the play as well. */
  countFrom(at: string): void {
    this.countedTo = Date.parse(at)
  }

  /** The seconds to let pass before the play is at this time of the run; 0 while they are too few. */
  until(at: string): number {
    const passed = Date.parse(at) - (this.countedTo ?? Number.POSITIVE_INFINITY)
    if (!(passed > 0)) return 0
    this.countFrom(at)
    this.owed += passed
    return this.owed < worthAdvancing[this.clock] ? 0 : this.advance(Math.floor(this.owed / 1_000))
  }

  /** The play has waited for what happened at the time that is counted to. */
  waited(): void {
    if (this.clock === 'real') this.owed = Math.min(this.owed, 0)
  }

  /** The seconds that are missing until an execution without a fault would have ended, which began when the play had moved by so much. */
  missing(since: number): number {
    const left = this.clock === 'real' ? provingMs - (this.moved - since) : 0
    return Math.ceil(Math.max(left, 0) / 1_000)
  }

  /** How far the play is ahead of the run once its clock has been moved. Milliseconds. */
  aheadAfter(seconds: number): number {
    return Math.max(0, seconds * 1_000 - this.owed)
  }

  advance(seconds: number): number {
    this.moved += seconds * 1_000
    this.owed -= seconds * 1_000
    return seconds
  }
}
