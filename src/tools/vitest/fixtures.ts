import type { ExpectStatic, RunnerTestCase, TestAPI } from 'vitest'
import { createSvcClient, type SvcClient } from '../../clients/client/index.js'
import { isWorldShared, variable } from '../../clients/remote/variables.js'
import { watchJournal } from '../../clients/testing/journalWatch.js'
import {
  type FundedAccount,
  type GivenFunds,
  longestName,
  openAccount,
  openSimulator,
  restoreAndDrop,
  type SimulatorOfTest,
  type SimulatorSettings,
} from './open.js'
import { startingFirst, startsFirst } from './startFirst.js'
import { usersVitest } from './usersVitest.js'

const vitest = await usersVitest()

/** What a test finds in its context, and the options beside it, which `test.extend` or `test.override` change. */
export interface SvcFixtures {
  /**
   * What each test begins with. `snapshot`, the default: the simulator of the file, which is restored afterwards to its state
   * before the test; quick, for tests that run one after the other. `fresh`: a simulator of its own.
   */
  world: 'snapshot' | 'fresh'
  /** How simulators start. */
  simulatorSettings: SimulatorSettings
  /** What the account is given: 1,000 USDC on base when nothing else is said. */
  funds: readonly GivenFunds[]
  sim: SimulatorOfTest
  /** An account with funds, and the key that signs for it. */
  account: FundedAccount
  client: SvcClient
  /** @internal */
  fileSimulator: { current: Promise<SimulatorOfTest> | undefined }
  /** @internal Starts the simulator of the test, or gives the one that has been started for it. */
  startSimulator: () => Promise<SimulatorOfTest>
}

const usdc: readonly GivenFunds[] = [{ asset: 'USDC', amount: '1000000000', network: 'base' }]

/** The `expect` of vitest. */
export const expect: ExpectStatic = vitest.expect

/**
 * The `test` of vitest with the fixtures `sim`, `account` and `client`. When a test fails, the timeline of each account that it
 * touched is in its report.
 */
export const test: TestAPI<SvcFixtures> = startingFirst(vitest).extend<SvcFixtures>({
  world: 'snapshot',
  simulatorSettings: {},
  funds: usdc as never,
  fileSimulator: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures this one needs.
    async ({}, use) => {
      const held: SvcFixtures['fileSimulator'] = { current: undefined }
      await use(held)
      await (await held.current)?.close()
    },
    { scope: 'file' },
  ],
  startSimulator: async ({ world, simulatorSettings, fileSimulator, task }, use) => {
    let started: Promise<SimulatorOfTest> | undefined
    const start = (): Promise<SimulatorOfTest> => {
      const { name } = task.file
      if (world === 'fresh') started ??= openSimulator(simulatorSettings, nameOf(task))
      // Concurrent tests are refused below.
      else started = fileSimulator.current ??= openSimulator(simulatorSettings, name, sayOnce)
      return started
    }
    if (startsFirst(task) && !(world === 'snapshot' && task.concurrent)) await start()
    await use(start)
  },
  sim: async ({ world, startSimulator, task }, use) => {
    if (world === 'snapshot' && task.concurrent)
      throw new Error(
        'Concurrent tests cannot share a simulator, because it is restored after each test. Use test.override({ world: "fresh" }), or run the tests one after the other.',
      )
    const sim = await startSimulator()
    const isShared = isWorldShared()
    // A shared world is not restored: the search reads afterwards what all tests did.
    const before = world === 'snapshot' && !isShared ? await sim.snapshot() : undefined
    const token = isShared ? variable('SVC_CONTROL_TOKEN') : undefined
    const watch = await watchJournal({
      controlUrl: sim.controlUrl,
      apiKey: token ?? sim.apiKey,
    })
    // Errors of earlier tries stay in the result.
    const earlier = task.result?.errors?.length ?? 0
    await use(sim)
    if (task.result?.state === 'fail' && !task.fails) {
      const timelines = await watch.timelines()
      const error = task.result.errors?.[earlier]
      // Annotations are closed by now. Every reporter prints errors.
      task.result.errors?.push(...timelines.map(({ text }) => whyError(text)))
      Object.assign(task.meta, { svcSim: { timelines } })
      await sim.reportFailed?.(nameOf(task), {
        error: (error?.message ?? '').slice(0, 2_000),
        // A fresh world is the test's own: its trace is that of the test.
        ...((before !== undefined || isShared) && { since: watch.since }),
      })
      rememberFailed(task, sim)
    } else if (task.result?.state === 'pass') {
      await reportPassed(task)
      // The one test of its world: what failed there is what it expected.
      if (world === 'fresh' && !isShared) await sim.reportPassed?.(nameOf(task))
    }
    if (before !== undefined) await restoreAndDrop(sim, before)
    else if (!isShared) await sim.close()
  },
  client: async ({ sim }, use) => {
    await use(createSvcClient({ baseUrl: sim.url, apiKey: sim.apiKey }))
  },
  account: async ({ sim, client, funds }, use) => {
    await use(await openAccount(sim, client, funds))
  },
})

type FailedTries = Map<string, SimulatorOfTest[]>

/** The simulators of failed tries by the name of the test, for each test by its id: two may have one name. */
const failed = new Map<string, FailedTries>()

function rememberFailed(task: Readonly<RunnerTestCase>, sim: SimulatorOfTest): void {
  const tries: FailedTries = failed.get(nameOf(task)) ?? new Map()
  tries.set(task.id, [...(tries.get(task.id) ?? []), sim])
  failed.set(nameOf(task), tries)
}

/** A test that has passed when retried is no failure any more, unless another of this name has failed. */
async function reportPassed(task: Readonly<RunnerTestCase>): Promise<void> {
  const tries = failed.get(nameOf(task))
  const sims = tries?.get(task.id) ?? []
  tries?.delete(task.id)
  if (tries?.size !== 0) return
  // Where nobody hears it any more, the failure stays listed.
  for (const sim of sims) await sim.reportPassedOnRetry?.(nameOf(task)).catch(() => {})
}

/** File, suites and name, cut where the name of a world is. */
function nameOf(task: Readonly<RunnerTestCase>): string {
  return `${task.file.name} > ${task.fullTestName ?? task.name}`.slice(0, longestName)
}

/** One line for each file: with its seed a run can be repeated. */
function sayOnce(line: string): void {
  process.stderr.write(`svc-sim: ${line}\n`)
}

function whyError(text: string) {
  return { name: 'svc-sim why', message: text, stack: '' }
}
