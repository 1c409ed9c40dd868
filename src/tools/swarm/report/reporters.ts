import { junitXml } from '../../../clients/testing/junit.js'
import { shellWord } from '../../../lib/shellWord.js'
import { noFault } from '../judge/cause.js'
import { notRunAgain, type ReportedFinding, type SwarmReport } from '../types.js'
import { metErrors } from '../world/world.js'
import { adviceOn, guideTo } from './guide.js'
import { plural } from './plural.js'

type Reporter = (report: SwarmReport, words: readonly string[]) => string

/** How a report is written. `words` are the command that was searched. */
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

/** A finding in one line. */
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

/** So many of the faults that have shown the same are listed. */
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
    `     npx svc-sim exec --scenario ${shellWord(scenario)} -- ${command}`,
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

/** A search that was stopped may not have run the finding again. */
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
