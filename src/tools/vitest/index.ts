/** `svc-sim/vitest`: vitest's `test` with a simulator, an account with funds, and a client. vitest is yours; it is not installed with svc-sim. */
export { expect } from 'vitest'
export { type SvcFixtures, test } from './fixtures.js'
export type { FundedAccount } from './fundedAccount.js'
export type { SimulatorOfTest, SimulatorSettings } from './open.js'
