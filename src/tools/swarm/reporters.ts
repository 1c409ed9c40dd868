import { junitXml } from '../../clients/testing/junit.js'
import { shownPackageFile } from '../../lib/files/packageFile.js'
import { shellWord } from '../../lib/shellWord.js'
import { afterLostExecution } from '../../service/plans/execute/causeSentence.js'
import { defaultPort } from '../../simulator/options/simulatorOptions.js'
import { afterRestart, lostResponse, noFault } from './judge/cause.js'
import { rewoundCursor } from './judge/misused.js'
import type { FindingKind } from './types.js'
import { notRunAgain, type ReportedFinding, type SwarmProgress, type SwarmReport } from './types.js'
import { metErrors } from './world/world.js'

type Reporter = (report: SwarmReport, words: readonly string[]) => string

/** `words` are the command that was searched. */
export const swarmReporters: Readonly<Record<'pretty' | 'json' | 'junit', Reporter>> = {
  pretty,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  junit,
}

function pretty(report: SwarmReport, words: readonly string[]): string {
  const { findings, not_confirmed, runs, seconds, cells, unreached, seed, baseline } = report
  const { tried, of } = report.single_faults
  const command = words.map(shellWord).join(' ')
  const errors = metErrors(cells)
  return [
    ...findings.map((finding, place) => findingText(finding, place + 1, command)),
    `${findings.length === 0 ? 'No findings' : plural(findings.length, 'finding')} in ${plural(runs, 'run')} (${seconds} s, seed ${seed}). Without faults the command executes ${plural(baseline.executions, 'plan')}.`,
    ...(of === 0 ? [] : [`${tried} of ${plural(of, 'single fault')} tried.`]),
    ...(not_confirmed.length === 0
      ? []
      : [
          'Not confirmed, since three more runs did not show it:',
          ...not_confirmed.map(unconfirmedText),
        ]),
    errors.length === 0
      ? 'The client received no documented error.'
      : `In all runs the client received ${plural(errors.length, 'documented error')}: ${errors.map(({ cell }) => cell).join(', ')}.`,
    ...(unreached.length === 0 ? [] : [`Never reached: ${unreached.join(', ')}.`]),
    '',
  ].join('\n')
}

export function findingLine({
  kind,
  cause,
  reproduced,
  scenario,
  seconds,
}: ReportedFinding): string {
  const file = scenario === '' ? '' : `, ${scenario}`
  return `${kind}: ${cause} (after ${seconds} s; ${againText(reproduced)}${file})`
}

function unconfirmedText(finding: ReportedFinding): string {
  const { kind, cause, seed, rules } = finding
  return `  ${kind}: ${cause} (seed ${seed}) with ${JSON.stringify(rules)}`
}

const maxSeenWith = 5

function findingText(finding: ReportedFinding, number: number, command: string): string {
  const { kind, cause, message, rules, scenario, seen_with, trace, reproduced } = finding
  const { seen } = finding
  const indented = (text: string): string => text.replace(/^(?=.)/gm, '     ')
  return [
    `${number}. ${kind}: ${cause} (${seeded(finding)}seen in ${plural(seen, 'run')}; ${againText(reproduced)})`,
    indented(message),
    '   Faults:',
    ...(rules.length === 0 ? ['     none'] : rules.map((rule) => `     ${JSON.stringify(rule)}`)),
    ...(finding.timeline === undefined
      ? []
      : ['   Timeline:', indented(shortTimeline(finding.timeline))]),
    '   Try it:',
    `     npx svc-sim scenario run ${shellWord(scenario)} -- ${command}`,
    `     npx svc-sim swarm --replay ${shellWord(scenario)} -- ${command}`,
    ...(trace === '' ? [] : [`     npx svc-sim ui ${shellWord(trace)}`]),
    ...adviceOn(finding).map((advice) => `   What to do: ${advice}.`),
    `   How to fix it: ${guideTo(finding)}`,
    ...(seen_with.length < 2
      ? []
      : ['   Seen with:', ...seen_with.slice(0, maxSeenWith).map((at) => `     ${at}`)]),
    ...(seen_with.length > maxSeenWith ? [`     and ${seen_with.length - maxSeenWith} more`] : []),
    '',
  ].join('\n')
}

