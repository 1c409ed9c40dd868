/** What the package `svc-sim` exports. Nothing imports this file. */

export type { ForkTarget, ForkTargets } from './chain/fork/upstream/target.js'
export type { FundRequest } from './clients/remote/fundRequest.js'
export { type LeaseOptions, leaseWorld, type WorldHandle } from './clients/remote/leaseWorld.js'
export {
  type JournalWatch,
  type Timeline,
  type WatchedSimulator,
  watchJournal,
} from './clients/testing/journalWatch.js'
export type { Time } from './control/time.js'
export type { NetworkName } from './deployments/networks.js'
export { createSimulator } from './simulator/createSimulator.js'
export type { ClockOption, Ended, LogFormat, SimulatorOptions } from './simulator/options.js'
export type { SimulatorHandle } from './simulator/simulatorHandle.js'
