import { defineConfig } from 'vitest/config'

/** Unit tests of one room (`rooms.mjs`): the mutation tester knows no projects, and runs everything in one thread. */
export default defineConfig({
  test: {
    include: process.env.MUTANTS_TESTS!.split(' '),
    isolate: false,
    exclude: ['**/*.{node,sim,process}.test.ts'],
  },
})
