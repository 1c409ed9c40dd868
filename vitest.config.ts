import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'test/kit/scratch.ts',
    include: ['src/**/*.test.ts', 'contracts/**/*.test.ts', 'test/**/*.test.ts'],
    // Every file starts real nodes; two at a time is what a two-core machine carries.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Waiting is for an event, not for a second: what does not come fails by the test's own time.
    expect: { poll: { timeout: 30_000 } },
  },
})
