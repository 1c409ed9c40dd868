import { defineConfig } from 'vitest/config'

/** Runs the unit tests of one room (see `rooms.mjs`). StrykerJS does not support projects. */
export default defineConfig({
  test: {
    include: process.env.MUTANTS_TESTS!.split(' '),
    isolate: false,
    exclude: ['**/*.{node,sim,process}.test.ts'],
  },
})
