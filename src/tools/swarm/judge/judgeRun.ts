import { callText, type Exchange, firedAt, isRefused, isTrouble } from '../world/exchange.js'
import { causeOf } from './cause.js'
import type { ClientFinding } from './finding.js'
import { hammered } from './hammered.js'
import { hung } from './hung.js'
import { leftBehind } from './leftBehind.js'
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
    found: (Pick<ClientFinding, 'message' | 'about'> & { cause?: string }) | undefined,
  ) => {
    if (found) findings.push({ kind, ...causeOf(kind, exchanges), ...found })
  }
  const hasEnded = !ending.hung
  if (!hasEnded) add('hung', hung(run, baseline))
  const twice = movedTwice(baseline.outcome, outcome)
  add('moved_twice', twice)
  if (hasEnded && ending.exit === 0) {
    if (!twice) add('claimed_success', claimed(misplaced(baseline.outcome, outcome)))
    add('left_behind', leftBehind(exchanges))
  } else if (hasEnded && survivable && !twice) add('gave_up', gaveUpText(run))
  add('hammered', hammered(exchanges))
  add('misused', misused(exchanges, baseline.cursorRewinds))
  return findings
}

function claimed(difference: Pick<ClientFinding, 'message' | 'about'> | undefined) {
  return difference && { ...difference, message: `The client ended with 0. ${difference.message}` }
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
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const error = lines.findLast((line) => /^\S*(Error|Exception)\b/.test(line))
  return (error ?? lines.slice(-3).join(' | ')).slice(-300)
}
