import type { RunnerTestCase, TestAPI } from 'vitest'

/** How long a simulator may take to start before a test, besides the test's own time. Milliseconds. */
const startWithinMs = 120_000

/** What vitest itself puts into the context of a test. */
const vitestsOwn = new Set([
  ...['annotate', 'expect', 'onTestFailed', 'onTestFinished', 'signal', 'skip', 'task'],
])

const starting = new WeakSet<object>()

/** Whether the simulator of a test is started before the test's own time begins. */
export function startsFirst(task: Readonly<RunnerTestCase>): boolean {
  return starting.has(task)
}

/**
 * The `test` of vitest, where each test that uses a fixture has the fixture `startSimulator` set up in a hook: the time limit of a test
 * covers the fixtures that it uses, and five nodes may take longer on a busy machine. A vitest that does not let us collect tests starts
 * them in the time of the test.
 */
export function startingFirst(vitest: typeof import('vitest')): TestAPI {
  const { beforeEach, TestRunner } = vitest
  if (typeof TestRunner?.createTaskCollector !== 'function') return vitest.test
  const hooked = new WeakSet<object>()
  return TestRunner.createTaskCollector(function (this: object, ...args: unknown[]) {
    // vitest refuses it itself, with its reason.
    if (TestRunner.getCurrentTest()) return void vitest.test(...(args as [string]))
    const suite = TestRunner.getCurrentSuite()
    // Where a hook is there, it is the same for the suites inside.
    if (!hooked.has(suite)) {
      hooked.add(suite)
      beforeEach<{ startSimulator: unknown }>(
        ({ startSimulator }) => void startSimulator,
        startWithinMs,
      )
    }
    const { fn } = suite.test as unknown as { fn: (...args: unknown[]) => void }
    fn.apply(this, args)
    const task = suite.tasks.at(-1)
    if (task && usesFixtures(args.find((each) => typeof each === 'function'))) starting.add(task)
  })
}

/** Whether the function of a test asks for more than vitest's own context. */
export function usesFixtures(handler: unknown): boolean {
  if (typeof handler !== 'function' || handler.length === 0) return false
  const [, names] = /^[^{]*\(\s*\{([^}]*)\}/.exec(String(handler)) ?? []
  // What vitest has wrapped, as for test.for.
  if (names === undefined) return true
  return names
    .split(',')
    .map((name) => name.split(/[:=]/)[0]!.trim())
    .some((name) => name !== '' && !vitestsOwn.has(name))
}
