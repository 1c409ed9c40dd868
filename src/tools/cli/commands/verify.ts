import { readFileSync, writeFileSync } from 'node:fs'
import { variable } from '../../../clients/remote/variables.js'
import { defaultApiKey } from '../../../simulator/options/simulatorOptions.js'
import { readDocument } from '../../verify/documented.js'
import { type Funder, fundingByCommand, fundingByUrl } from '../../verify/funding.js'
import { driftOf, fallenAxes, type RunRecord, readRecord, recordOf } from '../../verify/record.js'
import { isBreach, type RunReport } from '../../verify/report.js'
import { verifyProgress, verifyReporters } from '../../verify/reporters.js'
import { CannotRun, verifyServer } from '../../verify/run.js'
import { ConfigError, reporterOf } from '../options/config.js'
import type { OptionValues } from '../options/optionTable.js'
import { baseOf } from '../process/control.js'
import { print, say } from '../process/output.js'

/**
 * `svc-sim verify`: checks a server against the interface, what is known of the service, and the choices of this simulator. Resolves to 0
 * when it conforms, 1 when something differs, 2 when the run could not finish.
 */
export async function verify(values: OptionValues): Promise<number> {
  const write = reporterOf(values, verifyReporters)
  const funder = funderOf(values)
  // Files that are wrong are named before anything is asked.
  const against = values.against === undefined ? undefined : readKept('--against', values.against)
  const baseline =
    values.baseline === undefined ? undefined : readKept('--baseline', values.baseline)
  const progress = verifyProgress(process.stderr)
  let report: RunReport
  try {
    report = await verifyServer({
      target: { url: baseOf(values).replace(/\/$/, ''), apiKey: keyOf(values) },
      reach: values.only,
      funder,
      ...progress,
    })
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    say(error.message)
    return 2
  }
  await print(write(report, values))
  const record = recordOf(report, readDocument())
  if (values.record !== undefined)
    keep('--record', values.record, `${JSON.stringify(record, null, 1)}\n`)
  return errorCodeOf(report, { record, against, baseline })
}

/** The run's exit code. Also prints what the files contributed. */
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

/** Who pays, by `--fund-url` or `--fund-cmd`. */
export function funderOf({ fundUrl, fundCmd }: OptionValues): Funder | undefined {
  if (fundUrl !== undefined && fundCmd !== undefined)
    throw new ConfigError('--fund-url and --fund-cmd cannot both pay; give one of them.')
  if (fundCmd !== undefined) return fundingByCommand(fundCmd)
  return fundUrl === undefined ? undefined : fundingByUrl(fundUrl)
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

function keep(flag: string, file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new ConfigError(`${flag} ${file} cannot be written: ${(error as Error).message}.`)
  }
  say(`wrote ${file}`)
}
