import { stripVTControlCharacters } from 'node:util'
import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import { effectOf, isRecoverable, isSurvivable } from '../draw/profiles.js'
import type { ClientFinding } from '../types.js'
import {
  callText,
  type Exchange,
  firedAt,
  isKilledAt,
  isRefused,
  isTrouble,
} from '../world/exchange.js'
import { causeOf } from './cause.js'
import { leftBehind, lostTrack } from './executions.js'
import { cursorRewindsIn, misused } from './misused.js'
import { misplaced, movedTwice } from './money.js'
import { hammered, hung, impatient } from './patience.js'
import type { Baseline, Run } from './run.js'

export interface JudgeOptions {
  /** Whether a good client survives all of the rules. */
  survivable: boolean
  /** Whether the client may fail, but must not lose track: some rule is a failure that it cannot avert, and it survives all others. */
  recoverable?: boolean
}

export function expectedUnder(rules: readonly FaultRuleInput[]): JudgeOptions {
  const survivable = rules.every(isSurvivable)
  const recoverable =
    !survivable && rules.every((rule) => isSurvivable(rule) || isRecoverable(rule))
  return { survivable, recoverable }
}

/**
 * The defects of a run, compared with the baseline. Each defect is reported once: a client that moved twice has not also claimed
 * success, and a client that gave up or hung has not also left something behind.
 */
export function judgeRun(
  baseline: Baseline,
  run: Run,
  { survivable, recoverable = false }: JudgeOptions,
): ClientFinding[] {
  const { ending, exchanges, outcome } = run
  const findings: ClientFinding[] = []
  const add = (
    kind: ClientFinding['kind'],
    finding: (Omit<ClientFinding, 'kind' | 'cause' | 'at'> & Partial<ClientFinding>) | undefined,
  ) => {
    if (finding) findings.push({ kind, ...causeOf(kind, exchanges), ...finding })
  }
  const hasEnded = !ending.hung
  if (!hasEnded) add('hung', hung(run, baseline))
  const twice = movedTwice(baseline.outcome, outcome)
  add('moved_twice', twice)
  if (hasEnded && ending.exit === 0) {
    if (!twice && recoverable) add('lost_track', lostTrack(baseline, run))
    else if (!twice)
      add('claimed_success', claimed(misplaced(baseline.outcome, outcome), run.rules))
    add('left_behind', leftBehind(exchanges))
  } else if (hasEnded && !twice) {
    if (survivable) add('gave_up', gaveUpText(run))
    else if (recoverable) add('lost_track', lostTrack(baseline, run))
  }
  add('impatient', impatient(exchanges, ending))
  const lives = livesIn(exchanges)
  add('hammered', firstOf(lives.map(hammered)))
  // After a restart, a client may begin with an earlier cursor.
  add('misused', misused(exchanges, lives.length > 1 ? anyRewinds : baseline.cursorRewinds))
  return findings
}

const anyRewinds = { toStart: Number.POSITIVE_INFINITY, toEarlier: Number.POSITIVE_INFINITY }

/** The exchanges, split at crashes: one list for each run of the command. */
function livesIn(exchanges: readonly Exchange[]): Exchange[][] {
  const lives: Exchange[][] = [[]]
  for (const exchange of exchanges) {
    lives.at(-1)!.push(exchange)
    if (isKilledAt(exchange)) lives.push([])
  }
  return lives
}

const firstOf = <T>(all: readonly (T | undefined)[]): T | undefined =>
  all.find((each) => each !== undefined)

function claimed(
  difference: Pick<ClientFinding, 'message' | 'about'> | undefined,
  rules: Run['rules'],
) {
  if (!difference) return undefined
  const message = `The client ended with 0. ${difference.message}${partialText(rules)}`
  return { ...difference, message }
}

function partialText(rules: Run['rules']): string {
  const rule = rules.find(
    ({ on, effect }) => on === 'bridge' && effectOf({ effect }).name === 'partial',
  )
  if (!rule) return ''
  const { percent = 50 } = effectOf(rule).settings as { percent?: number }
  return ` The bridge kept ${100 - percent} % of what it should have delivered (bridge.partial). A client should compare what has arrived with its plan, report what is missing, and fail or plan again with what is there.`
}

function gaveUpText({ ending, exchanges }: Run) {
  const trouble = exchanges.findLast((each) => isTrouble(each))
  const output = lastWords(ending.output)
  return {
    message: `The client gave up with exit code ${ending.exit}. It did not have to: a client that retries, plans again or waits survives every fault of this run.${trouble ? troubleText(trouble) : ''}${output === '' ? '' : ` It wrote: ${output}`}`,
    about: trouble?.request_id,
  }
}

function troubleText(trouble: Exchange): string {
  const effects = firedAt(trouble).map(({ effect }) => effect)
  const what = isRefused(trouble) ? 'refusal that it met was' : `fault was ${effects.join(', ')} at`
  return ` The last ${what} ${callText(trouble)}.`
}

/** The line that names an error, or else the last ones. */
function lastWords(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => line.trim() !== '')
  // pytest puts an E before the lines of an error.
  const error = lines.findLast((line) => /^(E\s+)?\S*(Error|Exception)\b/.test(line))
  return (error ?? lines.slice(-3).join(' | ')).slice(-300)
}

export function baselineOf({ ending, outcome, exchanges }: Run): Baseline {
  return { tookMs: ending.tookMs, outcome, cursorRewinds: cursorRewindsIn(exchanges) }
}
