import { writeFileSync } from 'node:fs'
import { loadScenario, ScenarioFileError } from '../../../clients/scenarios/load.js'
import type { Vocabulary } from '../../../clients/scenarios/names.js'
import { reporters } from '../../../clients/scenarios/reporters.js'
import {
  blockHashes,
  type Named,
  play,
  playAsGuest,
  type Result,
} from '../../../clients/scenarios/run.js'
import type { Scenario } from '../../../clients/scenarios/schema.js'
import type { ScenarioTarget } from '../../../clients/scenarios/target.js'
import { defaultApiKey } from '../../../simulator/options/simulatorOptions.js'
import { type Simulator, startSimulator } from '../../../simulator/sim.js'
import { ConfigError, readOptions, reporterOf } from '../options/config.js'
import type { OptionValues } from '../options/optionTable.js'
import { controlTokenOf } from '../process/control.js'
import { print, printResult, say } from '../process/output.js'

/**
 * `svc-sim scenario run FILE...` plays scenarios and resolves to 1 when one fails; `svc-sim scenario schema` prints the JSON
 * Schema of the files. Files that are wrong are named all at once, before anything starts.
 */
export async function scenario(values: OptionValues, words: readonly string[]): Promise<number> {
  const at = words.indexOf('--')
  const [verb, ...files] = at < 0 ? words : words.slice(0, at)
  const command = at < 0 ? [] : words.slice(at + 1)
  if (verb === 'schema' && files.length === 0) {
    const { scenarioJsonSchema } = await import('../../../clients/scenarios/schema.js')
    await print(`${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`)
    return 0
  }
  if (verb !== 'run' || files.length === 0) {
    throw new ConfigError(
      'use it as "svc-sim scenario run FILE..." or "svc-sim scenario schema"; see "svc-sim scenario --help".',
    )
  }
  if (command.length > 0) return runClient(values, files, command)
  // Another simulator may know other kinds and faults.
  const known = values.baseUrl === undefined ? await ownVocabulary() : undefined
  const scenarios = loadAll(files, known)
  const finding = scenarios.find((each) => each.scenario.outcome !== undefined)
  if (finding)
    throw new ConfigError(
      `${finding.file} checks the outcome of a client: name its command, as in "svc-sim scenario run ${finding.file} -- COMMAND".`,
    )
  return runAll(values, scenarios)
}

/** A finding of the search, or any scenario that prepares a world: the command acts in it, as with `exec --scenario`. */
async function runClient(
  { baseUrl }: OptionValues,
  files: readonly string[],
  command: readonly string[],
): Promise<number> {
  const [file, ...others] = files
  if (others.length > 0)
    throw new ConfigError(`a command runs with one scenario, but ${files.length} are given.`)
  if (baseUrl !== undefined)
    throw new ConfigError(
      '--base-url cannot be used with a command, which gets a simulator of its own.',
    )
  const { exec } = await import('./exec.js')
  return exec({ ...readOptions('exec', {}), scenario: file! }, command)
}

async function ownVocabulary(): Promise<Vocabulary> {
  const { vocabulary } = await import('../process/vocabulary.js')
  return vocabulary
}

function loadAll(files: readonly string[], known: Vocabulary | undefined): Named[] {
  const problems: string[] = []
  const loaded = files.flatMap((file) => {
    try {
      return [{ file, scenario: loadScenario(file, known) }]
    } catch (error) {
      if (!(error instanceof ScenarioFileError)) throw error
      problems.push(...error.problems)
      return []
    }
  })
  if (problems.length > 0) throw new ScenarioFileError(problems)
  return loaded
}

async function runAll(values: OptionValues, scenarios: readonly Named[]): Promise<number> {
  const reporter = reporterOf(values, reporters)
  const results: Result[] = []
  const stage = createStage()
  await print(reporter.begin(scenarios.length))
  try {
    for (const [index, named] of scenarios.entries()) {
      const playing =
        values.baseUrl === undefined
          ? playOnStage(stage, named, values.transcript !== undefined)
          : playOn(values, named)
      const result = await playing.catch((error: Error) => notBegun(named, error))
      results.push(result)
      await printResult(reporter.result(result, index))
    }
  } finally {
    await stage.close()
  }
  await print(reporter.end(results))
  if (values.transcript !== undefined) writeTranscript(values.transcript, results)
  return results.some(({ failure }) => failure !== undefined) ? 1 : 0
}

/** The report of a scenario whose simulator is missing or busy. */
function notBegun({ file, scenario: { name, given } }: Named, { message }: Error): Result {
  const failure = { where: 'before given', message }
  const seed = String(given.seed ?? 'not chosen yet')
  return { name, file, seed, durationMs: 0, isPrepared: false, failure, exchanges: [] }
}

async function playOnStage(
  stage: ReturnType<typeof createStage>,
  named: Named,
  withBlocks: boolean,
): Promise<Result> {
  const { target, seed } = await stage.setFor(named.scenario)
  const result = await play(target, named, seed)
  return withBlocks ? { ...result, blockHashes: await blockHashes(target) } : result
}

async function playOn(values: OptionValues, named: Named): Promise<Result> {
  const url = values.baseUrl!.replace(/\/$/, '')
  const { seed } = named.scenario.given
  const apiKey = values.apiKey[0] ?? defaultApiKey
  const target = { url, apiKey, controlToken: controlTokenOf(values) }
  const { isForeign, playForeign } = await import('../../verify/player.js')
  if (await isForeign(target)) {
    const { funderOf } = await import('./verify.js')
    return playForeign(target, named, funderOf(values))
  }
  if (seed !== undefined) say(`${named.file}: given.seed is that of ${url}, not ${seed}`)
  return playAsGuest(target, named)
}

/** One line of JSON per request, and the blocks at the end of each scenario: what a run can be compared by. */
function writeTranscript(file: string, results: readonly Result[]): void {
  const lines = results.flatMap(({ file: scenario, exchanges, blockHashes }) =>
    [...exchanges, { blockHashes }].map((line) => JSON.stringify({ scenario, ...line })),
  )
  writeFileSync(file, `${lines.join('\n')}\n`)
}

/** The seed of scenarios that give none, so that the same file gives the same run. */
const defaultSeed = 1n

/** A node that hangs on purpose should not hold up a scenario for half a minute. */
const readTimeoutMs = 3_000

/** Scenarios of one seed and clock after each other share a simulator, which is reset in between. `start` starts one. */
export function createStage(start: typeof startSimulator = startSimulator) {
  let current: { key: string; simulator: Simulator } | undefined
  const close = async (): Promise<void> => {
    await current?.simulator.close()
    current = undefined
  }
  return {
    /** A simulator in the state right after its start, with the scenario's seed and clock. */
    async setFor({ given }: Scenario): Promise<{ target: ScenarioTarget; seed: string }> {
      const seed = given.seed === undefined ? defaultSeed : BigInt(given.seed)
      const key = `${seed} ${given.clock}`
      if (current?.key === key) {
        // One that cannot be reset is of no use to the next scenario either.
        await current.simulator.snapshots.reset().catch(async (error) => {
          await close()
          throw error
        })
      } else {
        await close()
        const clock = given.clock === undefined ? {} : { clock: given.clock }
        current = { key, simulator: await start({ seed, readTimeoutMs, ...clock }) }
      }
      return { target: current.simulator, seed: seed.toString() }
    },
    close,
  }
}
