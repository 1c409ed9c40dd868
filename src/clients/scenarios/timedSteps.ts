import type { ClockMode } from '../../time/clock.js'
import {
  heldAt,
  heldChecks,
  isBeingReplaced,
  type SavedExecution,
  type SavedMoment,
  savedRule,
  secondsOfProof,
  statesIn,
} from './executions.js'
import type { SavedRequest, SavedRun } from './savedRun.js'

type Fields = Record<string, unknown>

/** The steps of a play. Between its requests, it lets time pass as in the run, and waits for what ended there by itself. */
export class TimedSteps {
  readonly all: Fields[] = []
  readonly executed: SavedExecution[] = []
  private readonly run: Pick<SavedRun, 'clock' | 'end'>
  private readonly end: number
  private readonly time: PlayTime
  /** Rules that are in force, with how often they have hit. */
  private readonly armed = new Map<string, ReturnType<typeof savedRule>>()
  private previous: SavedRequest | undefined
  /** When a request last changed something other than the clock. */
  private changedAt: string | undefined

  constructor(run: Pick<SavedRun, 'clock' | 'end'>) {
    this.run = run
    this.end = run.end ?? Number.POSITIVE_INFINITY
    this.time = new PlayTime(run.clock)
  }

  push(...steps: Fields[]): void {
    this.all.push(...steps)
  }

  /** Adds the time until this request of the run. */
  reach({ cursor, at }: SavedRequest): void {
    // A frozen clock was moved before anything could end; a running clock moves on while things end; `auto` skips by itself.
    if (this.run.clock === 'frozen') this.letTimePass(at)
    this.awaitWhatEnded(cursor)
    this.letTimePass(at)
  }

  /** Adds the steps of a request, and the time until its response. */
  leave(recorded: SavedRequest): void {
    const [path = '', query = ''] = recorded.url.split('?')
    const answeredAt = recorded.answer!.at
    this.previous = recorded
    // A play does not repeat the wait of a long poll.
    const isPoll = this.run.clock === 'real' && query.includes('poll=true')
    this.time.countFrom(isPoll ? recorded.at : answeredAt)
    const isChange = !/^(GET .*|\S+ \/_sim\/clock.*|POST \/_sim\/faults)$/.test(
      `${recorded.method} ${path}`,
    )
    if (isChange) this.changedAt = answeredAt
  }

  /** Adds the time until the end of the run. Returns what is expected then. */
  finish(): object[] {
    const [ended] = this.executed.flatMap(({ ends }) => ends).toSorted((a, b) => b.order - a.order)
    if (ended && this.run.clock === 'frozen') this.letTimePass(ended.at)
    this.awaitWhatEnded(this.end + 1)
    const checks = this.executed.flatMap(({ name, ends }) => {
      const status = ends.at(-1)?.status
      return status && name ? [{ activity: { of: name, status } }] : []
    })
    const last = this.previous?.answer && this.momentOf(this.previous)
    const end = last && { ...last, cursor: this.end + 1 }
    const advance = end ? secondsOfProof(this.executed, end) : 0
    if (advance > 0) this.push({ advance })
    return [...checks, ...(end ? heldChecks(this.executed, end) : [])]
  }

  /** A client moved the clock. */
  advance(seconds: unknown): void {
    this.push({ advance: seconds })
    this.time.moved += Number(seconds) * 1_000
  }

  execute(execution: Omit<SavedExecution, 'moved'>): void {
    this.executed.push({ ...execution, moved: this.time.moved })
  }

  arm(rule: Fields, { cursor }: SavedRequest): void {
    this.armed.set(String(rule.id), savedRule(rule, cursor))
  }

  /** Somebody removed a rule that held executions. */
  heal(which: string | true, recorded: SavedRequest): void {
    const removed = [...this.armed].filter(([id]) => which === true || id === which)
    if (this.run.end !== undefined) {
      const moment = { ...this.momentOf(recorded), isSettled: false, armed: new Map(removed) }
      this.prove(moment)
      const checks = heldChecks(this.executed, { ...moment, aheadMs: this.time.aheadAfter(0) })
      this.push(...checks.map((check) => ({ check })))
    }
    this.push({ heal: which })
    for (const [id] of removed) this.armed.delete(id)
  }

  /** What a read of a test showed of executions. Lets enough time pass first, so that the test fails without the rules that held them. */
  statesShown(read: SavedRequest): ReturnType<typeof statesIn> {
    if (this.run.end === undefined || read.method !== 'GET' || read.answer?.status !== 200)
      return []
    const states = () => statesIn(read, this.executed, this.momentOf(read))
    if (states().some(({ is, doubt }) => is === 'pending' && doubt === undefined))
      this.prove(this.momentOf(read))
    return states()
  }

  private momentOf({ cursor, at, answer }: SavedRequest): SavedMoment {
    const { clock } = this.run
    const passed = Date.parse(at) - Date.parse(this.changedAt ?? at)
    return {
      ...{ cursor, clock, at: answer!.at, aheadMs: this.time.aheadAfter(0) },
      isSettled: clock === 'frozen' && passed >= 1_000,
      armed: this.armed,
    }
  }

  /** Waits for everything that had ended before this moment, so that the next request finds the same. */
  private awaitWhatEnded(cursor: number): void {
    for (const execution of this.executed) {
      const end = execution.ends.find((each) => each.order < cursor)
      if (execution.isAwaited || !end) continue
      const { account, name: activity, ends } = execution
      const isNewest = this.executed.findLast((each) => each.account === account) === execution
      execution.isAwaited = activity !== undefined || isNewest
      if (!execution.isAwaited) continue
      this.letTimePass(end.at)
      this.time.waited()
      this.push({ wait: { account, ...(activity && { activity }), status: end.status } })
      // It was pending again, or will be, and ends once more.
      if (ends.length > 1 || isBeingReplaced(execution)) this.push({ advance: 0 })
    }
  }

  private letTimePass(at: string): void {
    // Accounts are opened before the first step, at its time.
    if (this.all.length === 0) return
    const seconds = this.time.until(at)
    if (seconds > 0) this.push({ advance: seconds })
  }

  /** Adds the time after which executions that rules hold now would have ended without them, if the rules hold longer. */
  private prove(moment: SavedMoment): void {
    const held = moment.isSettled ? [] : heldAt(this.executed, moment)
    const seconds = Math.max(...held.map(({ moved }) => this.time.missing(moved)))
    const after = { ...moment, aheadMs: this.time.aheadAfter(seconds) }
    const isMissing = held.length > 0 && (seconds > 0 || moment.clock === 'frozen')
    if (isMissing && heldAt(held, after).length === held.length)
      this.push({ advance: this.time.advance(seconds) })
  }
}

/**
 * The shortest time that becomes an `advance`, in milliseconds. With a running clock only long waits matter: plans expire, bridges deliver.
 * A frozen clock moves in whole seconds, also when the simulator's own process moves it; `auto` skips by itself.
 */
const worthAdvancing: Record<ClockMode, number> = {
  ...{ real: 10_001, frozen: 1_000, auto: Number.POSITIVE_INFINITY },
}

/** With a running clock and without a fault, an execution has ended after this time. Milliseconds. */
const provingMs = 10_000

/** How far the clock of a play has moved, compared with that of the recorded run. */
class PlayTime {
  /** By how much the play has moved its clock, in milliseconds. */
  moved = 0
  private readonly clock: ClockMode
  /** How much less that is than what passed in the run, in milliseconds; negative when the play is ahead. */
  private owed = 0
  /** The moment of the run up to which its time has been counted. */
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

  /** In how many seconds an execution without a fault would have ended that began when the play had moved by so much. */
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
