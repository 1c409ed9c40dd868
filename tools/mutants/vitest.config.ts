import { defineConfig } from 'vitest/config'

/** The unit tier alone: the mutation tester knows no projects, and runs everything in one thread. */
export default defineConfig({
  test: {
    include: ['{src,contracts}/**/*.test.ts'],
    exclude: ['**/*.{node,sim,process}.test.ts'],
  },
})
