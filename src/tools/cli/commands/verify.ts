import { readFileSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { variable } from '../../../clients/remote/variables.js'
import { requestWire } from '../../../observe/journal/page.js'
import { looksPacked, type RunContent, readTrace } from '../../../observe/trace/traceFile.js'
import { defaultApiKey } from '../../../simulator/options/keys.js'
import { badgeFormats } from '../../verify/badge.js'
import { type Documented, readDocument } from '../../verify/documented.js'
import { ledgerText, readLedger } from '../../verify/fidelityRows.js'
import { fundingByCommand, fundingByUrl } from '../../verify/funding.js'
import { allProbes } from '../../verify/probes/index.js'
import { verifyProgress } from '../../verify/progress.js'
import { driftOf, fallenAxes, type RunRecord, readRecord, recordOf } from '../../verify/record.js'
import { isBreach, type RunReport } from '../../verify/report.js'
import { verifyReporters } from '../../verify/reporters.js'
import { CannotRun, verifyServer } from '../../verify/run.js'
import { type JournalText, readJournal, usedJudgements } from '../../verify/usedBy.js'
import { ConfigError, reporterOf } from '../options/config.js'
import type { OptionValues } from '../options/optionTable.js'
import { baseOf } from '../process/control.js'
import { print, say } from '../process/output.js'

/**
 * `svc-sim verify`: whether a server does what the interface says, what is known of the service, and what this simulator has chosen.
 * Resolves to 0 when it does, 1 when something differs, 2 when that could not be found out.
 */
export async function verify(values: OptionValues): Promise<number> {
  const documented = readDocument()
  if (values.usedBy !== undefined) return usedBy(values, values.usedBy, documented)
  const write = reporterOf(values, verifyReporters)
  const badge = values.badge === undefined ? undefined : badgeFormatOf(values.badge)
  const { fundUrl, fundCmd } = values
  if (fundUrl !== undefined && fundCmd !== undefined)
    throw new ConfigError('--fund-url and --fund-cmd cannot both pay; give one of them.')
  // Files that are wrong are named before anything is asked.
  const against = values.against === undefined ? undefined : readKept('--against', values.against)
  const baseline =
    values.baseline === undefined ? undefined : readKept('--baseline', values.baseline)
  const paying = fundUrl === undefined ? undefined : fundingByUrl(fundUrl)
  const progress = verifyProgress(process.stderr)
  let report: RunReport
  try {
    report = await verifyServer({
      target: { url: baseOf(values).replace(/\/$/, ''), apiKey: keyOf(values) },
      reach: values.only,
      funder: fundCmd === undefined ? paying : fundingByCommand(fundCmd),
      ...progress,
    })
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    say(error.message)
    return 2
  }
  await print(write(report, values))
  const record = recordOf(report, documented)
  if (values.record !== undefined)
    keep('--record', values.record, `${JSON.stringify(record, null, 1)}\n`)
  if (values.badge !== undefined) keep('--badge', values.badge, badge!(report))
  return errorCodeOf(report, { record, against, baseline })
}

/** What a run comes to; says what the files had to do with it. */
function errorCodeOf(
  { ended, results, scores }: RunReport,
  kept: { record: RunRecord; against: RunRecord | undefined; baseline: RunRecord | undefined },
): number {
  const { record, against, baseline } = kept
  const drift = against ? driftOf(against, record) : []
  for (const line of drift) say(`drift: ${line}`)
  if (against) say(`${drift.length} differences from the run against ${against.url}`)
  const fallen = baseline ? fallenAxes(baseline, scores) : []
  for (const line of fallen) say(`an axis has fallen: ${line}`)
  if (ended !== undefined) {
    say(`the run did not come to its end: ${ended}`)
    return 2
  }
  // A baseline is there to live with known differences.
  const differs = baseline ? fallen.length > 0 : results.some(isBreach)
  return differs || drift.length > 0 ? 1 : 0
}

function keyOf({ apiKey }: OptionValues): string {
  if (apiKey.length > 1)
    throw new ConfigError(`verify asks with one key, but ${apiKey.length} are given; leave one.`)
  return apiKey[0] ?? variable('SVC_API_KEY') ?? defaultApiKey
}

function readKept(flag: string, file: string): RunRecord {
  try {
    return readRecord(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConfigError(
      `${flag} ${file} cannot be used: ${(error as Error).message}. It must be a file that "svc-sim verify --record" has written.`,
    )
  }
}

/** By the ending of the file. */
function badgeFormatOf(file: string): (report: RunReport) => string {
  const format = badgeFormats[extname(file).slice(1) as keyof typeof badgeFormats]
  if (format !== undefined) return format
  throw new ConfigError(
    `--badge ${file} must end in .svg, or in .json for an endpoint badge of shields.io.`,
  )
}

function keep(flag: string, file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new ConfigError(`${flag} ${file} cannot be written: ${(error as Error).message}.`)
  }
  say(`wrote ${file}`)
}

/** Which calls of a journal rest on nothing but our judgement. Nobody is asked. */
async function usedBy(values: OptionValues, file: string, documented: Documented): Promise<number> {
  const parts = {
    documented,
    probes: allProbes(documented),
    ledger: readLedger(ledgerText()),
  }
  const found = usedJudgements(await readCalls(file), parts)
  const write = reporterOf(values, {
    json: () => `${JSON.stringify(found, null, 2)}\n`,
    pretty: () =>
      found.used
        .map(({ call, count, rows }) => `${call} (${count} times)\n  ${rows.join('\n  ')}\n`)
        .join(''),
  })
  await print(write())
  const resting = found.used.reduce((sum, { count }) => sum + count, 0)
  say(
    `${resting} of ${found.calls} calls of the service rest on rows of docs/fidelity.md that are judgement only`,
  )
  return 0
}

/** The journal of a trace, or one that was saved. */
async function readCalls(file: string): Promise<JournalText> {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new ConfigError(`--used-by ${file} cannot be read: ${(error as Error).message}.`)
  }
  if (looksPacked(bytes)) return callsOf((await readTrace(file)).content)
  try {
    return readJournal(bytes.toString())
  } catch {
    throw new ConfigError(
      `--used-by ${file} is neither a trace nor a journal. Write a trace with --trace, or save a journal with "curl -s URL/_sim/journal?limit=1000 > ${file}".`,
    )
  }
}

/** Those of leased worlds, too. */
function callsOf({ worlds, ...own }: RunContent): JournalText {
  const journals = [own, ...worlds.map(({ content }) => content)].map(({ journal }) => journal)
  return {
    exchanges: journals.flatMap(({ exchanges }) => exchanges.map(requestWire)),
    dropped: journals.reduce((sum, { dropped }) => sum + dropped, 0),
  }
}