function seeded({ rules, seed, cause }: ReportedFinding): string {
  if (rules.length > 0) return `seed ${seed}; `
  return cause === noFault ? '' : 'without faults; '
}

function againText(reproduced: string): string {
  return reproduced === notRunAgain ? 'not run again' : `reproduced ${reproduced}`
}

function shortTimeline(text: string): string {
  return text
    .split('\n')
    .filter((line) => line !== '' && !/^ {20}/.test(line))
    .join('\n')
}

function junit({ findings, runs, seconds }: SwarmReport, words: readonly string[]): string {
  const classname = 'svc-sim swarm'
  const command = words.map(shellWord).join(' ')
  const cases = findings.map((finding, place) => ({
    ...{ name: `${finding.kind}: ${finding.cause}`, classname },
    failure: { message: finding.message, text: findingText(finding, place + 1, command) },
  }))
  const none = { name: `no finding in ${runs} runs`, classname }
  return junitXml({ [classname]: cases.length > 0 ? cases : [none] }, { seconds })
}

/** The page that shows what a good client does, without `.md`. */
const pages: Readonly<Record<FindingKind, string>> = {
  moved_twice: 'guides/lost-answer',
  claimed_success: 'start/first-plan',
  gave_up: 'client',
  left_behind: 'start/first-plan',
  hung: 'guides/timeouts',
  hammered: 'client',
  misused: 'guides/plan-stale',
  impatient: 'guides/timeouts',
  lost_track: 'start/first-plan',
}

/** The file in the installed package, and the page that a running simulator serves. */
function guideTo(finding: Pick<ReportedFinding, 'kind' | 'cause' | 'rules'>): string {
  const page = pageFor(finding)
  const file = shownPackageFile(`docs/${page}.md`)
  return `${file} (or http://127.0.0.1:${defaultPort}/_sim/docs/${page} while svc-sim start runs)`
}

/** The advice that `svc-sim why` gives, too; none where the message of the finding gives it. */
function adviceOn({ cause }: Pick<ReportedFinding, 'cause'>): string[] {
  if (cause === lostResponse) return [afterLostExecution]
  if (cause !== afterRestart) return []
  return [
    `write the plan_id to disk before you execute a plan, and after a restart ${afterLostExecution}`,
  ]
}

function pageFor({
  kind,
  cause,
  rules,
}: Pick<ReportedFinding, 'kind' | 'cause' | 'rules'>): string {
  if (cause === lostResponse || cause === afterRestart) return 'guides/lost-answer'
  if (cause.includes('plan_stale')) return 'guides/plan-stale'
  if (cause === rewoundCursor) return 'client'
  const losesMoney = kind === 'claimed_success' || kind === 'left_behind' || kind === 'lost_track'
  if (losesMoney && rules.some(({ on }) => on === 'bridge')) return 'guides/bridge'
  return pages[kind]
}

/** How often a line is written without a terminal. Milliseconds. */
const lineEveryMs = 10_000
/** How often the line is redrawn at a terminal. Milliseconds. */
const redrawEveryMs = 100

/** Shows the progress: one line that changes at a terminal, and a line every ten seconds elsewhere. */
export function showProgress(
  stream: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean },
  now: () => number = () => performance.now(),
) {
  let shownAt = now()
  let isOpen = false
  return {
    onProgress(progress: SwarmProgress): void {
      const every = stream.isTTY ? redrawEveryMs : lineEveryMs
      if (now() - shownAt < every) return
      shownAt = now()
      if (stream.isTTY) stream.write(`\r\u001b[K${progressText(progress)}`)
      else stream.write(`svc-sim: ${progressText(progress)}\n`)
      isOpen = stream.isTTY ?? false
    },
    /** Clears the line, so that something else can be written. */
    end(): void {
      if (isOpen) stream.write('\r\u001b[K')
      isOpen = false
    },
  }
}

function progressText({ runs, findings, examining, elapsedMs, cells }: SwarmProgress): string {
  const perSecond = (runs / (elapsedMs / 1000)).toFixed(1)
  const shrinking = examining > 0 ? `, shrinking ${examining}` : ''
  return `${plural(runs, 'run')}, ${plural(findings, 'finding')}${shrinking}, ${perSecond} runs/s, ${plural(cells, 'documented error')} met`
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
