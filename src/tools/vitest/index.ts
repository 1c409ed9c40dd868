/** `svc-sim/vitest`: vitest's `test` with a simulator, an account with funds, and a client. vitest is yours (4 or 5); it is not installed with svc-sim. */
export { expect, type SvcFixtures, test } from './fixtures.js'
export type { FundedAccount, SimulatorOfTest, SimulatorSettings } from './open.js'
