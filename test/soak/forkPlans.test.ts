/** The plans of test/process/forkPlans from a bundle, whose recording takes half a minute. */

process.env.FORK_ORIGIN = 'bundle'
await import('../process/forkPlans.test.js')
