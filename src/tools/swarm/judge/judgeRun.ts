import { familyOf } from '../draw/fingerprint.js'
import { answerText, type Exchange, firedAt, isExecute, routeOf } from '../world/exchange.js'
import type { ClientFinding } from './finding.js'
import { hammered } from './hammered.js'
import { leftBehind, startedBy } from './leftBehind.js'
import { misused } from './misused.js'
import { misplaced, movedTwice } from './money.js'
import type { Baseline, Run } from './run.js'

/** What the judge has to know besides. */
export interface JudgeOptions {
  /** Whether a good client rides all of the rules out. */
  survivable: boolean
}

/**
 * What is wrong with a run, compared with the baseline. One cause is told once: who moved twice has not also claimed success, and who gave
 * up or hung has not also left something behind.
 */
export function judgeRun(
  baseline: Baseline,
  run: Run,
  { survivable }: JudgeOptions,
): ClientFinding[] {
  const { ending, exchanges, outcome } = run
  const findings: ClientFinding[] = []
  const add = (
    kind: ClientFinding['kind'],
    found: Pick<ClientFinding, 'message' | 'about'> | undefined,
  ) => {
    if (found) findings.push({ kind, ...found, cause: causeOf(kind, exchanges) })
  }
  const hasEnded = !ending.hung
  if (!hasEnded) add('hung', hungText(run, baseline))
  const twice = movedTwice(baseline.outcome, outcome)
  add('moved_twice', twice)
  if (hasEnded && ending.exit === 0) {
    if (!twice) add('claimed_success', claimed(misplaced(baseline.outcome, outcome)))
    add('left_behind', leftBehind(exchanges))
  } else if (hasEnded && survivable && !twice) add('gave_up', gaveUpText(run))
  add('hammered', hammered(exchanges))
  add('misused', misused(exchanges, baseline.stepsBack))
  return findings
}

function claimed(difference: Pick<ClientFinding, 'message' | 'about'> | undefined) {
  return difference && { ...difference, message: `The client ended with 0. ${difference.message}` }
}

function hungText({ ending, exchanges }: Run, baseline: Baseline) {
  const last = exchanges.at(-1)
  const asked = last ? ` Its last request was ${callText(last)}.` : ''
  return {
    message: `The client had not ended after ${seconds(ending.tookMs)}; without faults it takes ${seconds(baseline.tookMs)}.${asked}`,
    about: last?.request_id,
  }
}

function gaveUpText({ ending, exchanges }: Run) {
  const refused = exchanges.findLast((each) => isTrouble(each))
  const why = refused ? ` The last trouble that it met was ${callText(refused)}.` : ''
  const output = ending.output.trim().split('\n').slice(-3).join(' | ').slice(-300)
  return {
    message: `The client ended with ${ending.exit}, although everything it met passes.${why}${output === '' ? '' : ` It wrote: ${output}`}`,
    about: refused?.request_id,
  }
}

function callText(exchange: Exchange): string {
  return `${exchange.method} ${exchange.url} (${answerText(exchange)})`
}

function isTrouble(exchange: Exchange): boolean {
  const { answer } = exchange
  return !answer || answer.cut || answer.status >= 400 || firedAt(exchange).length > 0
}

/** Whoever gave up or hung did so at the last fault; money went wrong at the first one around an execution. */
function causeOf(kind: ClientFinding['kind'], exchanges: readonly Exchange[]): string {
  const fired = exchanges.flatMap((exchange) =>
    firedAt(exchange).map(({ effect }) => ({ effect, exchange })),
  )
  const isLast = kind === 'gave_up' || kind === 'hung'
  const found = isLast
    ? fired.at(-1)
    : (fired.find(({ exchange }) => isExecute(exchange)) ?? fired.at(0))
  if (!found) return 'nothing'
  const { exchange } = found
  const isDone = isExecute(exchange) && startedBy(exchange) !== undefined
  const isTold = exchange.answer?.status === 200 && !exchange.answer.cut
  const effect = familyOf(found.effect, { kind, isDone: isDone && !isTold })
  return isLast ? `${effect} ${answerText(exchange)}` : `${effect} ${routeOf(exchange.url)}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
