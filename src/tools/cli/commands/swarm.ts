import type { ReportedFinding, SwarmOptions, SwarmReport } from '../../swarm/types.js'
import { ConfigError, reporterOf } from '../options/config.js'
import type { OptionValues } from '../options/optionTable.js'
import { complain, print, say } from '../process/output.js'
import { leave, onStopRequest } from '../process/signals.js'

/**
 * `svc-sim swarm -- COMMAND`: searches for faults that break the command. Resolves to 0 without findings, 1 with findings, 2 when the
 * search could not be done, and 3 when it was interrupted before it found anything. Ctrl-C ends it with a report of the findings so far; a
 * second Ctrl-C ends it at once.
 */
export async function swarmCommand(
  values: OptionValues,
  words: readonly string[],
): Promise<number> {
  const { findingLine, showProgress, swarmReporters } = await import('../../swarm/reporters.js')
  const write = reporterOf(values, swarmReporters)
  const [file, ...args] = words
  if (file === undefined) throw new ConfigError('swarm needs a command: svc-sim swarm -- COMMAND')
  const stopping = new AbortController()
  onStopRequest(({ why, isInsisting }) => {
    if (isInsisting) leave(130)
    say(`${why}: reporting what was found so far`)
    stopping.abort()
  })
  const progress = showProgress(process.stderr)
  const onFinding = (finding: ReportedFinding): void => {
    progress.end()
    say(`found: ${findingLine(finding)}`)
  }
  const { onProgress } = progress
  const options = { ...searchOf(values), signal: stopping.signal, onProgress, onFinding }
  let report: SwarmReport
  try {
    report = await run(values, options, [file, ...args])
  } catch (error) {
    progress.end()
    if (stopping.signal.aborted) complain('stopped before the runs without faults had ended')
    else complain((error as Error).message)
    return 2
  }
  progress.end()
  await print(write(report, words))
  if (report.findings.length > 0) return 1
  return stopping.signal.aborted ? 3 : 0
}

async function run(
  values: OptionValues,
  options: SwarmOptions,
  words: readonly [string, ...string[]],
): Promise<SwarmReport> {
  const [{ searched, replayed }, { commandSubject }, { cannotRun }] = await Promise.all([
    import('../../swarm/run.js'),
    import('../../swarm/world/subject.js'),
    import('../process/command.js'),
  ])
  const problem = cannotRun(words[0], process.env)
  if (problem) throw new ConfigError(`cannot run ${words[0]}: ${problem.why}`)
  const subject = commandSubject(words)
  return values.replay === undefined
    ? searched(options, subject)
    : replayed(options, subject, values.replay)
}

function searchOf(values: OptionValues): SwarmOptions {
  const { runs, jobs, seed, profile, shrinkRuns, bail, finding, timeout, out, resume, restart } =
    values
  if (resume !== undefined && (out !== undefined || seed !== undefined))
    throw new ConfigError(
      '--resume goes on with the seed and in the folder of the earlier search: leave out --seed and --out.',
    )
  if (jobs === 0) throw new ConfigError('--jobs is 0, but at least one world is needed.')
  if (bail === 0)
    throw new ConfigError('--bail is 0, but a search ends after 1 finding at the earliest.')
  if (seed !== undefined && seed >= 2n ** 30n)
    throw new ConfigError(`--seed is ${seed}, but a search takes one below 2^30.`)
  return {
    runs,
    jobs,
    profile,
    shrinkRuns,
    bail,
    finding,
    out,
    resume,
    restart,
    clock: values.clock,
    forSeconds: values.for,
    timeoutSeconds: timeout,
    seed: seed === undefined ? undefined : Number(seed),
  }
}
