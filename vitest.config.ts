import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import LongestFirst from './test/kit/longestFirst.js'

/** One tier of tests: CONTRIBUTING.md, "Tests", says which one a new test belongs in. */
function tier(
  name: string,
  include: string[],
  options: {
    isolate?: boolean
    exclude?: string[]
    setupFiles?: string[]
    maxWorkers?: number
    sequence?: { groupOrder: number }
  } = {},
): TestProjectConfiguration {
  return { extends: true, test: { name, include, exclude: [], ...options } }
}

/** Their files wait for processes, pages and time limits, too: a third one at a time uses the processors meanwhile. */
const waiting = { maxWorkers: 3, sequence: { groupOrder: 1 } }

const besideSource = (suffix: string): string => `{src,contracts}/**/*${suffix}.test.ts`

export default defineConfig({
  test: {
    globalSetup: 'test/kit/scratch.ts',
    reporters: ['default', './test/kit/suiteReport.ts'],
    // Simulators run five nodes each: two files at a time suit a machine with two cores.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests wait for events; what never comes fails at the test's own time limit.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      tier('unit', [besideSource(''), 'test/unit/**/*.test.ts'], {
        isolate: false,
        exclude: ['**/*.{node,sim,process}.test.ts'],
        setupFiles: ['test/kit/leftovers.ts'],
      }),
      tier('node', [besideSource('.node')], {
        isolate: false,
        setupFiles: ['test/kit/leftovers.ts'],
      }),
      tier('sim', [besideSource('.sim'), 'test/sim/**/*.test.ts'], {
        isolate: false,
        setupFiles: ['test/kit/leftovers.ts', 'test/kit/tapSetup.ts'],
      }),
      tier('smoke', ['test/smoke/**/*.test.ts']),
      tier('process', [besideSource('.process'), 'test/process/**/*.test.ts'], waiting),
      tier('build', ['test/build/**/*.test.ts']),
      tier('browser', ['test/browser/**/*.test.ts'], waiting),
      tier('balancer', ['test/balancer/**/*.test.ts'], waiting),
      tier('soak', ['test/soak/**/*.test.ts']),
    ],
  },
})
